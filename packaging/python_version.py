"""Which Python versions can run Parley, in syntax that unsupported ones can parse too.

Every Python since 3.6 must understand this file: plain annotations only, and no new syntax.
"""

import shutil
import subprocess
import sys

OLDEST = (3, 11)
NEWEST = (3, 13)
# What the installers bring, and the workflows test with before they make them.
SHIPPED = (3, 13)


def is_supported(major: int, minor: int) -> bool:
    """Return whether this version of Python can run Parley."""
    return OLDEST <= (major, minor) <= NEWEST


def refusal(major: int, minor: int) -> str:
    """Return the sentence for a Python that cannot, with a command that would work, if any."""
    words = f"dev.py: Parley needs Python 3.{OLDEST[1]} to 3.{NEWEST[1]}, not {major}.{minor}."
    for suitable in range(NEWEST[1], OLDEST[1] - 1, -1):
        name = f"python3.{suitable}"
        if _starts(name):
            return f"{words} Start it as: {name} {' '.join(sys.argv)}"
    return f"{words} Install one of them, then start it with that."


def _starts(name: str) -> bool:
    """Return whether a Python is there and works; version switchers leave dead names behind."""
    path = shutil.which(name)
    if path is None:
        return False
    silent = subprocess.DEVNULL
    return subprocess.call([path, "-c", ""], stdout=silent, stderr=silent) == 0
