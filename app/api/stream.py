"""A reply as it comes: typed events, in order, until it is complete or broken."""

import asyncio
import time
from collections.abc import Iterator
from typing import Protocol

from app.api.errors import StreamBroken, StreamFault
from app.api.event_reader import read_event
from app.api.events import Event, MessageStart, MessageStop, StreamError, UnknownEvent
from app.api.gate import ByteGate, GateError, StreamLimits
from app.api.wire import decode_events

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
        self._source = source
        self._conversation_id = conversation_id
        self._limits = limits or StreamLimits()
        self._gate = ByteGate(self._limits)
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
        await self._see_out()
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
            batch = self._gate.feed(chunk)
        except GateError as exc:
            raise StreamBroken(StreamFault.TOO_LARGE) from exc
        if batch:
            self._decoded = decode_events(batch)

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
        await self._share_the_loop()
        return event

    async def _share_the_loop(self) -> None:
        """Give the others a turn: one read can bring a thousand events without a pause."""
        self._turn_events += 1
        now = time.perf_counter()
        if self._turn_events >= _EVENTS_PER_TURN or now - self._turn_began > _TURN_S:
            await asyncio.sleep(0)
            self._turn_began = time.perf_counter()
            self._turn_events = 0

    async def _see_out(self) -> None:
        """Wait briefly for the service to close, so that the next request finds it done."""
        self._ignored += sum(1 for _ in self._decoded)
        try:
            async with asyncio.timeout(self._limits.ending_s):
                while (chunk := await self._source.read()) is not None:
                    self._ignored += sum(1 for _ in decode_events(self._gate.feed(chunk)))
        except (TimeoutError, StreamBroken, GateError):
            return
