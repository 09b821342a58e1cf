"""The program, started on the folder of one that was killed: until the composer takes a letter."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.benchmarks.gui.bench import Found
from tests.benchmarks.gui.usable_program import made_folder

_LIMIT_S: Final = 60
_RUN: Final = (
    "import sys, pathlib; from tests.benchmarks.gui.usable_program import run_until_usable; "
    "run_until_usable(pathlib.Path(sys.argv[1]))"
)


def act() -> Found:
    """Run the program twice; the first ends where it stands, and its files stay open till then."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-", ignore_cleanup_errors=True) as name:
        folder = made_folder(Path(name))
        _usable_after_s(folder)
        return {"usable": [_usable_after_s(folder)]}


def _usable_after_s(folder: Path) -> float:
    """Return how long a start takes; the process ends then without closing anything."""
    began_s = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-P", "-c", _RUN, str(folder)],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        timeout=_LIMIT_S,
        check=True,
    )
    painted: Found = json.loads(done.stdout.splitlines()[-1])
    return painted["painted"][0] - began_s
