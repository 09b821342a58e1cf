"""Ports of the loopback in a test: one that nobody listens at, and a server of streams."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

OnConnected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextmanager
def refused_port() -> Iterator[int]:
    """Yield a port of loopback at which nobody listens, and which nobody else gets meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        yield port


@asynccontextmanager
async def serving(on_connected: OnConnected) -> AsyncIterator[int]:
    """Serve on a free port, and yield it; close all connections at the end of the block."""
    open_now: dict[asyncio.Future[None], asyncio.StreamWriter] = {}

    async def follow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        open_now[done] = writer
        try:
            await on_connected(reader, writer)
        finally:
            writer.close()
            del open_now[done]
            done.set_result(None)

    server = await asyncio.start_server(follow, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
        server.close()
        for writer in open_now.values():
            writer.close()
        async with asyncio.timeout(20):
            await asyncio.gather(*open_now)
