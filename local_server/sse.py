"""Streams of events on the wire: two lines and a blank one each (specification 6)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from local_server.errors import StreamFailureError, unforeseen
from local_server.schemas import AgentEnd, AgentStart, StreamError, StreamEvent

PING: Final = b": ping\n\n"
# Some readers of event streams take these for line ends.
_LINE_ENDS: Final = str.maketrans({"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


class EventSource(Protocol):
    """What a stream is made of: events, and something to put away afterwards."""

    def events(self) -> AsyncGenerator[StreamEvent]:
        """Make the events, first to last."""

    async def aclose(self) -> None:
        """Put away what the source holds, also when no event was asked for."""


def encode(event: StreamEvent) -> bytes:
    """Write one event."""
    data = event.model_dump_json(exclude_none=True).translate(_LINE_ENDS)
    return f"event: {event.type}\ndata: {data}\n\n".encode()


async def ended_properly(events: AsyncGenerator[StreamEvent]) -> AsyncGenerator[StreamEvent]:
    """Pass events on; a failure among them becomes `error`, after the agent's end."""
    agent: str | None = None
    failure: str | None = None
    async with aclosing(events):
        try:
            async for event in events:
                if isinstance(event, AgentStart):
                    agent = event.agent_name
                elif isinstance(event, AgentEnd):
                    agent = None
                yield event
        except StreamFailureError as exc:
            failure = str(exc)
        except Exception as exc:  # noqa: BLE001 - the server's error handler; `unforeseen` logs it
            failure = unforeseen(exc).message
    if failure is not None:
        if agent is not None:
            yield AgentEnd(agent_name=agent)
        yield StreamError(message=failure)


class EventStream(Response):
    """Answers with the events of a source, as they come.

    When the client leaves, the source is cancelled where it stands, given the time to put away
    what it has, and closed. Lives as long as its request.
    """

    media_type = "text/event-stream"

    def __init__(self, source: EventSource, silence_s: float) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._source = source
        self._silence_s = silence_s
        self._spoke_at = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write until the events end or the client leaves."""
        del scope
        tasks: list[asyncio.Task[None]] = []
        try:
            start = {"status": self.status_code, "headers": self.raw_headers}
            await send({"type": "http.response.start", **start})
            written = asyncio.create_task(self._write(send), name="stream")
            left = asyncio.create_task(_wait_until_left(receive), name="stream-watch")
            pinging = asyncio.create_task(self._ping(send), name="stream-ping")
            tasks = [written, left, pinging]
            await asyncio.wait({written, left}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for outcome in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(outcome, Exception):
                    unforeseen(outcome)
            await self._source.aclose()

    async def _write(self, send: Send) -> None:
        async with aclosing(ended_properly(self._source.events())) as events:
            async for event in events:
                self._spoke_at = asyncio.get_running_loop().time()
                await send(_chunk(encode(event)))
        # Free before the end is told: a client may send again the moment it hears it.
        await self._source.aclose()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _ping(self, send: Send) -> None:
        loop = asyncio.get_running_loop()
        self._spoke_at = loop.time()
        while True:
            rest_s = self._spoke_at + self._silence_s - loop.time()
            if rest_s > 0:
                await asyncio.sleep(rest_s)
                continue
            self._spoke_at = loop.time()
            await send(_chunk(PING))


def _chunk(body: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": True}


async def _wait_until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
