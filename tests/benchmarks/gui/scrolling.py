"""Scrolling: what a frame costs when the wheel turns, and when the bar is dragged."""

from collections.abc import Iterable

from app.chat.items import Action
from tests.benchmarks.gui.bench import WINDOW, Bench, Found
from tests.benchmarks.gui.shares import p99
from tests.benchmarks.gui.stage import Stage, cpu_ms
from tests.benchmarks.gui.texts import messages, with_versions
from tests.benchmarks.rows import Figure, Goal, Row

_STEP_PX = 60
_VERSION_COUNT = 500
_TURN_FRAMES = 60


def measure(bench: Bench) -> list[Row]:
    """Scroll up through what was not seen yet, back down, and drag through the whole chat."""
    found = bench.child("scroll", bench.size(10_000, 500), bench.size(3_000, 100))
    rows = []
    for name, values in found.items():
        # A drag jumps further in each frame than anybody reads.
        goal = Goal(8, of="figure") if name != "drag" else None
        worst = {WINDOW: Figure.of([p99(values)]), "median": Figure.of(values)}
        rows.append(Row(f"frame, {name}, p99", "ms", worst, goal, WINDOW))
    return rows


def act(count: int, frames: int) -> Found:
    """Scroll so many frames each way."""
    stage = Stage()
    stage.show(messages(count))
    stage.settle()
    bar = stage.view.verticalScrollBar()
    up = [_frame(stage, bar.value() - _STEP_PX) for _ in range(frames)]
    stage.settle()
    # Up and down over what was seen a moment ago, as people read.
    ways = [_STEP_PX if i // _TURN_FRAMES % 2 else -_STEP_PX for i in range(frames)]
    known = [_frame(stage, bar.value() + way) for way in ways]
    # A drag jumps so far that every frame shows other messages.
    drag = list(_drag(stage, frames // 10))
    stage.view.offer((Action.ASK_ANEW, Action.EDIT, Action.BRANCH))
    stage.show(with_versions(messages(count), _VERSION_COUNT))
    stage.settle()
    versions = [_frame(stage, bar.value() - _STEP_PX) for _ in range(frames)]
    return {"new messages": up, "known messages": known, "drag": drag, "500 versions": versions}


def _frame(stage: Stage, value: int) -> float:
    def turn() -> None:
        stage.view.verticalScrollBar().setValue(value)
        stage.paint()

    return cpu_ms(turn)


def _drag(stage: Stage, frames: int) -> Iterable[float]:
    end = stage.view.verticalScrollBar().maximum()
    return (_frame(stage, end - end * i // frames) for i in range(frames))
