"""Make empty placeholders for protected files that do not exist, while a call runs.

`Placeholders` makes and removes them. `PlaceholderCleanup` removes them when this program was
killed before it could.

A file that does not exist cannot be mounted read-only, and a call that creates it would do as much
harm as one that changes it. So it is created beforehand, empty, and removed afterwards unless
somebody has written to it.

The clean-up is a small separate process. It gets the path of each placeholder before that is
created, and waits on its standard input. Normally the program removes the placeholders after the
call and ends the process; if the input closes earlier, the program was killed and its sandboxes
with it, and the process removes the placeholders.
"""

import errno
import os
import stat
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from local_tools.errors import ToolError, explain_os_error
from local_tools.paths.beneath import (
    PASS_FOLDER,
    READ_FOLDER,
    open_beneath,
    opened_root,
    parent_beneath,
)
from local_tools.sandbox.protected_paths import ProtectedPath, Shape

_SHELL: Final = "/bin/sh"
# `sleep` gives the sandbox time to end with the program; until then it may still write.
_TIDY: Final = """\
all=
while IFS= read -r line; do all="$line
$all"; done
sleep 1
printf %s "$all" | while IFS= read -r line; do
  path="./${line#?}"
  case $line in
    d*) rmdir -- "$path" ;;
    f*) [ -f "$path" ] && [ ! -L "$path" ] && [ ! -s "$path" ] && rm -f -- "$path" ;;
  esac
done
"""


class PlaceholderCleanup:
    """The placeholders in one folder for one call. Any thread may use it, one at a time."""

    def __init__(self, root: Path) -> None:
        """Take the folder of the call; the process is started with the first placeholder."""
        self._root = root
        self._process: subprocess.Popen[bytes] | None = None

    def remember(self, parts: tuple[str, ...], shape: Shape) -> None:
        """Register a placeholder that is about to be created or reused below the folder.

        Raises:
            ToolError: When the clean-up process cannot be told.
        """
        name = "/".join(parts)
        if "\n" in name:
            raise ToolError(f"{self._root / name} has a line break in its name; nothing was run.")
        try:
            if self._process is None:
                self._process = self._start()
            if self._process.stdin is not None:
                self._process.stdin.write(_line(shape, name))
        except OSError as exc:
            raise ToolError(f"The sandbox could not be made ready: {exc.strerror}.") from exc

    def close(self) -> None:
        """End the clean-up process: all placeholders were removed or belong to other calls."""
        if self._process is not None:
            self._process.kill()
            with self._process:
                pass

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [_SHELL, "-c", _TIDY],
            bufsize=0,
            cwd=self._root,
            env={"PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _line(shape: Shape, name: str) -> bytes:
    return os.fsencode(f"{'d' if shape == 'folder' else 'f'}{name}\n")


_MODE: Final = 0o700
_REFUSED: Final = frozenset({errno.EACCES, errno.EPERM})


class Placeholders:
    """All current placeholders, with the number of calls that need each. Any thread may use it."""

    def __init__(self) -> None:
        self._needed: dict[tuple[Path, tuple[str, ...]], int] = {}
        self._lock = Lock()

    def hold(self, root: Path, place: ProtectedPath, leftovers: PlaceholderCleanup) -> bool:
        """Make sure that a path below `root` exists until `release`.

        Args:
            root: The folder of the call.
            place: The path.
            leftovers: The clean-up process, in case this program is killed.

        Returns:
            False if it does not exist and this user cannot create it.

        Raises:
            ToolError: When the path goes through a link.
        """
        parts = place.path.relative_to(root).parts
        with self._lock, opened_root(root) as (descriptor, _):
            depth = 1
            try:
                for depth in range(1, len(parts) + 1):
                    shape: Shape = place.shape if depth == len(parts) else "folder"
                    self._hold_one(
                        root, descriptor, ProtectedPath(Path(*parts[:depth]), shape), leftovers
                    )
            except OSError as exc:
                self._release(root, parts[: depth - 1])
                if exc.errno == errno.EROFS or (
                    exc.errno in _REFUSED and not _is_owned(descriptor, parts)
                ):
                    # A tool of the same user cannot make it either.
                    return False
                raise explain_os_error(exc, place.path) from exc
            except ToolError:
                self._release(root, parts[: depth - 1])
                raise
        return True

    def release(self, root: Path, place: ProtectedPath) -> None:
        """Remove a placeholder after a call, unless another call needs it or it has contents."""
        with self._lock:
            self._release(root, place.path.relative_to(root).parts)

    def standing(self, root: Path) -> tuple[str, ...]:
        """Return the relative paths of all current placeholders below a folder."""
        with self._lock:
            return tuple("/".join(parts) for place, parts in self._needed if place == root)

    def _hold_one(
        self, root: Path, top: int, place: ProtectedPath, leftovers: PlaceholderCleanup
    ) -> None:
        parts = place.path.parts
        key = (root, parts)
        with parent_beneath(top, parts) as folder:
            if self._is_there(folder, parts[-1], root.joinpath(*parts)):
                if key in self._needed:
                    leftovers.remember(parts, place.shape)
                    self._needed[key] += 1
                return
            leftovers.remember(parts, place.shape)
            if place.shape == "folder":
                os.mkdir(parts[-1], _MODE, dir_fd=folder)
            else:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
                os.close(os.open(parts[-1], flags, 0o600, dir_fd=folder))
            self._needed[key] = 1

    def _is_there(self, folder: int, name: str, path: Path) -> bool:
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        if stat.S_ISLNK(status.st_mode):
            raise ToolError(
                f"{path} is a link, which the sandbox cannot keep as it is, so nothing was run."
            )
        return True

    def _release(self, root: Path, parts: tuple[str, ...]) -> None:
        for depth in range(len(parts), 0, -1):
            key = (root, parts[:depth])
            if key not in self._needed:
                continue
            self._needed[key] -= 1
            if self._needed[key] == 0:
                del self._needed[key]
                with suppress(OSError, ToolError):
                    _remove_empty(root, parts[:depth])


def _is_owned(top: int, parts: tuple[str, ...]) -> bool:
    """Return whether its folder is this user's, who could then make it writable."""
    for depth in range(len(parts) - 1, -1, -1):
        with suppress(OSError):
            folder = open_beneath(top, parts[:depth], PASS_FOLDER)
            try:
                return os.fstat(folder).st_uid == os.geteuid()
            finally:
                os.close(folder)
    return True


def _remove_empty(root: Path, parts: tuple[str, ...]) -> None:
    with opened_root(root) as (top, _):
        folder = open_beneath(top, parts[:-1], READ_FOLDER)
        try:
            status = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                os.rmdir(parts[-1], dir_fd=folder)
            elif stat.S_ISREG(status.st_mode) and status.st_size == 0:
                os.unlink(parts[-1], dir_fd=folder)
        finally:
            os.close(folder)
