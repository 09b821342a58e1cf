"""Limits on HTTP connections where uvicorn has none: size, time, and number.

By itself uvicorn reads a request head of any length, waits without a timeout, merges trailers into
the headers, and answers what it cannot parse in plain text; none of that needs a key. `Connection`
sets the limits.

Anybody can open a connection, so `ConnectionLimiter` always admits a new one and closes the oldest
that has shown no valid key: a crowd without keys keeps nobody out. The application finds the `Slot`
of a request's connection by `slot_of`.
"""

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import Any, Final, Protocol

import httptools
from starlette.types import Scope
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from local_server.errors import InvalidRequestError, error_response
from local_server.settings import ConnectionTimeouts

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

HEAD_LIMIT_BYTES: Final = 16 * 1024
HEADERS_LIMIT: Final = 100
# What a connection may send beyond twice the bodies in it: heads, the framing of chunks, trailers.
OVERHEAD_LIMIT_BYTES: Final = 2 * HEAD_LIMIT_BYTES
# Requests that may wait behind the one that is being answered.
_PIPELINED_LIMIT: Final = 8
# Each part of a body costs the same, however small. Beyond this many parts, they must have
# `_LEAST_PIECE_BYTES` on average.
_PIECES_OF_ANY_SIZE: Final = 1024
_LEAST_PIECE_BYTES: Final = 16
# A client that sends or reads fewer bytes than this within its timeout counts as stalled.
_LEAST_PROGRESS_BYTES: Final = 16 * 1024
# Files that are open besides connections: the database, its log, connections to models.
_OTHER_FILES: Final = 256
# Connections that are never all active, so that there is room to read a new one.
_FREE_FOR_NEW: Final = 16
# Where a request's slot is, among the extensions of its ASGI scope.
_EXTENSION: Final = "parley.slot"


def raise_file_limit(connections: int) -> int:
    """Ask the system for so many connections; return how many of them there may be."""
    if sys.platform == "win32":
        return connections
    wanted = connections + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return connections
    if hard != resource.RLIM_INFINITY and hard < wanted:
        log.warning(
            "this system allows %d open files, so there is room for %d connections, not %d",
            *(hard, max(hard - _OTHER_FILES, 1), connections),
        )
        wanted = hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(min(connections, wanted - _OTHER_FILES), 1)


class Client(Protocol):
    """A connection that can be closed."""

    def abort(self) -> None:
        """Close at once, whatever is still to be written."""


class ConnectionLimiter:
    """Limits the connections that one server process has at the same time.

    A connection is unauthenticated until a request on it has shown a valid key, active while such a
    request is answered, and idle afterwards. One for the life of a server.
    """

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._most_active = at_most - min(_FREE_FOR_NEW, (at_most + 3) // 4)
        # Oldest first, by the time of connecting or becoming idle, so that the oldest is closed
        # first.
        self._unauthenticated: dict[Client, None] = {}
        self._idle: dict[Client, None] = {}
        self._active: set[Client] = set()

    def add(self, client: Client) -> None:
        """Admit a new connection; to make room, close the oldest unauthenticated or idle one."""
        while len(self._unauthenticated) + len(self._idle) + len(self._active) >= self._at_most:
            oldest = next(iter(self._unauthenticated or self._idle))
            self.remove(oldest)
            oldest.abort()
        self._unauthenticated[client] = None

    def activate(self, client: Client) -> bool:
        """Note that a connection has shown a valid key; False when too many are being answered.

        One that was closed while the key was looked up gets no slot, and needs none.
        """
        if client not in self._unauthenticated and client not in self._idle:
            return True
        if len(self._active) >= self._most_active:
            return False
        self.remove(client)
        self._active.add(client)
        return True

    def deactivate(self, client: Client) -> None:
        """Note that a connection was answered."""
        if client in self._active:
            self.remove(client)
            self._idle[client] = None

    def remove(self, client: Client) -> None:
        """Forget a connection that is closed."""
        self._unauthenticated.pop(client, None)
        self._idle.pop(client, None)
        self._active.discard(client)


class Slot:
    """The slot of a request's connection, as the application finds it in the scope."""

    def __init__(self, limiter: ConnectionLimiter, client: Client) -> None:
        self._limiter = limiter
        self._client = client

    def reserve(self) -> bool:
        """Keep the slot until the request is answered; False when there is no room for that."""
        return self._limiter.activate(self._client)


def slot_of(scope: Scope) -> Slot | None:
    """Find the slot of a request; None under a server that counts none."""
    slot: Slot | None = scope.get("extensions", {}).get(_EXTENSION)
    return slot


class Connection(HttpToolsProtocol):
    """Rejects requests that are too long, too slow, or ambiguous.

    Made by uvicorn for each connection; ends with it.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limiter: ConnectionLimiter,
        timeouts: ConnectionTimeouts,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limiter = limiter
        self._slot = Slot(limiter, self)
        self._head_timer = _Timer(self.loop, timeouts.head_s, self._on_head_timeout)
        self._body_timer = _Timer(self.loop, timeouts.body_s, self._on_body_timeout)
        self._reader_timer = _Timer(self.loop, timeouts.reader_s, self._on_reader_timeout)
        self._is_head_whole = self._is_message_whole = True
        self._received_bytes = 0
        self._body_bytes = 0
        self._body_bytes_before = 0
        self._body_pieces = 0
        self._unread_before = 0

    def connection_made(  # type: ignore[override]  # as the library has it
        self, transport: asyncio.Transport
    ) -> None:
        """Start waiting for the first request."""
        super().connection_made(transport)
        self._limiter.add(self)
        self._head_timer.start()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers, and give the connection's place to others."""
        for timer in (self._head_timer, self._body_timer, self._reader_timer):
            timer.stop()
        self._limiter.remove(self)
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close at once, to make room."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read, and refuse what cannot be read or is out of proportion to what it carries."""
        self._unset_keepalive_if_required()
        if self._is_message_whole and not self._is_answering():
            self._head_timer.start()
        self._received_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.cycle.keep_alive = False
        except httptools.HttpParserError as exc:
            cause = exc.__context__
            reason = str(cause) if isinstance(cause, _RefusedError) else None
            self.send_400_response(reason or "This is not a request in HTTP/1.1.")
            return
        if self._received_bytes - 2 * self._body_bytes > OVERHEAD_LIMIT_BYTES:
            self.send_400_response(
                f"More than {OVERHEAD_LIMIT_BYTES:,} bytes came that are neither a whole head "
                "nor a body."
            )

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        super().on_message_begin()
        self.scope["extensions"] = {_EXTENSION: self._slot}  # type: ignore[dict-item]  # ours
        self._is_head_whole = self._is_message_whole = False
        self._head_timer.start()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header; one that follows the body is dropped."""
        if self._is_head_whole:
            return
        super().on_header(name, value)
        if len(self.headers) > HEADERS_LIMIT:
            raise _RefusedError(f"The request has more than {HEADERS_LIMIT} headers.")

    def on_headers_complete(self) -> None:
        """Check the head; the application may then take as long as it needs."""
        self._check_head()
        self._is_head_whole = True
        self._body_bytes = self._body_bytes_before = self._body_pieces = 0
        self._head_timer.stop()
        self._body_timer.start()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass on a part of the body."""
        self._body_bytes += len(body)
        self._body_pieces += 1
        is_fragmented = self._body_bytes < self._body_pieces * _LEAST_PIECE_BYTES
        if self._body_pieces > _PIECES_OF_ANY_SIZE and is_fragmented:
            raise _RefusedError("The body of the request comes in too small pieces.")
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is whole."""
        self._received_bytes = self._body_bytes = 0
        self._is_message_whole = True
        self._body_timer.stop()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Read the rest of a request that was answered early, but not forever."""
        self._limiter.deactivate(self)
        super().on_response_complete()
        self._watch_reader()
        if not self._is_message_whole:
            self._body_timer.stop()
            self._head_timer.start()

    def pause_writing(self) -> None:
        """Wait for the client to read on."""
        super().pause_writing()
        self._watch_reader()

    def send_400_response(self, msg: str) -> None:
        """Refuse in the shape of every other error, unless an answer is under way."""
        if self.transport.is_closing():
            return
        if not (self._is_answering() and self.cycle.response_started):
            answer = error_response(InvalidRequestError(msg))
            lines = [b"HTTP/1.1 400 Bad Request", b"connection: close"]
            lines += [b"%s: %s" % header for header in answer.raw_headers]
            self.transport.write(b"\r\n".join([*lines, b"", answer.body]))
        self.transport.close()
        self._watch_reader()

    def _check_head(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > HEAD_LIMIT_BYTES:
            raise _RefusedError(
                f"The head of the request has more than {HEAD_LIMIT_BYTES:,} bytes."
            )
        # Any other form names a host of its own, past the Host header that is looked at.
        if not self.url.startswith(b"/"):
            raise _RefusedError("The target of the request is not a path.")
        # The parser drops the body of such a request.
        if self.parser.should_upgrade() and self.parser.get_method() != b"GET":
            raise _RefusedError("Send the request as plain HTTP/1.1, without an upgrade.")
        if len(self.pipeline) >= _PIPELINED_LIMIT:
            raise _RefusedError("Too many requests were sent before the first was answered.")

    def _is_answering(self) -> bool:
        # uvicorn begins with None, which its types do not say.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _on_head_timeout(self) -> None:
        if not self._is_answering():
            self.transport.close()

    def _on_body_timeout(self) -> None:
        received = self._body_bytes - self._body_bytes_before
        if received < _LEAST_PROGRESS_BYTES and not self.flow.read_paused:
            self.send_400_response("The body of the request came too slowly.")
            return
        self._body_bytes_before = self._body_bytes
        self._body_timer.start()

    def _watch_reader(self) -> None:
        """Restart the time that the client has to read what is written already."""
        self._reader_timer.stop()
        self._unread_before = self.transport.get_write_buffer_size()
        if self._unread_before:
            self._reader_timer.start()

    def _on_reader_timeout(self) -> None:
        read = self._unread_before - self.transport.get_write_buffer_size()
        is_filling = self._is_answering() and not self.flow.write_paused
        if is_filling or read >= _LEAST_PROGRESS_BYTES:
            self._watch_reader()
        elif self.transport.get_write_buffer_size():
            self.transport.abort()


class _RefusedError(Exception):
    """The request is refused; the message says why, in words for its sender."""


class _Timer:
    """Calls back when it was not stopped in time. Made by a connection, ends with it."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, limit_s: float, callback: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._limit_s = limit_s
        self._callback = callback
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start, unless it runs already."""
        if self._handle is None:
            self._handle = self._loop.call_later(self._limit_s, self._on_elapsed)

    def stop(self) -> None:
        """Stop without calling back."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _on_elapsed(self) -> None:
        self._handle = None
        self._callback()
