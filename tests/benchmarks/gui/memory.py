"""What a long chat takes: its messages, and what is kept to show them."""

import gc

import psutil

from tests.benchmarks.gui.bench import WINDOW, Bench, Found
from tests.benchmarks.gui.stage import Stage
from tests.benchmarks.gui.texts import messages
from tests.benchmarks.rows import Figure, Goal, Row

_WARM = 40


def measure(bench: Bench) -> list[Row]:
    """Compare with the same window before it was filled."""
    count = bench.size(10_000, 500)
    found = [bench.child("memory", count)["more"][0] for _ in range(bench.size(3, 1))]
    goal = Goal(25, of="figure")
    figures = {WINDOW: Figure.of(found)}
    return [Row(f"memory for {count:,} messages", "MB", figures, goal, WINDOW, digits=1)]


def act(count: int) -> Found:
    """Fill the window and scroll through it."""
    stage = Stage()
    # What showing anything at all takes, fonts above all, belongs to the empty window.
    stage.show(messages(_WARM))
    stage.settle()
    stage.show([])
    before = _resident_mb()
    stage.show(messages(count))
    stage.settle()
    bar = stage.view.verticalScrollBar()
    for part in range(20):
        bar.setValue(bar.maximum() * part // 20)
        stage.paint()
    return {"more": [_resident_mb() - before]}


def _resident_mb() -> float:
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 1e6
