"""Protect a process that holds keys from other programs of the same user.

Called before a window opens and before a key is read, so it imports almost nothing.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

if sys.platform != "win32":
    import resource

_PR_SET_DUMPABLE: Final = 4
_PRIVATE: Final = 0o077
# The umask before `harden` set another: the system cannot be asked for the old one.
_given_umask: Final[list[int]] = []


def harden() -> None:
    """Close this process to other programs, and keep what it makes from them.

    No other program of the user reads its memory or its variables, unless it has the rights of the
    administrator (Linux); a crash writes none of it to the disk; its files are their owner's alone.
    """
    _given_umask.append(os.umask(_PRIVATE))
    if sys.platform == "win32":
        return
    # The hard limit stays: a program started from here may want core files of its own.
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def given_umask() -> int:
    """Return the umask that this process was started with; -1 where it still has that."""
    return _given_umask[0] if _given_umask else -1


@contextmanager
def umask_as_given() -> Iterator[None]:
    """Restore the user's umask in this block, for the programs that are started in it."""
    if not _given_umask:
        yield
        return
    before = os.umask(_given_umask[0])
    try:
        yield
    finally:
        os.umask(before)
