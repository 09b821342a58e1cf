"""Lock the data folder: a second start raises the window of the first one and ends."""

import errno
import hashlib
import logging
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, NoReturn

from PySide6.QtCore import QLockFile, QObject, Signal

if sys.platform != "win32":
    import fcntl

from local_tools.recovery.files import is_no_file, put_aside

log = logging.getLogger(__name__)

# Another start may still be writing a lock that is younger.
_BEING_WRITTEN_S: Final = 2.0

StartResult = Literal["primary", "activated", "unresponsive"]
"""What a start finds: the folder was free; its holder was activated, or does not answer."""


_SOCKET: Final = "in-use.socket"
# Systems have room for 104 bytes or more; Qt first makes the socket under a longer name.
_LONGEST_PATH_BYTES: Final = 90


def _is_abandoned(path: Path) -> bool:
    """Tell whether nobody writes a lock at this moment, and nobody holds it."""
    try:
        if not path.is_file():
            return is_no_file(path)
        if time.time() - path.stat().st_mtime < _BEING_WRITTEN_S:
            return False
        if sys.platform == "win32":
            # Windows refuses to move a file that another process has locked.
            return True
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class SingleInstance(QObject):
    """Holds the data folder for this program, or asks the program that holds it to come forward.

    Made before anything in the folder is opened; `release` when the program ends. Others are
    heard from `listen` on, which comes after the first paint. After a kill the lock is stale: its
    process is gone, and it is taken over.
    """

    raise_requested = Signal(str)
    """Another start of the program wants this window to come forward; argument: what lets it do so
    under Wayland, or empty."""
    file_requested = Signal(object)
    """Another start of the program was given a model file; argument: its `Path`."""

    def __init__(self, data_folder: Path) -> None:
        super().__init__()
        self._lock = QLockFile(str(data_folder / "in-use.lock"))
        # A lock is stale when its process is gone, never because it is old.
        self._lock.setStaleLockTime(0)
        self._name = _name_of_socket(data_folder)
        self._end_listening: Callable[[], None] | None = None

    def acquire(self) -> bool:
        """Take the folder; false when another program holds it.

        Raises:
            OSError: the folder cannot be written.
        """
        if self._lock.tryLock(0):
            return True
        if self._is_held():
            # Once more in order to compete again: another start may have put the same lock aside.
            return self._put_damaged_lock_aside() and self.acquire()
        raise OSError(
            errno.EIO, "the file that marks it as in use cannot be made", self._lock.fileName()
        )

    def _is_held(self) -> bool:
        return self._lock.error() is QLockFile.LockError.LockFailedError

    def _put_damaged_lock_aside(self) -> bool:
        """Put a lock aside that names no program and that none holds; return whether it was.

        Qt takes such a file for a lock that is held forever.
        """
        path = Path(self._lock.fileName())
        pid, _host, _program = self._lock.getLockInfo()
        if pid or not _is_abandoned(path):
            return False
        try:
            aside = put_aside(path)
        except OSError:
            return False
        log.info("Set aside a damaged lock as %s", aside.name)
        return True

    def acquire_or_activate(
        self, tries: Iterable[None] | None = None, model_file: Path | None = None
    ) -> StartResult:
        """Take the folder, or ask the program that holds it to show its window.

        The holder may not listen yet, or be about to end, so it is asked once for each of `tries`,
        by default for some seconds. It opens `model_file`, if given.

        Raises:
            OSError: the folder cannot be written.
        """
        if self.acquire():
            return "primary"
        from app.platform.instance_channel import (
            ACTIVATION_VARIABLE,
            request_activation,
            retry_ticks,
        )

        token = os.environ.get(ACTIVATION_VARIABLE, "")
        for _ in retry_ticks() if tries is None else tries:
            if request_activation(self._name, token, model_file):
                return "activated"
            if self.acquire():
                return "primary"
        return "unresponsive"

    def listen(self) -> None:
        """Listen for other starts that find the folder taken; may be called again."""
        if self._end_listening or not self._lock.isLocked():
            return
        from app.platform.instance_channel import ActivationServer

        server = ActivationServer(self._name)
        server.setParent(self)
        server.came.connect(self.raise_requested)
        server.file_came.connect(self.file_requested)
        self._end_listening = server.close

    def ignore(self) -> None:
        """Stop listening: another start waits until the folder is given up, and takes it."""
        if self._end_listening:
            self._end_listening()
            self._end_listening = None

    def exit_now(self) -> NoReturn:
        """Give the folder up and end the program on the spot; nothing in the folder is open."""
        self.release()
        os._exit(0)

    def release(self) -> None:
        """Give the folder up."""
        self.ignore()
        self._lock.unlock()


def _name_of_socket(data_folder: Path) -> str:
    """Return the socket of the first start, in a folder that only its user may enter.

    That is the data folder, which both starts know, unless its path is too long for a socket.
    """
    folder = data_folder.resolve()
    digest = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    if sys.platform == "win32":
        return f"parley-{digest}"
    if len(os.fsencode(folder / _SOCKET)) <= _LONGEST_PATH_BYTES:
        return str(folder / _SOCKET)
    return str(_private_folder() / digest)


def _private_folder() -> Path:
    """Return a folder with a short path that only this user can write, which may not exist."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or "/")
    if _is_private(runtime):
        return runtime
    made = Path(tempfile.gettempdir(), f"parley-{os.getuid()}")
    with suppress(OSError):
        made.mkdir(mode=0o700)
    # If another user made the folder before, no socket in it may be trusted.
    return made if _is_private(made) else made / "none"


def _is_private(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    is_open = bool(status.st_mode & 0o077)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not is_open
