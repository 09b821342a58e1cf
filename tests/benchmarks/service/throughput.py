"""How many deltas a second go through, and what one costs."""

import asyncio
import time
from collections.abc import Iterator

from tests.benchmarks.rows import Goal, figures
from tests.benchmarks.service.bench import Bench
from tests.benchmarks.service.exchange import connected
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.parties import Party
from tests.benchmarks.service.rows import Row
from tests.benchmarks.service.usage import cpu_s, wait_until_quiet

_AT_ONCE = 8
_ROUND_S = 2


def measure(bench: Bench) -> list[Row]:
    """Have long replies streamed, eight at a time; the cost of opening them is part of it."""
    order = Order("fast", bench.size(2000, 200))
    rates: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}
    with bench.all_parties() as parties:
        counts = {party.name: _AT_ONCE for party in parties}
        for number in range(bench.size(6, 2)):
            for party in parties:
                count = counts[party.name]
                seconds, used_s = bench.run(_round(party, order, count))
                if number == 0 and not bench.is_quick:
                    # The first round only tells how many replies fill the time of one.
                    counts[party.name] = max(_AT_ONCE, round(count * _ROUND_S / seconds))
                    continue
                rates.setdefault(party.name, []).append(count * order.tokens / seconds)
                costs.setdefault(party.name, []).append(used_s / count / order.tokens * 1e6)
    return [
        Row("deltas a second", "1/s", figures(rates), digits=0),
        Row("CPU per delta", "µs", figures(costs), Goal(0.05)),
    ]


async def _round(party: Party, order: Order, count: int) -> tuple[float, float]:
    """How long so many replies took, and the processor time of all; both in seconds."""
    requests = iter(await party.requests(order, count))
    await wait_until_quiet(party.process)
    used_s, begun_s = cpu_s(party.process), time.monotonic()
    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(_ask_for_all(party, order, requests))
    seconds = time.monotonic() - begun_s
    await wait_until_quiet(party.process)
    return seconds, cpu_s(party.process) - used_s


async def _ask_for_all(party: Party, order: Order, requests: Iterator[bytes]) -> None:
    async with connected(party.port) as exchange:
        for request in requests:
            await exchange.stream(request, order.tokens)
