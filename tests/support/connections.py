"""A server of streams in a test, none of whose connections outlasts it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

OnConnected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(on_connected: OnConnected) -> AsyncIterator[int]:
    """Serve on a port of the loopback, which it gives, until the end of the block."""
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
        async with asyncio.timeout(5):
            await asyncio.gather(*open_now)
