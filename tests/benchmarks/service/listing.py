"""How long a page of the list takes, with few conversations and with many."""

import contextlib
import json
import shutil
import time
from pathlib import Path

from tests.benchmarks.rows import Figure, Goal
from tests.benchmarks.service import parties
from tests.benchmarks.service.bench import Bench
from tests.benchmarks.service.exchange import connected
from tests.benchmarks.service.filling import fill
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.parties import Party
from tests.benchmarks.service.rows import Row

_FEW = 100
_PAGE = 20
_PAGES = ("first", "middle")


def measure(bench: Bench) -> list[Row]:
    """Read the first page, and the one with the most before and after it, of both in turn."""
    many = bench.size(100_000, 2_000)
    rounds: dict[tuple[str, int], list[float]] = {}
    held, key = _hold_conversation(bench)
    with contextlib.ExitStack() as running:
        services = {}
        for count in (_FEW, many):
            data = bench.new_folder()
            shutil.copytree(held, data, dirs_exist_ok=True)
            fill(data, count)
            filled = parties.service(bench.cores, data, key, None)
            services[count] = running.enter_context(filled)
        for _ in range(bench.size(7, 1)):
            for page in _PAGES:
                for count, party in services.items():
                    offset = 0 if page == "first" else count // 2
                    asked = bench.size(1000, 20)
                    p99_ms = bench.run(_p99_ms(party, offset, count, asked))
                    rounds.setdefault((page, count), []).append(p99_ms)
    return [
        Row(
            f"list p99, {page} page",
            "ms",
            {_name(count): Figure.of(rounds[page, count]) for count in (_FEW, many)},
            Goal(2),
            subject=_name(many),
            base=_name(_FEW),
        )
        for page in _PAGES
    ]


def _name(count: int) -> str:
    return f"{count:,} conversations"


def _hold_conversation(bench: Bench) -> tuple[Path, str]:
    """Have one conversation for real, which all others are like: its data, and the key to it."""
    data = bench.new_folder()
    key = parties.make_key(data)
    with parties.service(bench.cores, data, key, None) as party:
        bench.run(_converse(party))
    return data, key


async def _converse(party: Party) -> None:
    (request,) = await party.requests(Order("fast", 1), 1)
    async with connected(party.port) as exchange:
        exchange.begin(request)
        await exchange.ended


async def _p99_ms(party: Party, offset: int, total: int, asked: int) -> float:
    request = party.get(f"/v1/conversations?limit={_PAGE}&offset={offset}")
    times_s = []
    async with connected(party.port) as exchange:
        page = json.loads(await exchange.ask(request))
        assert (len(page["data"]), page["meta"]["total"]) == (_PAGE, total)
        for _ in range(asked):
            begun_s = time.monotonic()
            await exchange.ask(request)
            times_s.append(time.monotonic() - begun_s)
    return sorted(times_s)[asked * 99 // 100] * 1e3
