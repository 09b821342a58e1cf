"""Find and end the descendants of a process in the system's list of all processes."""

import sys
from contextlib import suppress
from typing import Final

import psutil

from local_tools.processes import end_group

_SWEEPS_LIMIT: Final = 50


def end_descendants(pid: int) -> None:
    """Kill all descendants of the process, repeatedly until none is left."""
    for _ in range(_SWEEPS_LIMIT):
        alive = [item for item in descendants(pid) if _kill(item)]
        if not alive:
            return


def end_tree(pid: int) -> None:
    """Kill a process group leader, all its descendants, and its group."""
    end_descendants(pid)
    if sys.platform == "win32":
        with suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()
        return
    end_group(pid)


def descendants(pid: int) -> list[psutil.Process]:
    """Return all descendants of the process."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _kill(process: psutil.Process) -> bool:
    """Kill; false when it was dead already."""
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        process.kill()
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        # A program with other rights (setuid): not ours to end.
        return False
    return True
