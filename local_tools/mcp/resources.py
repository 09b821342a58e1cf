"""What a server's program may use, set by a small program of the system that then becomes it.

How long it runs, and how much of a processor it takes in that time, is not bounded.
"""

import os
import sys
from collections.abc import Sequence
from typing import Final

from local_tools.processes import ADDRESSES_LIMIT_BYTES, FILE_LIMIT_BYTES, MEMORY_LIMIT_BYTES

PROCESSES_LIMIT: Final = 1024

# Of util-linux, which every Linux has; it also lies in the sandbox.
_PROGRAM: Final = "/usr/bin/prlimit"


def are_bounded() -> bool:
    """Whether programs can be held to these bounds here."""
    return sys.platform == "linux" and os.access(_PROGRAM, os.X_OK)


def bounded(argv: Sequence[str], *, counts_processes: bool) -> tuple[str, ...]:
    """What to start instead of `argv`, so that it and all it starts keep to the bounds.

    Args:
        argv: The program and its arguments.
        counts_processes: They are counted apart from the user's others, so that there can be a
            bound for them.
    """
    if not are_bounded():
        return tuple(argv)
    limits = {
        "core": 0,
        "data": MEMORY_LIMIT_BYTES,
        "as": ADDRESSES_LIMIT_BYTES,
        "fsize": FILE_LIMIT_BYTES,
    }
    if counts_processes:
        limits["nproc"] = PROCESSES_LIMIT
    return (_PROGRAM, *(f"--{name}={limit}" for name, limit in limits.items()), "--", *argv)
