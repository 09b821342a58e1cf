"""From the start of the process to the first painted window: the program, and a bare window."""

import time

from tests.benchmarks.gui.bench import FLOOR, WINDOW, Bench, Found
from tests.benchmarks.rows import Figure, Goal, Row


def measure(bench: Bench) -> list[Row]:
    """Start both in turn."""
    found: Found = {WINDOW: [], FLOOR: []}
    for _ in range(bench.size(7, 1)):
        for name, case in ((FLOOR, "bare-start"), (WINDOW, "start")):
            began_s = time.monotonic()
            found[name].append(bench.child(case)["painted"][0] - began_s)
    figures = {name: Figure.of([min(values)]) for name, values in found.items()}
    note = "The floor of the start is an empty PySide6 window with qasync's event loop."
    label = "first painted window, fastest"
    return [Row(label, "s", figures, Goal(1.5), WINDOW, FLOOR, notes=(note,))]
