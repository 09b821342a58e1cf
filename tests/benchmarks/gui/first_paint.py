"""From the start of the process to a window that is seen, and to one that can be written in."""

import time

from tests.benchmarks.gui.bench import FLOOR, WINDOW, Bench, Found
from tests.benchmarks.gui.shares import p95
from tests.benchmarks.rows import Figure, Goal, Row

_CASES = {"start": "bare-start", "usable": "bare-usable"}


def measure(bench: Bench) -> list[Row]:
    """Start the program and its floor in turn, for both ends; then, often, after a kill."""
    found: dict[str, Found] = {case: {WINDOW: [], FLOOR: []} for case in _CASES}
    for _ in range(bench.size(7, 1)):
        for case, floor in _CASES.items():
            for name, child in ((FLOOR, floor), (WINDOW, case)):
                began_s = time.monotonic()
                found[case][name].append(bench.child(child)["painted"][0] - began_s)
    after_kill = [bench.child("killed")["usable"][0] for _ in range(bench.size(20, 1))]
    start, usable = (_fastest(found[case]) for case in _CASES)
    of_start = "The floor of the start is an empty PySide6 window with qasync's event loop."
    of_usable = (
        "Usable: the list at the side is painted, and a letter that is typed stands in the "
        "composer; its floor is the empty window with a plain list and a plain box."
    )
    return [
        Row(
            "first painted window, fastest", "s", start, Goal(1.5), WINDOW, FLOOR, notes=(of_start,)
        ),
        Row("usable window, fastest", "s", usable, None, WINDOW, FLOOR, notes=(of_usable,)),
        Row(
            "usable window after a kill, p95",
            "s",
            {WINDOW: Figure.of([p95(after_kill)])},
            Goal(2.0, "figure"),
            WINDOW,
            notes=("After a kill: on the data folder of a process that ended without closing it.",),
        ),
    ]


def _fastest(found: Found) -> dict[str, Figure]:
    return {name: Figure.of([min(values)]) for name, values in found.items()}
