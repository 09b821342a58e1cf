"""A balancer in miniature: one address for several servers, of which some may be gone."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Final
from urllib.parse import urlsplit

_CHUNK_BYTES: Final = 65536


@asynccontextmanager
async def balanced(addresses: Sequence[str]) -> AsyncIterator[str]:
    """Pass connections on to these servers by turns, skipping those that accept none."""
    turns = count()
    open_pipes: set[asyncio.Task[None]] = set()

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        turn = next(turns)
        places = [urlsplit(addresses[(turn + n) % len(addresses)]) for n in range(len(addresses))]
        for place in places:
            with contextlib.suppress(ConnectionError):
                there = await asyncio.open_connection(place.hostname, place.port)
                await asyncio.gather(_pipe(reader, there[1]), _pipe(there[0], writer))
                return
        writer.close()

    def on_connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(pass_on(reader, writer))
        open_pipes.add(task)
        task.add_done_callback(open_pipes.discard)

    server = await asyncio.start_server(on_connected, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tuple(open_pipes):
            task.cancel()
        await asyncio.gather(*open_pipes, return_exceptions=True)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
    finally:
        writer.close()
