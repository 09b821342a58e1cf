"""From the start of the process to the first answer, and the memory that it then has."""

import contextlib

from tests.benchmarks.rows import Goal, figures
from tests.benchmarks.service import parties
from tests.benchmarks.service.bench import Bench, warm_up
from tests.benchmarks.service.parties import Party
from tests.benchmarks.service.rows import Row
from tests.benchmarks.service.usage import memory_mb

_OFFLINE = "offline service"


def measure(bench: Bench) -> list[Row]:
    """Start each party anew, in turn; the service also with the assistant that needs no model."""
    starts: dict[str, list[float]] = {}
    sizes: dict[str, list[float]] = {}
    used: dict[str, list[float]] = {}
    with parties.upstream(bench.cores) as bare:
        for _ in range(bench.size(5, 1)):
            ours = bench.service(bare.port)
            todo: list[tuple[str | None, contextlib.AbstractContextManager[Party]]] = [(None, ours)]
            todo.append((_OFFLINE, bench.service(None)))
            if bench.peer_program is not None:
                folder = bench.new_folder()
                peer = parties.peer(
                    bench.cores, folder, bench.peer_program, parties.peer_models(bare)
                )
                todo.append((None, peer))
            for name, party in todo:
                with party as started:
                    key = name or started.name
                    starts.setdefault(key, []).append(started.start_s)
                    sizes.setdefault(key, []).append(memory_mb(started.process))
                    if name is None:
                        bench.run(warm_up(started))
                        used.setdefault(key, []).append(memory_mb(started.process))
    return [
        Row("start to first 200", "s", figures(starts), Goal(0.2)),
        Row("memory at start", "MB", figures(sizes), Goal(0.35), digits=0),
        Row("memory after the first replies", "MB", figures(used), digits=0),
    ]
