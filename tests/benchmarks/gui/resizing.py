"""Another width for the window: all that is seen is laid out anew."""

from tests.benchmarks.gui.bench import FLOOR, WINDOW, Bench, Found
from tests.benchmarks.gui.stage import HEIGHT, WIDTH, Stage, cpu_ms
from tests.benchmarks.gui.texts import messages
from tests.benchmarks.rows import Figure, Goal, Row

_PAGE = 8
_STEP_PX = 8
_WIDEST_PX = 160


def measure(bench: Bench) -> list[Row]:
    """Compare a long chat with one of a page."""
    found = bench.child("resize", bench.size(10_000, 500), bench.size(200, 20))
    fastest = {
        name: Figure.of([sorted(values)[len(values) // 4]]) for name, values in found.items()
    }
    return [Row("resize, lower quartile", "ms", fastest, Goal(1.5), WINDOW, FLOOR)]


def act(count: int, rounds: int) -> Found:
    """Make both narrower and wider, step by step."""
    many = messages(count)
    found: Found = {}
    stage = Stage()
    for name, items in ((WINDOW, many), (FLOOR, many[-_PAGE:])):
        stage.show(items)
        stage.settle()
        steps = [abs(i * _STEP_PX % (2 * _WIDEST_PX) - _WIDEST_PX) for i in range(rounds)]
        found[name] = [_resize(stage, WIDTH - step) for step in steps]
    return found


def _resize(stage: Stage, width: int) -> float:
    def change() -> None:
        stage.view.resize(width, HEIGHT)
        stage.paint()

    return cpu_ms(change)
