"""One connection of a client that costs next to nothing: raw HTTP, and tokens counted by a mark."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final, cast

from tests.benchmarks.service.orders import MARK, STAMP

_HEAD_END: Final = b"\r\n\r\n"
_LAST_CHUNK: Final = b"\r\n0\r\n\r\n"
_LIMIT_S: Final = 120

# Called with the stamps of the tokens that came just now, in microseconds.
StampSink = Callable[[Sequence[bytes]], None]


class ExchangeError(Exception):
    """What was asked was not answered as it should be; the message says how it was."""


class Exchange(asyncio.Protocol):
    """A connection over which one request after the other is made.

    Attributes:
        tokens: How many tokens the answer under way has brought so far.
        begun: Set with the moment of the first token of the answer under way.
        body: The answer, when it has a length of its own.
    """

    def __init__(self, sink: StampSink | None = None) -> None:
        self._sink = sink
        self._loop = asyncio.get_running_loop()
        self._tail = b""
        self._end = b""
        self._latest = b""
        self._left: int | None = None
        self._in_head = False
        self._begin()

    def _begin(self) -> None:
        self.tokens = 0
        self.body = b""
        self._in_head = True
        self._tail = b""
        self.begun: asyncio.Future[float] = self._loop.create_future()
        self.ended: asyncio.Future[float] = self._loop.create_future()
        # Whoever does not wait for one of them learns of a failure by the other.
        for future in (self.begun, self.ended):
            future.add_done_callback(_look_at)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not of asyncio's classes.
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(f"The connection ended: {exc or 'by the other side'}.")

    def begin(self, request: bytes) -> None:
        """Send a request; `begun` and `ended` are from now on those of its answer."""
        self._begin()
        self._transport.write(request)

    async def ask(self, request: bytes) -> bytes:
        """Make a request whose answer has a length, and give its body.

        Raises:
            ExchangeError: When the status is none of success.
        """
        self.begin(request)
        async with asyncio.timeout(_LIMIT_S):
            await self.ended
        return self.body

    async def stream(self, request: bytes, tokens: int) -> float:
        """Make a request whose answer is a stream of so many tokens.

        Returns:
            How long the first one took, in seconds.

        Raises:
            ExchangeError: When the stream was not whole.
        """
        asked_s = time.monotonic()
        self.begin(request)
        async with asyncio.timeout(_LIMIT_S):
            await self.ended
        if self.tokens != tokens:
            words = f"A stream had {self.tokens} tokens instead of {tokens}; its last words:"
            raise ExchangeError(f"{words} {self._latest[-300:].decode(errors='replace')}")
        return self.begun.result() - asked_s

    def close(self) -> None:
        """Leave, whatever is under way."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            data = self._take_head(data)
        if self._in_head or not data:
            return
        if self._left is not None:
            self.body += data
            if len(self.body) >= self._left:
                self._settle(self.ended)
            return
        self._take_chunks(data)

    def _take_head(self, data: bytes) -> bytes:
        """Read the head once it is whole; what follows it is given back."""
        self._tail += data
        head, found, rest = self._tail.partition(_HEAD_END)
        if not found:
            return b""
        self._in_head = False
        self._tail = b""
        # A chunk's size may follow at once.
        self._end = b"\r\n"
        fields = dict(line.partition(b": ")[::2] for line in head.lower().split(b"\r\n")[1:])
        self._left = int(fields[b"content-length"]) if b"content-length" in fields else None
        status = head.split(b" ", 2)[1]
        if not status.startswith(b"2"):
            self._fail(f"Answered with {status.decode()}: {rest[:300].decode(errors='replace')}")
        return rest

    def _take_chunks(self, data: bytes) -> None:
        now_s = time.monotonic()
        self._latest = data
        # A mark is one byte; a stamp is read once its line is whole.
        count = data.count(MARK)
        self._end = (self._end + data)[-len(_LAST_CHUNK) :]
        if count:
            self.tokens += count
            if not self.begun.done():
                self.begun.set_result(now_s)
        if self._sink is not None:
            whole, _, self._tail = (self._tail + data).rpartition(b"\n")
            if stamps := STAMP.findall(whole):
                self._sink(stamps)
        if self._end == _LAST_CHUNK:
            self._settle(self.ended)

    def _settle(self, future: "asyncio.Future[float]") -> None:
        if not future.done():
            future.set_result(time.monotonic())

    def _fail(self, words: str) -> None:
        for future in (self.begun, self.ended):
            if not future.done():
                future.set_exception(ExchangeError(words))


@contextlib.asynccontextmanager
async def connected(port: int, sink: StampSink | None = None) -> AsyncIterator[Exchange]:
    """Yield a connection to a port of this machine, closed at the end of the block."""
    exchange = await connect(port, sink)
    try:
        yield exchange
    finally:
        exchange.close()


async def connect(port: int, sink: StampSink | None = None) -> Exchange:
    """Open a connection to a port of this machine; the caller closes it."""
    loop = asyncio.get_running_loop()
    _, exchange = await loop.create_connection(lambda: Exchange(sink), "127.0.0.1", port)
    return exchange


def _look_at(future: "asyncio.Future[float]") -> None:
    if not future.cancelled():
        future.exception()
