"""Between a source of events and the connection that they leave by."""

import asyncio
from typing import Final

from local_server.event_text import encode, encode_text
from local_server.observing.account import StreamAccount
from local_server.schemas import AgentEnd, AgentStart, StreamEvent, ToolUse

# What may lie here until the connection takes it. It bounds memory when a client reads slowly,
# and the time that a source that never waits holds the loop.
_FULL_BYTES: Final = 16 * 1024
_FULL_EVENTS: Final = 64


class Outlet:
    """Takes events one by one and gives them away together, as fast as they are asked for.

    A source that is ahead has to wait. One for each stream.

    Attributes:
        agent_name: The agent that has begun and not ended yet.
        account: What is counted of the stream.
    """

    def __init__(self) -> None:
        self.agent_name: str | None = None
        self.account = StreamAccount()
        self._chunks: list[bytes] = []
        self._size = 0
        self._room: asyncio.Future[None] | None = None
        self._arrival: asyncio.Future[None] | None = None

    async def event(self, event: StreamEvent) -> None:
        """Put an event in; waits while there is no room."""
        if isinstance(event, AgentStart):
            self.agent_name = event.agent_name
        elif isinstance(event, AgentEnd):
            self.agent_name = None
        elif isinstance(event, ToolUse):
            self.account.asks_tool = True
        await self._put(encode(event))

    async def text(self, text: str) -> None:
        """Put in a fragment of the reply; waits while there is no room."""
        self.account.note_text(text)
        await self._put(encode_text(text))

    def take(self) -> bytes:
        """Take all that is there, perhaps nothing."""
        if not self._chunks:
            return b""
        taken = b"".join(self._chunks)
        self._chunks.clear()
        self._size = 0
        if self._room is not None:
            _tell(self._room)
        return taken

    async def arrival(self) -> None:
        """Wait until something arrives, or until `hurry` is called."""
        self._arrival = asyncio.get_running_loop().create_future()
        try:
            await self._arrival
        finally:
            self._arrival = None

    def hurry(self) -> None:
        """Let whoever waits for an arrival wait no longer."""
        if self._arrival is not None:
            _tell(self._arrival)

    async def _put(self, chunk: bytes) -> None:
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._arrival is not None:
            _tell(self._arrival)
        if self._size >= _FULL_BYTES or len(self._chunks) >= _FULL_EVENTS:
            await self._wait_for_room()

    async def _wait_for_room(self) -> None:
        self._room = asyncio.get_running_loop().create_future()
        try:
            await self._room
        finally:
            self._room = None


def _tell(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
