"""Streams of events on the wire: two lines and a blank one each (specification 6)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final, Protocol

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


class Ending:
    """Knows how a stream that breaks off has to end, from the events so far.

    One for each stream.
    """

    def __init__(self) -> None:
        self._agent: str | None = None

    def note(self, event: StreamEvent) -> None:
        """Take in an event that was written."""
        if isinstance(event, AgentStart):
            self._agent = event.agent_name
        elif isinstance(event, AgentEnd):
            self._agent = None

    def events(self, message: str) -> list[StreamEvent]:
        """Make the last events, with a sentence for the user."""
        ends = [] if self._agent is None else [AgentEnd(agent_name=self._agent)]
        return [*ends, StreamError(message=message)]


class EventStream(Response):
    """Answers with the events of a source, as they come.

    When the client leaves or the service stops, the source is cancelled where it stands, given
    the time to put away what it has, and closed. Lives as long as its request.
    """

    media_type = "text/event-stream"

    def __init__(self, source: EventSource, silence_s: float, stopping: asyncio.Event) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._source = source
        self._silence_s = silence_s
        self._stopping = stopping
        self._ending = Ending()
        self._spoke_at = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write until the events end, the client leaves or the service stops."""
        del scope
        start = {"status": self.status_code, "headers": self.raw_headers}
        try:
            await send({"type": "http.response.start", **start})
            await self._run(receive, send)
        finally:
            await self._source.aclose()

    async def _run(self, receive: Receive, send: Send) -> None:
        written = asyncio.create_task(self._write(send), name="stream")
        left = asyncio.create_task(_wait_until_left(receive), name="stream-watch")
        stopped = asyncio.create_task(self._stopping.wait(), name="stream-stop")
        pinging = asyncio.create_task(self._ping(send), name="stream-ping")
        try:
            await asyncio.wait({written, left, stopped}, return_when=asyncio.FIRST_COMPLETED)
            is_cut_off = stopped.done() and not (left.done() or written.done())
        finally:
            await _cancel(written, left, stopped, pinging)
        if is_cut_off:
            await self._finish(send, "The service is stopping.")

    async def _write(self, send: Send) -> None:
        failure = await self._write_events(send)
        # Free before the end is told: a client may send again the moment it hears it.
        await self._source.aclose()
        await self._finish(send, failure)

    async def _write_events(self, send: Send) -> str | None:
        """Write what the source says; its failure is returned, in words for the user."""
        try:
            async with aclosing(self._source.events()) as events:
                async for event in events:
                    self._ending.note(event)
                    self._spoke_at = asyncio.get_running_loop().time()
                    await send(_chunk(encode(event)))
        except StreamFailureError as exc:
            return str(exc)
        except Exception as exc:  # noqa: BLE001 - the server's error handler; `unforeseen` logs it
            return unforeseen(exc).message
        return None

    async def _finish(self, send: Send, failure: str | None) -> None:
        for event in self._ending.events(failure) if failure is not None else ():
            await send(_chunk(encode(event)))
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


async def _cancel(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have put away what they hold."""
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            unforeseen(outcome)


def _chunk(body: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": True}


async def _wait_until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
