"""The assistant that is always there: no model, no network, the same answer every time.

It says so itself. What it can do is work things out by rules, and show the whole way through the
program: text that streams, tools that are asked for and answered, skills that are used, agents
that hand over.
"""

import asyncio
import re
from collections.abc import AsyncGenerator
from typing import Final

from local_server.assistant.agents import Agent
from local_server.assistant.offline.composing import compose
from local_server.assistant.offline.routing import choose_by_wish
from local_server.assistant.reply import Piece, ReplyRequest, Text
from local_server.clock import Clock, local_now

_WORD: Final = re.compile(r"\S+\s*|\s+")


class OfflineAssistant:
    """Answers by rules. One for the life of the service."""

    def __init__(self, pace_s: float, clock: Clock = local_now) -> None:
        """Make one that rests for `pace_s` seconds before each word.

        What is today is seen from the zone of the clock's time.
        """
        self._pace_s = pace_s
        self._clock = clock

    async def choose_agent(self, message: str, agents: tuple[Agent, ...]) -> Agent:
        """Choose by what is plainly asked for, else by the words that the message shares."""
        return choose_by_wish(message, agents)

    async def aclose(self) -> None:
        """Hold nothing, and so let go of nothing."""

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Write the reply word by word; what it wishes for comes last."""
        for piece in compose(request, self._clock()):
            if not isinstance(piece, Text):
                yield piece
                continue
            for word in _WORD.findall(piece.text):
                await asyncio.sleep(self._pace_s)
                yield Text(word)
