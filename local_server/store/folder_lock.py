"""Holds a data folder for one service: two would write into the same conversations.

Who may speak in a conversation is kept in the memory of one process. The system itself frees the
lock when that process ends, however it ends.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

from local_server.store.database import StoreError
from local_server.store.opening import unusable_folder
from local_tools.recovery.files import is_no_file, put_aside

FILE: Final = "parley-server.lock"
_PAUSE_S: Final = 0.02
# Windows lets nobody read what is locked: that is a place behind the text.
_LOCKED_AT: Final = 1024
_LONGEST_PID: Final = 20


class FolderInUseError(StoreError):
    """Another service is running on the data folder."""


@contextmanager
def held_folder(folder: Path, wait_s: float = 0) -> Iterator[None]:
    """Keep other services off a data folder, which is made where it is missing.

    Args:
        folder: The data folder.
        wait_s: How long one that is just ending is waited for, in place.

    Raises:
        FolderInUseError: When another service is running on it.
        StoreError: When nothing can be written there.
    """
    give_up_at = time.monotonic() + wait_s
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_no_file(folder / FILE):
            # It says nothing that anybody would miss.
            put_aside(folder / FILE)
        descriptor = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as exc:
        raise unusable_folder(folder, exc) from exc
    try:
        while not _lock(folder, descriptor):
            if time.monotonic() >= give_up_at:
                raise FolderInUseError(f"{folder} is in use by another service{_who(descriptor)}.")
            time.sleep(_PAUSE_S)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)


def _lock(folder: Path, descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _LOCKED_AT, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as exc:
        raise unusable_folder(folder, exc) from exc
    return True


def _who(descriptor: int) -> str:
    """Name the process that holds the lock, if it has written who it is by now."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    pid = os.read(descriptor, _LONGEST_PID)
    return f" (process {pid.decode()})" if pid.isdigit() else ""
