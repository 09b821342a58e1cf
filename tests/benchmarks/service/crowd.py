"""Many streams that are open at the same time."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

from tests.benchmarks.service.exchange import Exchange, StampSink, connect
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.parties import Party

_OPENING_AT_ONCE = 8
_OPENING_LIMIT_S = 120


@contextlib.asynccontextmanager
async def opened(
    party: Party, order: Order, count: int, sink: StampSink | None = None
) -> AsyncIterator[list[Exchange]]:
    """Streams that have each given a first token; they are left at the end of the block.

    Raises:
        TimeoutError: When two minutes were not enough to open them.
    """
    requests = iter(await party.requests(order, count))
    streams: list[Exchange] = []
    try:
        async with asyncio.timeout(_OPENING_LIMIT_S), asyncio.TaskGroup() as group:
            for _ in range(min(count, _OPENING_AT_ONCE)):
                group.create_task(_open_all(party, requests, streams, sink))
        yield streams
    finally:
        for stream in streams:
            stream.close()


async def _open_all(
    party: Party, requests: Iterator[bytes], streams: list[Exchange], sink: StampSink | None
) -> None:
    for request in requests:
        stream = await connect(party.port, sink)
        streams.append(stream)
        stream.begin(request)
        await stream.begun
