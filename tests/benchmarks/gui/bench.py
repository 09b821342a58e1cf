"""One run of the benchmark: what its parts share."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[3]
_LIMIT_S: Final = 600

WINDOW: Final = "Parley"
FLOOR: Final = "floor"
COLUMNS: Final = (WINDOW, FLOOR)
"""Whose figures stand side by side: ours, and those of the least that could be shown."""

Found = dict[str, list[float]]
"""What a child measured: values by the name of the case."""


class ChildError(Exception):
    """A child came to no end; the message has its last words."""


@dataclass(frozen=True)
class Bench:
    """The means of a run; made by the program, ends with it.

    Attributes:
        is_quick: Few and short rounds: to see that it works, not what is fast.
    """

    is_quick: bool

    def size(self, full: int, quick: int) -> int:
        """How much of something: in a full run, or in a quick one."""
        return quick if self.is_quick else full

    def child(self, case: str, *sizes: int) -> Found:
        """Measure a case in a process of its own.

        Raises:
            ChildError: It failed, or took longer than ten minutes.
        """
        variables = {
            **os.environ,
            "PYTHONPATH": str(_ROOT),
            "QT_QPA_PLATFORM": "offscreen",
            "QT_LOGGING_RULES": "*.debug=false;qt.qpa.*=false",
        }
        # -P: the folder of the person may hold modules, too.
        module = ("-P", "-m", "tests.benchmarks.gui.child", case, *map(str, sizes))
        try:
            done = subprocess.run(
                [sys.executable, *module],
                env=variables,
                capture_output=True,
                encoding="utf-8",
                timeout=_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as exc:
            raise ChildError(f"{case} took longer than {_LIMIT_S} s.") from exc
        if done.returncode:
            raise ChildError(f"{case} ended with {done.returncode}: {done.stderr[-2000:]}")
        found: Found = json.loads(done.stdout.splitlines()[-1])
        return found
