"""Read a streamed reply as typed events, in order, until it is complete or breaks off.

The decoder of server-sent events (httpx-sse) takes lines on trust. `SseFramer` therefore passes it
whole events only: without byte order mark, with one kind of line end, with invalid UTF-8 replaced,
and within limits of size. `ReplyStream` turns them into the events of one reply.
"""

import asyncio
import codecs
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from app.api.errors import StreamBroken, StreamFault
from app.api.events import (
    Event,
    MessageStart,
    MessageStop,
    StreamError,
    UnknownEvent,
    read_event,
)

_MEBIBYTE = 1024 * 1024
_SLICE_BYTES = 16 * 1024
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """How much of a reply is taken.

    A line is part of an event, so the event's limit holds for the line too.
    """

    event_bytes: int = 4 * _MEBIBYTE
    stream_bytes: int = 64 * _MEBIBYTE
    events: int = 100_000
    silence_s: float = 120.0
    ending_s: float = 2.0


class StreamTooLarge(ValueError):
    """The stream is larger than its limits."""


class SseFramer:
    """Collects the bytes of one stream and lets whole events through.

    Made for one reply; holds no resources.
    """

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_at_start = True
        self._is_after_cr = False
        self._is_at_line_start = True
        self._total_bytes = 0
        self._pending: list[str] = []
        self._pending_bytes = 0

    def feed(self, chunk: bytes) -> str:
        """Add a chunk of bytes; return the events that are now whole, or nothing.

        Raises:
            StreamTooLarge: an event or the whole stream is too large.
        """
        self._total_bytes += len(chunk)
        if self._total_bytes > self._limits.stream_bytes:
            raise StreamTooLarge("the stream is too large")
        slices = range(0, len(chunk), _SLICE_BYTES)
        return "".join(self._feed_slice(chunk[at : at + _SLICE_BYTES]) for at in slices)

    def _feed_slice(self, part: bytes) -> str:
        text = self._normalised(self._decoder.decode(part))
        whole, rest = self._split(text)
        if whole:
            whole = "".join((*self._pending, whole))
            self._pending = []
            self._pending_bytes = len(rest.encode())
        else:
            self._pending_bytes += len(part)
        if rest:
            self._pending.append(rest)
        if self._pending_bytes > self._limits.event_bytes:
            raise StreamTooLarge("an event is too large")
        return whole

    def _normalised(self, text: str) -> str:
        """Return the text with LF for CR and CRLF, a CRLF cut in two by the network included."""
        if not text:
            return text
        if self._is_at_start:
            self._is_at_start = False
            text = text.removeprefix(_BYTE_ORDER_MARK)
        if self._is_after_cr:
            # Do not wait for a LF: a lone CR ends a line, too.
            self._is_after_cr = False
            text = text.removeprefix("\n")
        if text:
            self._is_after_cr = text.endswith("\r")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _split(self, text: str) -> tuple[str, str]:
        """Cut behind the last blank line: what is whole, and what is not yet."""
        if not text:
            return "", ""
        border = text.rfind("\n\n")
        cut = border + 2
        if border < 0:
            cut = 1 if self._is_at_line_start and text[0] == "\n" else 0
        self._is_at_line_start = text[-1] == "\n"
        return text[:cut], text[cut:]


_EVENTS_PER_TURN = 64
_TURN_S = 0.004


class ByteSource(Protocol):
    """Where the bytes of a reply come from."""

    async def read(self) -> bytes | None:
        """Wait for more bytes; None at the end."""


class ReplyStream:
    """The events of one reply: `async for event in reply`.

    The iteration ends after `message_stop` or an `error` event, once the service has closed the
    stream or a moment later; what the service sends behind that is counted and dropped. A stream
    that ends in any other way raises `StreamBroken`. Made by `ApiClient.chat_stream` and
    `tool_result`, which close it; nothing may be read from it afterwards.
    """

    def __init__(
        self, source: ByteSource, conversation_id: str, limits: StreamLimits | None = None
    ) -> None:
        # httpx takes long to import, and the start reads no reply.
        from app.api.transport import decode_events  # noqa: PLC0415

        self._decode = decode_events
        self._source = source
        self._conversation_id = conversation_id
        self._limits = limits or StreamLimits()
        self._framer = SseFramer(self._limits)
        self._decoded: Iterator[tuple[str, str]] = iter(())
        self._deadline = asyncio.get_running_loop().time() + self._limits.silence_s
        self._events = 0
        self._is_over = False
        self._is_complete = False
        self._ignored = 0
        self._turn_began = time.perf_counter()
        self._turn_events = 0

    @property
    def is_complete(self) -> bool:
        """Whether `message_stop` came: only then is the reply whole."""
        return self._is_complete

    @property
    def ignored_count(self) -> int:
        """How many events did not belong to the interface or came after the end."""
        return self._ignored

    def __aiter__(self) -> "ReplyStream":
        return self

    async def __anext__(self) -> Event:
        while not self._is_over:
            decoded = next(self._decoded, None)
            if decoded is not None:
                return await self._accept(*decoded)
            await self._read_more()
        await self._drain()
        raise StopAsyncIteration

    async def _read_more(self) -> None:
        try:
            async with asyncio.timeout_at(self._deadline):
                chunk = await self._source.read()
        except TimeoutError as exc:
            seconds = round(self._limits.silence_s)
            raise StreamBroken(StreamFault.STALLED, {"seconds": seconds}) from exc
        if chunk is None:
            raise StreamBroken(StreamFault.ENDED)
        try:
            batch = self._framer.feed(chunk)
        except StreamTooLarge as exc:
            raise StreamBroken(StreamFault.TOO_LARGE) from exc
        if batch:
            self._decoded = self._decode(batch)

    async def _accept(self, name: str, data: str) -> Event:
        self._events += 1
        if self._events > self._limits.events:
            raise StreamBroken(StreamFault.TOO_LARGE)
        # Bytes alone prove nothing: a drip of comments would keep a dead reply alive.
        self._deadline = asyncio.get_running_loop().time() + self._limits.silence_s
        event = read_event(name, data)
        match event:
            case MessageStart(conversation_id=other) if other != self._conversation_id:
                raise StreamBroken(StreamFault.MISDIRECTED)
            case MessageStop():
                self._is_complete = self._is_over = True
            case StreamError():
                self._is_over = True
            case UnknownEvent():
                self._ignored += 1
        await self._yield_to_loop()
        return event

    async def _yield_to_loop(self) -> None:
        """Yield to other tasks: one read can bring a thousand events without a pause."""
        self._turn_events += 1
        now = time.perf_counter()
        if self._turn_events >= _EVENTS_PER_TURN or now - self._turn_began > _TURN_S:
            await asyncio.sleep(0)
            self._turn_began = time.perf_counter()
            self._turn_events = 0

    async def _drain(self) -> None:
        """Wait briefly for the service to close, so that the next request finds it done."""
        self._ignored += sum(1 for _ in self._decoded)
        try:
            async with asyncio.timeout(self._limits.ending_s):
                while (chunk := await self._source.read()) is not None:
                    self._ignored += sum(1 for _ in self._decode(self._framer.feed(chunk)))
        except (TimeoutError, StreamBroken, StreamTooLarge):
            return
