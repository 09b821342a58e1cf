"""HTTP/1.1 without TLS, for streams of events that come in many small pieces.

The general transport opens a scope for a time-out at each read and parses in Python; here one
timer looks after a connection, and httptools parses. That is a third of what a piece costs.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final, cast

import httptools
import httpx2

_BUFFERED_BYTES: Final = 256 * 1024
# What may come in a row that is no body: a head and what is told before it, the framing of
# chunks, headers after the body.
_BARE_BYTES: Final = 64 * 1024
_IDLE_CONNECTIONS: Final = 100
# Answers to others have bodies, or none, by rules of their own.
_METHODS: Final = frozenset({"GET", "POST"})
_LINE_ENDS: Final = re.compile(rb"[\r\n\0]")

_Origin = tuple[str, int]


class PlainTransport(httpx2.AsyncBaseTransport):
    """Sends requests to `http://` addresses, several on one connection after each other.

    Made with a client, which closes it.
    """

    def __init__(self, connect_s: float, silence_s: float) -> None:
        """Make one; connecting, and then each silence, may take so many seconds."""
        self._connect_s = connect_s
        self._silence_s = silence_s
        self._idle: dict[_Origin, list[_Connection]] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a GET or POST, and wait for the head of its answer.

        Raises:
            httpx2.TransportError: When that is not possible, or takes too long.
        """
        origin = (request.url.host, request.url.port or 80)
        head, body = _head(request), await request.aread()
        connection = self._idle_connection(origin) or await self._connect(origin)
        try:
            connection.send(head + body)
            await connection.head_is_read()
        except BaseException:
            connection.abort()
            raise
        return httpx2.Response(
            connection.incoming.status,
            headers=connection.incoming.headers,
            stream=_Body(self, origin, connection),
        )

    async def aclose(self) -> None:
        """Close the connections that wait for a further request."""
        for waiting in self._idle.values():
            for connection in waiting:
                connection.abort()
        self._idle.clear()

    def give_back(self, origin: _Origin, connection: "_Connection") -> None:
        """Keep a connection whose answer was read to its end, and close any other."""
        waiting = self._idle.setdefault(origin, [])
        if connection.can_serve_again and len(waiting) < _IDLE_CONNECTIONS:
            waiting.append(connection)
        else:
            connection.abort()

    def _idle_connection(self, origin: _Origin) -> "_Connection | None":
        waiting = self._idle.get(origin, [])
        while waiting:
            connection = waiting.pop()
            if connection.can_serve_again:
                return connection
        return None

    async def _connect(self, origin: _Origin) -> "_Connection":
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._connect_s):
                _, connection = await loop.create_connection(
                    lambda: _Connection(self._silence_s), *origin
                )
        except TimeoutError as exc:
            raise httpx2.ConnectTimeout("connecting took too long") from exc
        except OSError as exc:
            raise httpx2.ConnectError("nobody answers there") from exc
        return connection


class _Body(httpx2.AsyncByteStream):
    """The body of one answer."""

    def __init__(
        self, transport: PlainTransport, origin: _Origin, connection: "_Connection"
    ) -> None:
        self._transport = transport
        self._origin = origin
        self._connection: _Connection | None = connection

    async def __aiter__(self) -> AsyncIterator[bytes]:
        connection = self._connection
        while connection is not None and (chunk := await connection.read()):
            yield chunk

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._transport.give_back(self._origin, connection)


class _Connection(asyncio.Protocol):
    """One connection, and the answer that it is at. Made by the transport."""

    def __init__(self, silence_s: float) -> None:
        self._silence_s = silence_s
        self._loop = asyncio.get_running_loop()
        self._wire: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._waits_since = 0.0
        self._failure: httpx2.TransportError | None = None
        self._is_paused = False
        self.incoming = _Incoming()

    @property
    def can_serve_again(self) -> bool:
        """Whether the answer was read whole, and the server goes on listening."""
        is_open = self._wire is not None and not self._wire.is_closing()
        return is_open and self._failure is None and self.incoming.is_used_up

    def send(self, data: bytes) -> None:
        """Begin a request."""
        self.incoming = _Incoming()
        if self._wire is not None:
            self._wire.write(data)

    async def head_is_read(self) -> None:
        """Wait for the head of the answer.

        Raises:
            httpx2.TransportError: When it does not come.
        """
        self._waits_since = self._loop.time()
        while not self.incoming.has_head:
            await self._more()

    async def read(self) -> bytes:
        """Read on: all that has come since; nothing at the end.

        Raises:
            httpx2.TransportError: When the body breaks off.
        """
        self._waits_since = self._loop.time()
        while not self.incoming.chunks and not self.incoming.is_whole:
            await self._more()
        chunk = self.incoming.take()
        if self._is_paused and self._wire is not None:
            self._is_paused = False
            self._wire.resume_reading()
        return chunk

    def abort(self) -> None:
        """Close the connection at once."""
        if self._wire is not None:
            self._wire.abort()
            self._wire = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        # uvloop's transports are of no common class, but do the same.
        self._wire = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Parse what came, and hold the server back while nobody reads it."""
        try:
            self.incoming.feed(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._fail(httpx2.RemoteProtocolError("that is not HTTP"))
        if self.incoming.held_bytes > _BUFFERED_BYTES and self._wire and not self._is_paused:
            self._is_paused = True
            self._wire.pause_reading()
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take the end of the connection for the end of the body, where that is how it ends."""
        self._wire = None
        if exc is None:
            self.incoming.end_with_connection()
        self._fail(httpx2.ReadError("the connection ended"))
        if self._timer is not None:
            self._timer.cancel()

    async def _more(self) -> None:
        """Wait until something comes.

        How long a silence may last is counted from where the caller began to wait: what comes
        without being a head or a body is silence too.
        """
        if self._failure is not None:
            raise self._failure
        self._waiter = self._loop.create_future()
        if self._timer is None:
            self._timer = self._loop.call_later(self._silence_s, self._look_at_silence)
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _look_at_silence(self) -> None:
        self._timer = None
        if self._waiter is None:
            return
        left = self._waits_since + self._silence_s - self._loop.time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._look_at_silence)
        else:
            self._fail(httpx2.ReadTimeout("nothing came for too long"))

    def _fail(self, failure: httpx2.TransportError) -> None:
        self._failure = self._failure or failure
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class _Incoming:
    """One answer as it comes. The parser calls it."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._bare_bytes = 0
        self._keeps_alive = False
        self.headers: list[tuple[bytes, bytes]] = []
        self.chunks: list[bytes] = []
        self.held_bytes = 0
        self.status = 0
        self.has_head = False
        self.is_whole = False

    @property
    def is_used_up(self) -> bool:
        """Whether all of it was read and another may follow on the connection."""
        return self.is_whole and self._keeps_alive and not self.chunks

    def feed(self, data: bytes) -> None:
        """Parse on; after the end, nothing is expected, and the connection not to be trusted.

        Raises:
            httptools.HttpParserError: When it is not HTTP, or too much of it is no body.
            httptools.HttpParserUpgrade: When the server would speak something else.
        """
        if self.is_whole:
            self._keeps_alive = False
            return
        self._bare_bytes += len(data)
        self._parser.feed_data(data)
        # A read that ends a body or a head may hold more than that; the next one is counted anew.
        if self._bare_bytes > _BARE_BYTES and not self.is_whole:
            raise httptools.HttpParserError("too much came that is no body")

    def take(self) -> bytes:
        """Hand out what has come of the body."""
        taken = self.chunks[0] if len(self.chunks) == 1 else b"".join(self.chunks)
        self.chunks.clear()
        self.held_bytes = 0
        return taken

    def end_with_connection(self) -> None:
        """Count as whole when neither a length nor chunks say where the body ends."""
        names = {name.lower() for name, _ in self.headers}
        if self.has_head and not names & {b"content-length", b"transfer-encoding"}:
            self.is_whole = True

    def on_message_begin(self) -> None:
        """Begin; an answer that nobody asked for makes the connection one not to be trusted."""
        if self.is_whole:
            self._keeps_alive = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of the head; what follows the body is dropped."""
        if not self.has_head:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Take the end of the head."""
        if self.is_whole:
            return
        self.status = self._parser.get_status_code()
        # What is told in between, such as 100 Continue, is not the answer itself.
        self.has_head = self.status >= httpx2.codes.OK
        if not self.has_head:
            self.headers.clear()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        if not self.is_whole:
            self._bare_bytes = 0
            self.chunks.append(body)
            self.held_bytes += len(body)

    def on_message_complete(self) -> None:
        """Take the end of the body."""
        if self.has_head and not self.is_whole:
            self.is_whole = True
            self._keeps_alive = self._parser.should_keep_alive()


def _head(request: httpx2.Request) -> bytes:
    """Write the head of a request.

    Raises:
        httpx2.LocalProtocolError: When it would not be read as it is meant.
    """
    if request.method not in _METHODS or "transfer-encoding" in request.headers:
        raise httpx2.LocalProtocolError("only GET and POST are sent, and whole bodies")
    lines = [b"%s %s HTTP/1.1" % (request.method.encode(), request.url.raw_path)]
    lines += [b"%s: %s" % (name, value) for name, value in request.headers.raw]
    if any(_LINE_ENDS.search(line) for line in lines):
        raise httpx2.LocalProtocolError("a header holds the end of a line")
    return b"\r\n".join(lines) + b"\r\n\r\n"
