"""An assistant that says what it was told to, and waits where a test wants to look."""

import asyncio
from collections.abc import AsyncGenerator

from local_server.assistant.reply import ReplyRequest, Text, ToolRequest


class Pause:
    """A place in a reply: the test sees that it was reached, and lets the reply go on."""

    def __init__(self) -> None:
        self.is_reached = asyncio.Event()
        self.is_over = asyncio.Event()


Piece = str | ToolRequest | Pause | Exception


class ScriptedAssistant:
    """Gives one script for each reply, in order; being asked for more is a failure."""

    def __init__(self, *scripts: tuple[Piece, ...]) -> None:
        self._scripts = list(scripts)
        self.asked: list[ReplyRequest] = []

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Text | ToolRequest]:
        """Play the next script."""
        self.asked.append(request)
        assert self._scripts, "no further reply was scripted"
        for piece in self._scripts.pop(0):
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, Pause):
                piece.is_reached.set()
                await piece.is_over.wait()
            elif isinstance(piece, ToolRequest):
                yield piece
            else:
                yield Text(piece)
