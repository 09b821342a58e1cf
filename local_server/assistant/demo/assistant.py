"""The demo: an assistant by fixed rules, without model or network.

Its replies say that they come from a demo, and are in the language of the chat, English or German.
It shows what a client has to handle: streamed text, tool calls, hand-overs between agents, skills.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from typing import Final

from local_server.assistant.agents import Agent, choose_agent
from local_server.assistant.demo import texts
from local_server.assistant.demo.languages import name_in, say
from local_server.assistant.demo.requests import (
    AgentCommand,
    RequestError,
    attached_names,
    read_agent_command,
    read_tool_requests,
)
from local_server.assistant.reply import (
    IMAGES_NOT_SEEN,
    AgentChoice,
    HandOver,
    Piece,
    ReplyRequest,
    RequestedToolCall,
    SkillUsed,
    SuggestedTitle,
    Text,
)
from local_server.assistant.skills import find_named

_WORD: Final = re.compile(r"\S+\s*|\s+")
_GREETING: Final = re.compile(r"(?:hi|hello|hey|hallo|guten\s+tag|moin)\b", re.IGNORECASE)
# The last is the first example of an empty chat in a German window.
_HELP: Final = re.compile(
    r"(?:help|hilfe)\b|\?|what can (?:you|i) (?:do|try|ask|help)\b"
    r"|wobei können sie mir helfen",
    re.IGNORECASE,
)
_SHOWCASE: Final = re.compile(r"\b(?:markdown|formatting|formatierung)\b", re.IGNORECASE)


class DemoAssistant:
    """Answers by fixed rules. One for the life of the service."""

    def __init__(self, pace_s: float) -> None:
        """Make one that waits `pace_s` seconds before each word."""
        self._pace_s = pace_s

    async def choose_agent(
        self, message: str, agents: tuple[Agent, ...], model: str | None = None
    ) -> AgentChoice:
        """Choose by the words that the message shares with agents that may use its tools.

        Who is named by `/agent` is not chosen where there are others, so that it is handed over to.
        """
        del model
        command = read_agent_command(message)
        if command is not None:
            others = [agent for agent in agents if not command.names(agent)]
            return AgentChoice(choose_agent(command.rest, others or agents))
        names = {wanted.name for wanted in _tool_requests_in(message)}
        able = [agent for agent in agents if agent.tools is None or names <= set(agent.tools)]
        return AgentChoice(choose_agent(message, able or agents))

    async def suggest_title(
        self, message: str, agent: Agent, model: str | None = None
    ) -> SuggestedTitle | None:
        """Suggest none: there is no model."""
        del message, agent, model
        return None

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply word by word; what it wishes for comes last."""
        pieces = _compose(request)
        if request.has_new_images:
            words = say(texts.language_in(request), IMAGES_NOT_SEEN.text)
            pieces = [replace(IMAGES_NOT_SEEN, text=words), Text("\n\n"), *pieces]
        for piece in pieces:
            if not isinstance(piece, Text):
                yield piece
                continue
            for word in _WORD.findall(piece.text):
                await asyncio.sleep(self._pace_s)
                yield Text(word)


def _tool_requests_in(message: str) -> Sequence[RequestedToolCall]:
    try:
        return read_tool_requests(message)
    except RequestError:
        return ()


def _compose(request: ReplyRequest) -> list[Piece]:
    """Decide what to say, and what to wish for after it."""
    language = texts.language_in(request)
    if request.calls:
        latest = request.calls[-1].round
        descriptions = [
            texts.describe_result(call, language) for call in request.calls if call.round == latest
        ]
        return [Text("\n\n".join(descriptions))]
    command = read_agent_command(request.message)
    if command is not None:
        return _hand_over(command, request)
    return _answer(request)


def _hand_over(command: AgentCommand, request: ReplyRequest) -> list[Piece]:
    if command.names(request.agent):
        return _answer(replace(request, message=command.rest))
    language = texts.language_in(request)
    for agent in request.colleagues:
        if command.names(agent):
            name = name_in(language, agent.display_name)
            words = say(language, "I hand over to **{agent}**.", agent=name)
            return [Text(words), HandOver(agent.name)]
    return [Text(texts.say_cannot_hand_over(command.name, request.colleagues, language))]


def _answer(request: ReplyRequest) -> list[Piece]:
    language = texts.language_in(request)
    try:
        said = (message.content for message in request.history if message.role == "user")
        requested = read_tool_requests(request.message, attached_names(said))
    except RequestError as exc:
        words = "I could not make a tool call of that. {fault}"
        return [Text(say(language, words, fault=exc.in_language(language)))]
    if requested:
        return _ask_for(requested, request)
    skill = find_named(request.message, request.skills, by_triggers=True)
    if skill is not None:
        return [SkillUsed(skill.name), Text(texts.describe_skill(skill, language))]
    return [Text(_talk(request))]


def _ask_for(wanted: Sequence[RequestedToolCall], request: ReplyRequest) -> list[Piece]:
    offered = {tool.name for tool in request.tools}
    missing = next((one.name for one in wanted if one.name not in offered), None)
    if missing is not None:
        return [Text(texts.say_not_offered(missing, request))]
    return [Text(texts.announce_calls(wanted, texts.language_in(request))), *wanted]


def _talk(request: ReplyRequest) -> str:
    message = request.message.strip()
    if _HELP.match(message):
        return texts.help_for(request)
    if _SHOWCASE.search(message):
        return texts.show_markdown(request)
    return texts.introduce(request, is_greeted=bool(_GREETING.match(message)))
