"""Paths in this checkout, and the lock that lets one dev.py at a time change them."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from processes import say

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


ROOT: Final = Path(__file__).resolve().parent.parent
PACKAGING: Final = ROOT / "packaging"
# What dev.py makes, both ignored by git: the environment, and what is needed to make it.
VENV: Final = ROOT / ".venv"
SETUP: Final = ROOT / ".setup"

_PROGRAMS: Final = VENV / ("Scripts" if sys.platform == "win32" else "bin")

# The error of a lock that another process holds.
_BUSY: Final = OSError if sys.platform == "win32" else BlockingIOError


def program(name: str) -> Path:
    """Return the path of a program of the environment ("python", "parley")."""
    return executable(_PROGRAMS, name)


def executable(folder: Path, name: str, system: str = sys.platform) -> Path:
    """Return the path of a program in a folder; Windows starts none whose path lacks the ending."""
    return folder / (f"{name}.exe" if system == "win32" else name)


@contextmanager
def alone(name: str = "lock", doing: str = "setting up this checkout") -> Iterator[None]:
    """Keep every other dev.py of this checkout waiting; wait itself while another one works.

    Args:
        name: The name of the lock; locks of other names are independent.
        doing: What is done while it is held, as the end of a sentence.
    """
    SETUP.mkdir(exist_ok=True)
    with (SETUP / name).open("a+") as file:
        # Children inherit the lock: if dev.py is killed, the next one waits for them, too.
        os.set_inheritable(file.fileno(), True)
        if not _lock(file, wait=False):
            say(f"Another dev.py is {doing}; waiting for it.")
            while not _lock(file, wait=True):
                pass
        yield


def _lock(file: IO[str], *, wait: bool) -> bool:
    try:
        if sys.platform == "win32":
            # Waits ten seconds at most, then raises.
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except _BUSY:
        return False
    return True
