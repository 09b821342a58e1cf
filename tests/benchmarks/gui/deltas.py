"""One delta of a reply that streams: early in it, and when it is long."""

import statistics
from functools import partial

from tests.benchmarks.gui.bench import WINDOW, Bench, Found
from tests.benchmarks.gui.stage import Stage, cpu_ms
from tests.benchmarks.gui.texts import long_text, messages, reply
from tests.benchmarks.rows import Figure, Goal, Row

_LETTERS = 4
_EARLY = "at 1 kB"
_EARLY_SIZE = 1_000
_LATE_SIZE = 50_000
_ROUNDS = 9


def measure(bench: Bench) -> list[Row]:
    """Compare a delta at 50 kB with one at 1 kB: mixed text, and one long fence."""
    rows = []
    for kind, name in enumerate(("mixed text", "one block of code")):
        found = bench.child("delta", kind, bench.size(300, 40))
        figures = {case: Figure.of([statistics.median(found[case])]) for case in found}
        label = f"a delta at 50 kB, {name}, median"
        rows.append(Row(label, "ms", figures, Goal(2), WINDOW, _EARLY, digits=3))
    return rows


def act(kind: int, count: int) -> Found:
    """Stream so many deltas at both sizes, in turn, each laid out and painted on its own."""
    whole = "```python\n" + "total += step(one, 2)\n" * 2_500 if kind else long_text(60_000)
    stage = Stage()
    found: Found = {WINDOW: [], _EARLY: []}
    for _ in range(_ROUNDS):
        for name, size in ((_EARLY, _EARLY_SIZE), (WINDOW, _LATE_SIZE)):
            found[name] += _deltas(stage, whole, size, count // _ROUNDS + 1)
    return found


def _deltas(stage: Stage, whole: str, size: int, count: int) -> list[float]:
    stage.show([*messages(6), reply(-1, whole[:size], is_streaming=True)])
    stage.settle()
    costs = []
    for number in range(count):
        text = whole[: size + _LETTERS * (number + 1)]
        costs.append(cpu_ms(partial(_delta, stage, text)))
    return costs


def _delta(stage: Stage, text: str) -> None:
    stage.replace_last(reply(-1, text, is_streaming=True))
    # The end is followed; going there lays out at once what otherwise waits for the next frame.
    stage.view.jump_to_latest()
    stage.paint()
