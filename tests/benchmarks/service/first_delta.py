"""How much later the first words come than from the bare upstream."""

import statistics

from tests.benchmarks.rows import Goal, figures
from tests.benchmarks.service.bench import Bench
from tests.benchmarks.service.exchange import connected
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.parties import UPSTREAM, Party
from tests.benchmarks.service.rows import Row
from tests.benchmarks.service.usage import cpu_s

_ONE_TOKEN = Order("fast", 1)


def measure(bench: Bench) -> list[Row]:
    """Ask for short replies, one after the other over one connection."""
    added: dict[str, list[float]] = {}
    cost: dict[str, list[float]] = {}
    with bench.all_parties() as parties:
        for _ in range(bench.size(7, 2)):
            times = {}
            for party in parties:
                times[party.name], cpu_ms = bench.run(_round(party, bench.size(100, 5)))
                cost.setdefault(party.name, []).append(cpu_ms)
            for name, time_ms in times.items():
                base_ms = 0 if name == UPSTREAM else times[UPSTREAM]
                added.setdefault(name, []).append(time_ms - base_ms)
    return [
        Row("added time to first delta", "ms", figures(added), Goal(0.25)),
        Row("CPU per reply of one delta", "ms", figures(cost)),
    ]


async def _round(party: Party, count: int) -> tuple[float, float]:
    """Return the median time to the first delta, and the processor time of a reply; both in ms."""
    requests = await party.requests(_ONE_TOKEN, count)
    async with connected(party.port) as exchange:
        await exchange.stream((await party.requests(_ONE_TOKEN, 1))[0], 1)
        used_s = cpu_s(party.process)
        times = [await exchange.stream(request, 1) for request in requests]
        used_s = cpu_s(party.process) - used_s
    return statistics.median(times) * 1e3, used_s / count * 1e3
