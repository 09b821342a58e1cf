"""The HTTP of a connection, bounded where the library is not.

By itself uvicorn reads the head of a request however long it is, waits for it for ever, and
refuses what it cannot read in plain text. None of that takes a key.
"""

import asyncio
from typing import ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from local_server.errors import InvalidRequestError, error_response

HEAD_LIMIT_BYTES: Final = 64 * 1024


class Connection(HttpToolsProtocol):
    """Closes on heads that are too long or too slow, and on what nobody waits for any more.

    Made by uvicorn for each connection; ends with it.

    Attributes:
        head_s: How long the head of a request may take, and how long the rest of one that was
            answered early is still taken.
    """

    head_s: ClassVar[float] = 10.0

    def connection_made(  # type: ignore[override]  # as the library has it
        self, transport: asyncio.Transport
    ) -> None:
        """Begin, and wait for the first request."""
        super().connection_made(transport)
        self._is_message_whole = True
        self._unused_bytes = 0
        self._patience: asyncio.TimerHandle | None = None
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read, and refuse once too much came that is neither a whole head nor a body."""
        self._unused_bytes += len(data)
        super().data_received(data)
        if self._unused_bytes > HEAD_LIMIT_BYTES and not self.transport.is_closing():
            self.send_400_response(
                f"The head of the request is larger than {HEAD_LIMIT_BYTES:,} bytes."
            )

    def on_message_begin(self) -> None:
        """Wait for the rest of the head."""
        super().on_message_begin()
        self._is_message_whole = False
        self._wait()

    def on_headers_complete(self) -> None:
        """Let the application take as long as it needs."""
        self._unused_bytes = 0
        self._wait_no_more()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hand on a part of the body."""
        self._unused_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is whole."""
        self._unused_bytes = 0
        self._is_message_whole = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Take the rest of a request that was answered early, but not for ever."""
        super().on_response_complete()
        if not self._is_message_whole:
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Refuse in the shape of every other error, unless an answer is under way."""
        if not (self._is_answering() and self.cycle.response_started):
            answer = error_response(InvalidRequestError(msg))
            lines = [b"HTTP/1.1 400 Bad Request", b"connection: close"]
            lines += [b"%s: %s" % header for header in answer.raw_headers]
            self.transport.write(b"\r\n".join([*lines, b"", answer.body]))
        self.transport.close()

    def _is_answering(self) -> bool:
        # uvicorn begins with None, which its types do not say.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._wait_no_more()
        self._patience = self.loop.call_later(self.head_s, self._on_patience_ended)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _on_patience_ended(self) -> None:
        if not self._is_answering():
            self.transport.close()
