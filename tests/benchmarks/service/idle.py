"""What streams cost that are open and silent, as while a model thinks."""

import contextlib

from tests.benchmarks.rows import Goal, figures
from tests.benchmarks.service import parties
from tests.benchmarks.service.bench import Bench, warm_up
from tests.benchmarks.service.crowd import opened
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.parties import PEER, SERVICE, Party
from tests.benchmarks.service.rows import Row
from tests.benchmarks.service.usage import memory_mb, wait_until_quiet

_SILENT = Order("idle", 1)
_PER = 1000
# LiteLLM's proxy does not open a thousand within two minutes.
_OF_PEER = 100


def measure(bench: Bench) -> list[Row]:
    """Open many streams in a new process each time; memory that was used before is no measure."""
    count = bench.size(1000, 50)
    found: dict[str, list[float]] = {}
    with parties.upstream(bench.cores) as bare:
        for _ in range(bench.size(3, 1)):
            with bench.service(bare.port) as service:
                found.setdefault(SERVICE, []).append(bench.run(_growth_mb(service, count)))
        with contextlib.ExitStack() as running:
            if bench.peer_program is not None:
                folder = bench.new_folder()
                peer = parties.peer(
                    bench.cores, folder, bench.peer_program, parties.peer_models(bare)
                )
                started = running.enter_context(peer)
                growth_mb = bench.run(_growth_mb(started, min(count, _OF_PEER)))
                found[PEER] = [growth_mb]
    goal = Goal(0.6)
    return [Row("memory per 1,000 idle streams", "MB", figures(found), goal, digits=1)]


async def _growth_mb(party: Party, count: int) -> float:
    await warm_up(party, 20)
    await wait_until_quiet(party.process)
    before_mb = memory_mb(party.process)
    async with opened(party, _SILENT, count):
        await wait_until_quiet(party.process)
        return (memory_mb(party.process) - before_mb) / count * _PER
