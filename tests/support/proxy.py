"""An HTTP proxy that tunnels to a server of the test, asks for a password, or hangs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

from tests.support.connections import serving

Manner = Literal["leads", "asks", "hangs"]
_ANSWERS = {
    "leads": b"HTTP/1.1 200 Connection established\r\n\r\n",
    "asks": b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
}


class Proxy:
    """Tunnels to one loopback port, whatever host a client asks for."""

    def __init__(self, manner: Manner, port: int) -> None:
        self._manner = manner
        self._target = port
        self.heads: list[bytes] = []
        self.address = ""

    async def on_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            self.heads.append(await reader.readuntil(b"\r\n\r\n"))
            if self._manner == "hangs":
                await reader.read()
                return
            writer.write(_ANSWERS[self._manner])
            if self._manner == "leads":
                await self._lead(reader, writer)

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        returning = asyncio.create_task(_pass_on(there, writer))
        try:
            await _pass_on(reader, back)
        finally:
            back.close()
            await returning


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
    writer.close()


@asynccontextmanager
async def proxy_to(port: int, manner: Manner = "leads") -> AsyncIterator[Proxy]:
    """Run a proxy until the end of the block."""
    proxy = Proxy(manner, port)
    async with serving(proxy.on_connected) as own_port:
        proxy.address = f"http://127.0.0.1:{own_port}"
        yield proxy
