"""A server that notes every byte on the wire, and every byte behind the handshake of TLS."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.support.connections import serving

_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"


class TlsServer:
    """What came in: `raw` per connection as on the wire, and `requests` as decrypted.

    Without a context it speaks plain HTTP. To a request it gives `answer`: an empty list, unless
    told otherwise.
    """

    def __init__(self, context: ssl.SSLContext | None) -> None:
        self._context = context
        self.answer = _ANSWER
        self.raw: list[bytes] = []
        self.requests = b""
        self.port = 0
        self._news = asyncio.Event()

    @property
    def address(self) -> str:
        """Where it is, for a client that wants TLS."""
        return f"https://127.0.0.1:{self.port}"

    async def was_asked(self, *lines: bytes) -> None:
        """Wait until all of these have come in."""
        async with asyncio.timeout(20):
            while not all(line in self.requests for line in lines):
                self._news.clear()
                await self._news.wait()

    async def on_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one connection."""
        self.raw.append(b"")
        with suppress(ssl.SSLError, ConnectionError):
            await (self._speak_tls if self._context else self._plain)(reader, writer)

    async def _plain(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._read(reader)
        writer.write(self.answer)

    async def _speak_tls(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert self._context
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self._context.wrap_bio(incoming, outgoing, server_side=True)
        is_open = False
        while data := await self._read(reader):
            incoming.write(data)
            try:
                if not is_open:
                    tls.do_handshake()
                    is_open = True
                while part := tls.read():
                    self.requests += part
                    self._news.set()
                    if self.requests.endswith(b"\r\n\r\n"):
                        tls.write(self.answer)
            except ssl.SSLWantReadError:
                pass
            finally:
                writer.write(outgoing.read())

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        data = await reader.read(65536)
        self.raw[-1] += data
        return data


@asynccontextmanager
async def tls_server(context: ssl.SSLContext | None) -> AsyncIterator[TlsServer]:
    """Serve until the end of the block."""
    served = TlsServer(context)
    async with serving(served.on_connected) as served.port:
        yield served
