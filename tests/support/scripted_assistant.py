"""An assistant that says what it was told to, and waits where a test wants to look."""

import asyncio
from collections.abc import AsyncGenerator

from local_server.assistant.agents import Agent
from local_server.assistant.reply import Piece, ReplyRequest, Text
from local_server.assistant.supervisor import choose_agent


class Pause:
    """A place in a reply: the test sees that it was reached, and lets the reply go on."""

    def __init__(self) -> None:
        self.is_reached = asyncio.Event()
        self.is_over = asyncio.Event()


Scripted = str | Piece | Pause | Exception


class ScriptedAssistant:
    """Gives one script for each reply, in order; being asked for more is a failure."""

    def __init__(self, *scripts: tuple[Scripted, ...]) -> None:
        self._scripts = list(scripts)
        self.asked: list[ReplyRequest] = []

    async def choose_agent(self, message: str, agents: tuple[Agent, ...]) -> Agent:
        """Choose by the words that the message shares with names and descriptions."""
        return choose_agent(message, agents)

    async def aclose(self) -> None:
        """Hold nothing, and so let go of nothing."""

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Piece]:
        """Play the next script."""
        self.asked.append(request)
        assert self._scripts, "no further reply was scripted"
        for piece in self._scripts.pop(0):
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, Pause):
                piece.is_reached.set()
                await piece.is_over.wait()
            else:
                yield Text(piece) if isinstance(piece, str) else piece
