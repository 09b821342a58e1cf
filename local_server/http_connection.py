"""The HTTP of a connection, bounded where the library is not.

By itself uvicorn reads the head of a request however long it is, waits for everything for ever,
takes headers that follow the body for some that came before it, and refuses what it cannot read
in plain text. None of that takes a key.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from local_server.connection_limit import EXTENSION, ConnectionLimiter, Slot
from local_server.errors import InvalidRequestError, error_response
from local_server.settings import Waits

HEAD_LIMIT_BYTES: Final = 16 * 1024
HEADERS_LIMIT: Final = 100
# What a connection may bring beyond twice the bodies in it: heads, the framing of chunks, trailers.
OVERHEAD_LIMIT_BYTES: Final = 2 * HEAD_LIMIT_BYTES
# Requests that may wait behind the one that is being answered.
_PIPELINED_LIMIT: Final = 8
# Each piece of a body costs the same, however small it is.
_PIECES_OF_ANY_SIZE: Final = 1024
_LEAST_PIECE_BYTES: Final = 16
# Slower than this many bytes in the time that is given, nothing is sent or read in earnest.
_LEAST_PROGRESS_BYTES: Final = 16 * 1024


class Connection(HttpToolsProtocol):
    """Closes on what is too long, too slow, or could be read in two ways.

    Made by uvicorn for each connection; ends with it.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        places: ConnectionLimiter,
        waits: Waits,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._places = places
        self._place = Slot(places, self)
        self._head = _Patience(self.loop, waits.head_s, self._on_head_late)
        self._body = _Patience(self.loop, waits.body_s, self._on_body_late)
        self._reader = _Patience(self.loop, waits.reader_s, self._on_reader_late)
        self._is_head_whole = self._is_message_whole = True
        self._came_bytes = 0
        self._body_bytes = 0
        self._body_bytes_before = 0
        self._body_pieces = 0
        self._unread_before = 0

    def connection_made(  # type: ignore[override]  # as the library has it
        self, transport: asyncio.Transport
    ) -> None:
        """Begin, and wait for the first request."""
        super().connection_made(transport)
        self._places.take(self)
        self._head.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        for patience in (self._head, self._body, self._reader):
            patience.end()
        self._places.free(self)
        super().connection_lost(exc)

    def leave(self) -> None:
        """Close at once, to make room."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read, and refuse what cannot be read or is out of proportion to what it carries."""
        self._unset_keepalive_if_required()
        if self._is_message_whole and not self._is_answering():
            self._head.begin()
        self._came_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.cycle.keep_alive = False
        except httptools.HttpParserError as exc:
            cause = exc.__context__
            said = str(cause) if isinstance(cause, _RefusedError) else None
            self.send_400_response(said or "This is not a request in HTTP/1.1.")
            return
        if self._came_bytes - 2 * self._body_bytes > OVERHEAD_LIMIT_BYTES:
            self.send_400_response(
                f"More than {OVERHEAD_LIMIT_BYTES:,} bytes came that are neither a whole head "
                "nor a body."
            )

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        super().on_message_begin()
        self.scope["extensions"] = {EXTENSION: self._place}  # type: ignore[dict-item]  # ours
        self._is_head_whole = self._is_message_whole = False
        self._head.begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take in a header; one that follows the body is dropped."""
        if self._is_head_whole:
            return
        super().on_header(name, value)
        if len(self.headers) > HEADERS_LIMIT:
            raise _RefusedError(f"The request has more than {HEADERS_LIMIT} headers.")

    def on_headers_complete(self) -> None:
        """Let the application take as long as it needs."""
        self._refuse_head()
        self._is_head_whole = True
        self._body_bytes = self._body_bytes_before = self._body_pieces = 0
        self._head.end()
        self._body.begin()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hand on a part of the body."""
        self._body_bytes += len(body)
        self._body_pieces += 1
        is_dust = self._body_bytes < self._body_pieces * _LEAST_PIECE_BYTES
        if self._body_pieces > _PIECES_OF_ANY_SIZE and is_dust:
            raise _RefusedError("The body of the request comes in too small pieces.")
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is whole."""
        self._came_bytes = self._body_bytes = 0
        self._is_message_whole = True
        self._body.end()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Take the rest of a request that was answered early, but not for ever."""
        self._places.rest(self)
        super().on_response_complete()
        self._watch_reader()
        if not self._is_message_whole:
            self._body.end()
            self._head.begin()

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

    def _refuse_head(self) -> None:
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

    def _on_head_late(self) -> None:
        if not self._is_answering():
            self.transport.close()

    def _on_body_late(self) -> None:
        came = self._body_bytes - self._body_bytes_before
        if came < _LEAST_PROGRESS_BYTES and not self.flow.read_paused:
            self.send_400_response("The body of the request came too slowly.")
            return
        self._body_bytes_before = self._body_bytes
        self._body.begin()

    def _watch_reader(self) -> None:
        """Give the client its time, from now on, to read what is written already."""
        self._reader.end()
        self._unread_before = self.transport.get_write_buffer_size()
        if self._unread_before:
            self._reader.begin()

    def _on_reader_late(self) -> None:
        read = self._unread_before - self.transport.get_write_buffer_size()
        is_filling = self._is_answering() and not self.flow.write_paused
        if is_filling or read >= _LEAST_PROGRESS_BYTES:
            self._watch_reader()
        elif self.transport.get_write_buffer_size():
            self.transport.abort()


class _RefusedError(Exception):
    """The request is not taken; the message says why, in words for its sender."""


class _Patience:
    """Calls back when something was waited for too long. Made by a connection, ends with it."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, limit_s: float, on_end: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._limit_s = limit_s
        self._on_end = on_end
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin to wait, unless that is so already."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._limit_s, self._end_in_vain)

    def end(self) -> None:
        """Wait no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_in_vain(self) -> None:
        self._timer = None
        self._on_end()
