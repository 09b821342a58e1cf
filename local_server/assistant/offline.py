"""The assistant that is always there: no model, no network, the same answer every time.

It says so itself. What it can do is show the whole way through the program: text that streams,
tools that are asked for and answered, skills that are used.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from typing import Final

from local_server.assistant import offline_text
from local_server.assistant.agents import Agent
from local_server.assistant.plain_requests import PlainRequestError, find_request
from local_server.assistant.reply import Piece, ReplyRequest, Text, ToolRequest
from local_server.assistant.skills import find_named
from local_server.assistant.supervisor import choose_agent
from local_server.assistant.tool_words import after_tool

_WORD: Final = re.compile(r"\S+\s*|\s+")


class OfflineAssistant:
    """Answers by rules. One for the life of the service."""

    def __init__(self, pace_s: float) -> None:
        """Make one that rests for `pace_s` seconds before each word."""
        self._pace_s = pace_s

    async def choose_agent(self, message: str, agents: tuple[Agent, ...]) -> Agent:
        """Choose by the words that the message shares with names and descriptions."""
        return choose_agent(message, agents)

    async def aclose(self) -> None:
        """Hold nothing, and so let go of nothing."""

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply word by word; a tool request comes last."""
        text, wanted = compose(request)
        for word in _WORD.findall(text):
            await asyncio.sleep(self._pace_s)
            yield Text(word)
        if wanted is not None:
            yield wanted


def compose(request: ReplyRequest) -> tuple[str, ToolRequest | None]:
    """Decide what to say, and which tool to ask for after it."""
    if request.answered is not None:
        return after_tool(request.answered), None
    try:
        wanted = find_request(request.message)
    except PlainRequestError as exc:
        return offline_text.not_understood(str(exc), request.tools), None
    if wanted is not None:
        return _ask_for(wanted, request)
    skill = find_named(request.message, request.skills)
    if skill is not None:
        return offline_text.with_skill(skill, request.message), None
    return offline_text.about_itself(request), None


def _ask_for(wanted: ToolRequest, request: ReplyRequest) -> tuple[str, ToolRequest | None]:
    if wanted.name not in {tool.name for tool in request.tools}:
        return offline_text.tool_not_offered(wanted.name, request.tools), None
    return offline_text.before_tool(wanted), wanted
