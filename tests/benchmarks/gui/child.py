"""The child's side: measures one case in this process and writes what it found as JSON."""

import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence

from tests.benchmarks.gui.bench import Found

# The module of each case; only that one is imported, since some measure what imports cost.
_MODULES: Mapping[str, str] = {
    "open": "opening",
    "scroll": "scrolling",
    "delta": "deltas",
    "stream": "streaming",
    "resize": "resizing",
    "move": "moving",
    "memory": "memory",
    "typing": "keystrokes",
    "start": "whole_program",
    "bare-start": "bare_window",
    "usable": "usable_program",
    "bare-usable": "usable_floor",
    "killed": "after_kill",
    "hostile": "hostile",
    "images": "images",
    "attach": "attaching",
}


def main(arguments: Sequence[str]) -> None:
    """Measure the case that is named first, with the sizes after it."""
    case, *sizes = arguments
    module = importlib.import_module(f"tests.benchmarks.gui.{_MODULES[case]}")
    act: Callable[..., Found] = module.act
    sys.stdout.write(json.dumps(act(*map(int, sizes))) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
