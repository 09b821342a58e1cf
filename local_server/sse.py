"""Respond with server-sent events (specification 6).

`EventStream` is the response that streams the events of an `EventSource`; the middleware `Streams`
sends it. `encode` returns an event as bytes (an `event:` line, a `data:` line, a blank line); an
`EventBuffer` holds events until the connection takes them. A `ShutdownEvent` ends open streams.
"""

import asyncio
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from typing import Final, Protocol

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.errors import StreamFailureError, unforeseen
from local_server.observability import STREAM_STATS, Ending, StreamStats
from local_server.schemas import (
    AgentEnd,
    AgentStart,
    Extension,
    MessageStart,
    MessageStop,
    NamedUsageEvent,
    StreamError,
    StreamEvent,
    ThinkingEvent,
    TitleEvent,
    ToolUse,
    UsageEvent,
)

# What keeps a silent connection open: a comment, which readers of event streams pass over.
PING: Final = b": ping\n\n"

# Some readers of event streams take these for line ends.
_LINE_ENDS: Final = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_BEFORE_TEXT: Final = (
    "event: content_block_delta\n"
    'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":'
)

_BEFORE_THOUGHT: Final = 'event: thinking_delta\ndata: {"type":"thinking_delta","text":'
# Events that are sent only if the client has requested their extension.
_ASKED_FOR: Final[Mapping[type[StreamEvent], Extension]] = {
    ThinkingEvent: "thinking",
    UsageEvent: "usage",
    NamedUsageEvent: "usage",
    TitleEvent: "title",
}

# The limit of buffered bytes. It bounds the memory for a slow client, and how long a source that
# never waits can block the event loop.
_FULL_BYTES: Final = 16 * 1024
_FULL_EVENTS: Final = 64
# How long a client that does not read may hold up a service that stops.
_LAST_SEND_S: Final = 0.5
# Where a stream waits, in the state of its request.
_STREAM: Final = "stream"


def encode(event: StreamEvent) -> bytes:
    """Return one event as the bytes that are sent."""
    leaves_out_none = isinstance(event, MessageStart)
    data = _in_one_line(event.model_dump_json(exclude_none=leaves_out_none))
    return f"event: {event.type}\ndata: {data}\n\n".encode()


def encode_text(text: str) -> bytes:
    """Return the `content_block_delta` of a fragment as bytes, ten times as fast as `encode`."""
    return f"{_BEFORE_TEXT}{_in_one_line(encode_basestring(text))}}}}}\n\n".encode()


def encode_thought(text: str) -> bytes:
    """Return the `thinking_delta` of a fragment as bytes, as fast as `encode_text`."""
    return f"{_BEFORE_THOUGHT}{_in_one_line(encode_basestring(text))}}}\n\n".encode()


def _in_one_line(data: str) -> str:
    if not data.isascii():
        for sign, escaped in _LINE_ENDS.items():
            data = data.replace(sign, escaped)
    return data


class EventBuffer:
    """A bounded buffer between the source of a stream and its connection.

    The source puts events in one by one and waits while the buffer is full (back-pressure); the
    connection takes all that are there at once. One for each stream.

    Attributes:
        agent_name: The agent whose `agent_start` was written without its `agent_end` so far.
        stats: The stream's counters, for the metrics.
    """

    def __init__(self, accepted: frozenset[Extension] = frozenset()) -> None:
        """Make one that drops the events of extensions that are not `accepted`."""
        self._accepted = accepted
        self.agent_name: str | None = None
        self.stats = StreamStats()
        self._chunks: list[bytes] = []
        self._size = 0
        self._room: asyncio.Future[None] | None = None
        self._arrival: asyncio.Future[None] | None = None

    async def event(self, event: StreamEvent) -> None:
        """Append an event; wait while the buffer is full."""
        extension = _ASKED_FOR.get(type(event))
        if extension is not None and extension not in self._accepted:
            return
        if isinstance(event, AgentStart):
            self.agent_name = event.agent_name
        elif isinstance(event, AgentEnd):
            self.agent_name = None
        elif isinstance(event, ToolUse):
            self.stats.asks_tool = True
        await self._put(encode(event))

    async def text(self, text: str) -> None:
        """Append a fragment of the reply; wait while the buffer is full."""
        is_first = not self.stats.deltas
        self.stats.count_text(text)
        await self._put(encode_text(text))
        if is_first:
            # The first words leave before anything else is done, though more be there already.
            await asyncio.sleep(0)

    def accepts(self, extension: Extension) -> bool:
        """Return whether the client requested the events of an extension."""
        return extension in self._accepted

    async def thought(self, text: str) -> None:
        """Append a fragment of thinking if the client requested it; waits as `text` does."""
        if "thinking" in self._accepted:
            await self._put(encode_thought(text))

    def drain(self) -> bytes:
        """Remove and return all buffered bytes; empty if there are none."""
        if not self._chunks:
            return b""
        drained = b"".join(self._chunks)
        self._chunks.clear()
        self._size = 0
        if self._room is not None:
            _wake(self._room)
        return drained

    async def wait_for_arrival(self) -> None:
        """Wait until something is appended, or until `wake` is called."""
        self._arrival = asyncio.get_running_loop().create_future()
        try:
            await self._arrival
        finally:
            self._arrival = None

    def wake(self) -> None:
        """End `wait_for_arrival` early."""
        if self._arrival is not None:
            _wake(self._arrival)

    async def _put(self, chunk: bytes) -> None:
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._arrival is not None:
            _wake(self._arrival)
        if self._size >= _FULL_BYTES or len(self._chunks) >= _FULL_EVENTS:
            await self._wait_for_room()

    async def _wait_for_room(self) -> None:
        self._room = asyncio.get_running_loop().create_future()
        try:
            await self._room
        finally:
            self._room = None


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


class ShutdownEvent:
    """Calls its subscribers when the service stops; made and kept by the application."""

    def __init__(self) -> None:
        self._is_set = False
        self._listeners: set[Callable[[], None]] = set()

    def set(self) -> None:
        """Call all subscribers; idempotent. Listeners subscribed afterwards are called at once."""
        if self._is_set:
            return
        self._is_set = True
        for listener in tuple(self._listeners):
            listener()

    def is_set(self) -> bool:
        """Return whether the service is stopping."""
        return self._is_set

    @property
    def is_awaited(self) -> bool:
        """Whether streams or other subscribers still run, and the service is not stopping yet."""
        return bool(self._listeners) and not self._is_set

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the service stops; at once if it is stopping already."""
        self._listeners.add(listener)
        if self._is_set:
            listener()

    def unsubscribe(self, listener: Callable[[], None]) -> None:
        """Remove a listener."""
        self._listeners.discard(listener)


class EventSource(Protocol):
    """Produces the events of a stream, and releases what it holds afterwards."""

    async def write(self, out: EventBuffer) -> None:
        """Write the events to `out` in order, without the final `message_stop`.

        Raises:
            StreamFailureError: When it cannot continue; the message is for the user.
        """

    async def aclose(self) -> None:
        """Release what the source holds, also when nothing was written."""


class EventStream(Response):
    """An HTTP response that sends the events of a source as they are produced.

    When the client disconnects or the service stops, the source is cancelled, gets time to store
    what it has produced, and is closed. Lives as long as its request.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        source: EventSource,
        silence_s: float,
        shutdown: ShutdownEvent,
        accepted: frozenset[Extension] = frozenset(),
    ) -> None:
        """Make one with the events of the specification and of the extensions `accepted`."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._source = source
        self._shutdown = shutdown
        self._out = EventBuffer(accepted)
        self._ping_timer = _PingTimer(silence_s, self._out.wake)
        self._limit = asyncio.timeout(None)
        self._is_sending = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Register this stream for `Streams`, which sends it."""
        del receive, send
        scope["state"] |= {_STREAM: self, STREAM_STATS: self._out.stats}

    async def send_to(self, receive: Receive, send: Send) -> None:
        """Send until the events end, the client disconnects or the service stops."""
        try:
            await self._run(receive, send)
        finally:
            await self._source.aclose()

    async def _run(self, receive: Receive, send: Send) -> None:
        """Run the source in a task of its own, and send from here what it wrote.

        Nothing is sent from elsewhere, so that nothing can come after the end.
        """
        writing = asyncio.create_task(self._source.write(self._out), name="stream")
        writing.add_done_callback(lambda _done: self._out.wake())
        watching = asyncio.create_task(_watch(receive, writing), name="stream-watch")

        def stop() -> None:
            loop = asyncio.get_running_loop()
            # Not now: a source that has only just been started may say how its stream begins.
            loop.call_soon(_cancel_once, writing)
            if self._is_sending:
                self._limit_sending()

        try:
            async with self._limit:
                self._shutdown.subscribe(stop)
                # The source comes as far as its first wait, and its first events leave with the
                # head.
                await asyncio.sleep(0)
                start = {"status": self.status_code, "headers": self.raw_headers}
                await send({"type": "http.response.start", **start})
                await self._send_all(send, writing)
                failure = _failure(writing)
                self._out.stats.ending = self._ending(writing, failure)
                await self._end(send, failure)
        except TimeoutError:
            self._out.stats.ending = "stopped"
            return
        finally:
            self._shutdown.unsubscribe(stop)
            self._ping_timer.stop()
            await _cancel(writing, watching)

    async def _send_all(self, send: Send, writing: asyncio.Task[None]) -> None:
        self._ping_timer.start()
        while True:
            if chunk := self._out.drain():
                self._ping_timer.reset()
                await self._send(send, _body(chunk))
            elif writing.done():
                return
            elif self._ping_timer.is_due:
                self._ping_timer.reset()
                await self._send(send, _body(PING))
            else:
                await self._out.wait_for_arrival()

    def _ending(self, writing: asyncio.Task[None], failure: str | None) -> Ending:
        if writing.cancelled():
            return "stopped" if self._shutdown.is_set() else "left"
        return "whole" if failure is None else "failed"

    async def _end(self, send: Send, failure: str | None) -> None:
        # Free before the end is told: a client may send again the moment it hears it.
        await self._source.aclose()
        events = _last_events(self._out.agent_name, failure)
        await self._send(send, _body(b"".join(encode(event) for event in events)))
        await self._send(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send, message: Message) -> None:
        """Send; once the service stops, a client that does not read is waited for only a moment."""
        self._is_sending = True
        if self._shutdown.is_set():
            self._limit_sending()
        await send(message)
        self._is_sending = False
        if self._shutdown.is_set():
            self._limit.reschedule(None)

    def _limit_sending(self) -> None:
        self._limit.reschedule(asyncio.get_running_loop().time() + _LAST_SEND_S)


class Streams:
    """ASGI middleware that sends event streams after the inner application has returned.

    Inside the framework, its layers would keep a third of the memory of a waiting stream and copy
    every event. Made with the application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; send the stream if that is the answer."""
        await self._app(scope, receive, send)
        stream = scope.get("state", {}).pop(_STREAM, None)
        if isinstance(stream, EventStream):
            await stream.send_to(receive, send)


class _PingTimer:
    """Notes when nothing was sent for a while. One for each stream.

    Attributes:
        is_due: It has lasted long enough, and was not `reset` since.
    """

    def __init__(self, limit_s: float, wake: Callable[[], None]) -> None:
        self._limit_s = limit_s
        self._wake = wake
        self.is_due = False
        self._last_sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start counting the silence."""
        self.reset()
        self._schedule(self._limit_s)

    def stop(self) -> None:
        """Stop for good."""
        if self._timer is not None:
            self._timer.cancel()

    def reset(self) -> None:
        """Start counting anew, since something is sent."""
        self.is_due = False
        self._last_sent_at = asyncio.get_running_loop().time()

    def _schedule(self, remaining_s: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(remaining_s, self._on_waited)

    def _on_waited(self) -> None:
        due_at = self._last_sent_at + self._limit_s
        remaining_s = due_at - asyncio.get_running_loop().time()
        if remaining_s > 0:
            self._schedule(remaining_s)
        else:
            self.is_due = True
            self._wake()
            self._schedule(self._limit_s)


def _failure(writing: asyncio.Task[None]) -> str | None:
    """Write for the user why the source did not come to its end; None when it did."""
    if writing.cancelled():
        return "The service is stopping."
    exc = writing.exception()
    if isinstance(exc, StreamFailureError):
        return str(exc)
    return unforeseen(exc).message if isinstance(exc, Exception) else None


def _last_events(agent_name: str | None, failure: str | None) -> list[StreamEvent]:
    if failure is None:
        return [MessageStop()]
    ends = [] if agent_name is None else [AgentEnd(agent_name=agent_name)]
    return [*ends, StreamError(message=failure)]


async def _watch(receive: Receive, writing: asyncio.Task[None]) -> None:
    """Stop the source when the client leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass
    _cancel_once(writing)


def _cancel_once(task: asyncio.Task[None]) -> None:
    """Cancel a task unless it was cancelled before: it may still be cleaning up."""
    if not task.cancelling():
        task.cancel()


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks, each once, and wait until they have cleaned up."""
    running = [task for task in tasks if not task.done()]
    for task in running:
        _cancel_once(task)
    for outcome in await asyncio.gather(*running, return_exceptions=True):
        if isinstance(outcome, Exception):
            unforeseen(outcome)


def _body(chunk: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": chunk, "more_body": True}
