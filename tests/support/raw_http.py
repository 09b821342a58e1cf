"""HTTP by hand, for what no client library would send."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.support.own_service import KEY

_TIMEOUT_S = 20
_BUFFER_BYTES = 16 * 1024


@dataclass(frozen=True)
class RawAnswer:
    """An answer as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


class RawConnection:
    """A connection on which a test writes what it likes."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str
    ) -> None:
        self.reader = reader
        self.writer = writer
        self.host = host

    def write(self, data: bytes) -> None:
        """Write, without waiting for anybody to read."""
        self.writer.write(data)

    def head(self, first: str, *headers: str, key: str = KEY) -> bytes:
        """Make a head with the right Host and a key, and these header lines."""
        return _head(self.host, first, *headers, key=key)

    async def answer(self) -> RawAnswer:
        """Read one answer whose length is announced."""
        async with asyncio.timeout(_TIMEOUT_S):
            first, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return RawAnswer(int(first.split()[1]), headers, body)

    async def rest(self) -> bytes:
        """Read until the service closes the connection, one way or the other."""
        read = b""
        async with asyncio.timeout(_TIMEOUT_S):
            with contextlib.suppress(ConnectionError):
                while chunk := await self.reader.read(65536):
                    read += chunk
        return read


@asynccontextmanager
async def raw_connection(base_url: str, *begin: str) -> AsyncIterator[RawConnection]:
    """Connect, until the end of the block. What is not read soon fills the little buffer.

    A head of the lines `begin` is sent before a service in this loop can take the connection: it
    never waits for that, however late either of them comes to its turn.
    """
    host = base_url.removeprefix("http://")
    name, _, port = host.partition(":")
    plain = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER_BYTES)
    plain.connect((name, int(port)))
    plain.sendall(_head(host, *begin) if begin else b"")
    reader, writer = await asyncio.open_connection(sock=plain, limit=_BUFFER_BYTES)
    try:
        yield RawConnection(reader, writer, host)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def _head(host: str, first: str, *headers: str, key: str = KEY) -> bytes:
    lines = (first, f"Host: {host}", f"X-API-Key: {key}", *headers, "", "")
    return "\r\n".join(lines).encode("latin-1")
