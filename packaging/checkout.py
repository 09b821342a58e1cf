"""Where things are in this checkout."""

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGING: Final = ROOT / "packaging"
# What dev.py makes, both ignored by git: the environment, and what is needed to make it.
VENV: Final = ROOT / ".venv"
SETUP: Final = ROOT / ".setup"

_PROGRAMS: Final = VENV / ("Scripts" if sys.platform == "win32" else "bin")


def program(name: str) -> Path:
    """Return the path of a program of the environment ("python", "parley")."""
    return executable(_PROGRAMS, name)


def executable(folder: Path, name: str, system: str = sys.platform) -> Path:
    """Return the path of a program in a folder; Windows starts none whose path lacks the ending."""
    return folder / (f"{name}.exe" if system == "win32" else name)
