"""The command line of the benchmark."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence

from tests.benchmarks.gui import (
    attaching,
    deltas,
    first_paint,
    hostile,
    images,
    keystrokes,
    memory,
    moving,
    opening,
    resizing,
    scrolling,
    streaming,
)
from tests.benchmarks.gui.bench import COLUMNS, Bench, ChildError
from tests.benchmarks.machine import describe
from tests.benchmarks.rows import Row
from tests.benchmarks.table import add_options, write

_PARTS: Mapping[str, Callable[[Bench], list[Row]]] = {
    "start": first_paint.measure,
    "open": opening.measure,
    "scroll": scrolling.measure,
    "delta": deltas.measure,
    "stream": streaming.measure,
    "typing": keystrokes.measure,
    "resize": resizing.measure,
    "move": moving.measure,
    "memory": memory.measure,
    "hostile": hostile.measure,
    "images": images.measure,
    "attach": attaching.measure,
}


def main(arguments: Sequence[str]) -> int:
    """Measure and print; 0 whatever the figures are, 1 when a part could not be measured."""
    options = _parser().parse_args(arguments)
    bench = Bench(options.quick)
    names: Sequence[str] = options.only or tuple(_PARTS)
    found = {name: _measured(name, bench) for name in dict.fromkeys(names)}
    rows = [row for part in found.values() for row in part or ()]
    write(describe(), rows, COLUMNS, options.json)
    return 1 if None in found.values() else 0


def _measured(name: str, bench: Bench) -> list[Row] | None:
    """Return the rows of a part; None, said with its reason, when it came to no end."""
    sys.stderr.write(f"Measuring: {name}\n")
    try:
        return _PARTS[name](bench)
    except ChildError as exc:
        sys.stderr.write(f"{exc}\nNot measured: {name}\n")
        return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dev.py bench gui",
        description="Measure the window beside the least that can be shown.",
    )
    add_options(parser, _PARTS)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
