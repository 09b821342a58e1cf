"""What moves: each frame of a page that blends into another, beside a frame of 60 a second."""

from app.config.settings import AppearanceSettings
from app.ui.widgets.motion import DURATION_MS, Motion, cross_fade
from tests.benchmarks.gui.bench import FLOOR, WINDOW, Bench, Found
from tests.benchmarks.gui.shares import p99
from tests.benchmarks.gui.stage import Stage, cpu_ms, run_until
from tests.benchmarks.gui.texts import messages
from tests.benchmarks.rows import Figure, Goal, Row

_FRAME_MS = 1000 / 60
_FRAMES = round(DURATION_MS / _FRAME_MS)


def measure(bench: Bench) -> list[Row]:
    """Compare the frames of the blend with those that a screen shows meanwhile."""
    found = bench.child("move", bench.size(1000, 100), bench.size(30, 5))
    worst = {name: Figure.of([p99(values)]) for name, values in found.items()}
    return [Row("motion, slowest frame", "ms", worst, Goal(1.0), WINDOW, FLOOR)]


def act(count: int, rounds: int) -> Found:
    """Blend the page of a long chat again and again, frame by frame."""
    stage = Stage()
    stage.theme.wear(AppearanceSettings(theme="light", motion="full"))
    stage.show(messages(count))
    stage.settle()
    found: Found = {WINDOW: [], FLOOR: [_FRAME_MS] * rounds}
    for _ in range(rounds):
        cross_fade(stage.view, stage.theme)
        run_until(lambda: any(move.state() is Motion.State.Running for move in _moves(stage)))
        [move] = _moves(stage)
        move.pause()
        for frame in range(_FRAMES):
            move.setCurrentTime(frame * DURATION_MS // _FRAMES)
            found[WINDOW].append(cpu_ms(stage.paint))
        move.resume()
        run_until(lambda: not _moves(stage))
    return found


def _moves(stage: Stage) -> list[Motion]:
    return list(stage.view.findChildren(Motion))
