"""What a packager puts among the resources so that the program knows of newer versions."""

from pathlib import Path
from typing import Final

from checkout import ROOT, program
from processes import Failed, run

RESOURCES: Final = ROOT / "resources"
NAME: Final = "updates.json"
# By the reader of the program itself, which needs its environment.
_READ: Final = """
import sys
from pathlib import Path
from app.updates.release import SourceUnreadable, read_source
try:
    read_source(Path(sys.argv[1]))
except SourceUnreadable as fault:
    print(fault)
"""


def check(resources: Path = RESOURCES) -> None:
    """Look whether the program would understand `updates.json`, where there is one.

    Raises:
        Failed: It would not, and would tell every person that it is damaged.
    """
    if not (resources / NAME).exists():
        return
    fault = run(
        [program("python"), "-I", "-c", _READ, resources], doing=f"Reading resources/{NAME}"
    )
    if fault:
        raise Failed(
            f"resources/{NAME} cannot be used: make it with dev.py release, or take it "
            f"away. What is wrong with it: {' '.join(fault.split())}"
        )
