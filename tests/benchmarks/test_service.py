"""The benchmark of the service still runs; what it finds is no matter of a test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.rows import Figure, Goal
from tests.benchmarks.service.cores import Cores
from tests.benchmarks.service.exchange import ExchangeError, connected
from tests.benchmarks.service.orders import Order
from tests.benchmarks.service.paced import Trial, search
from tests.benchmarks.service.parties import upstream
from tests.benchmarks.service.rows import COLUMNS, Row
from tests.benchmarks.table import as_text

_BENCH = (sys.executable, "-P", "-m", "tests.benchmarks.service", "--quick")
_ROOT = Path(__file__).resolve().parents[2]


def row(ours: float, theirs: float, goal: Goal) -> Row:
    """Return a row of the two figures."""
    return Row("time", "ms", {"service": Figure.of([ours]), "LiteLLM": Figure.of([theirs])}, goal)


def test_a_quick_run_of_the_quickest_part_fills_the_table(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    done = subprocess.run(
        [*_BENCH, "--only", "list", "--json", found],
        cwd=_ROOT,
        env={"PYTHONPATH": str(_ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "Measuring: list\n")
    first, middle = json.loads(found.read_text(encoding="utf-8"))["rows"]
    assert first["figures"].keys() == {"100 conversations", "2,000 conversations"}
    assert middle["ratio"] > 0
    assert middle["name"] in done.stdout


@pytest.mark.anyio
@pytest.mark.parametrize("order", [Order("fast", 1), Order("fast", 200), Order("paced", 3)])
async def test_the_upstream_gives_what_it_is_ordered(order: Order) -> None:
    stamps: list[bytes] = []
    with upstream(Cores()) as bare:
        async with connected(bare.port, stamps.extend) as exchange:
            for request in await bare.requests(order, 2):
                await exchange.stream(request, order.tokens)
    assert len(stamps) == (2 * order.tokens if order.kind == "paced" else 0)
    assert stamps == sorted(stamps)


@pytest.mark.anyio
async def test_a_stream_that_is_not_whole_is_an_error() -> None:
    with upstream(Cores()) as bare:
        async with connected(bare.port) as exchange:
            (request,) = await bare.requests(Order("fast", 5), 1)
            with pytest.raises(ExchangeError, match="5 tokens instead of 6"):
                await exchange.stream(request, 6)


@pytest.mark.parametrize(
    ("ours", "theirs", "goal", "words"),
    [
        (1, 4, Goal(0.25), ["0.25", "≤ 0.25 × LiteLLM", "met"]),
        (2, 4, Goal(0.25), ["0.5", "≤ 0.25 × LiteLLM", "NOT MET"]),
        (12, 2, Goal(6, is_least=True), ["6", "≥ 6 × LiteLLM", "met"]),
        (41, 1, Goal(40, of="figure"), ["41", "≤ 40 ms", "NOT MET"]),
    ],
)
def test_a_goal_stands_beside_what_was_measured(
    ours: float, theirs: float, goal: Goal, words: list[str]
) -> None:
    line = as_text({}, [row(ours, theirs, goal)], COLUMNS).splitlines()[-1]
    assert [part.strip() for part in line.split("  ") if part][-3:] == words


def test_a_figure_tells_how_far_the_rounds_lie_apart() -> None:
    figures = {"service": Figure.of([3, 1, 2])}
    assert "2.00 (1.00–3.00)" in as_text({}, [Row("time", "ms", figures)], COLUMNS)


@pytest.mark.parametrize("most", [0, 1, 7, 24, 200, 431])
@pytest.mark.parametrize("step", [1.4, 1.15])
def test_the_search_comes_near_the_largest_number_that_is_held(most: int, step: float) -> None:
    tried: list[int] = []

    def trial(count: int) -> Trial:
        tried.append(count)
        return Trial(0 if count <= most else 101, 1)

    found, _ = search(trial, 24, step)
    assert most / 1.05 - 1 <= found <= most
    assert len(tried) < 40
