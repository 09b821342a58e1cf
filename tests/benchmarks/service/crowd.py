"""Many streams that are open at the same time."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

from tests.benchmarks.service.exchange import Exchange, StampSink, connect
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.parties import Party

_OPENING_AT_ONCE = 8
_OPENING_LIMIT_S = 30
_OPENING_EACH_S = 0.1


@contextlib.asynccontextmanager
async def opened(
    party: Party, order: Order, count: int, sink: StampSink | None = None
) -> AsyncIterator[list[Exchange]]:
    """Streams that have each given a first token; they are left at the end of the block.

    Raises:
        TimeoutError: When they could not be opened within half a minute and a tenth of a second
            for each.
    """
    requests = iter(await party.requests(order, count))
    streams: list[Exchange] = []
    try:
        limit_s = _OPENING_LIMIT_S + _OPENING_EACH_S * count
        async with asyncio.timeout(limit_s), asyncio.TaskGroup() as group:
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
