"""What a tool gets for a path or a command in its input.

A tool never sees a path as text: it gets a `Target`, which reads and writes beneath one root and
only as long as the place is what it was when the user saw it.
"""

import errno
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.confined import (
    HASH_LIMIT_BYTES,
    READ_FOLDER,
    Precondition,
    demand,
    file_precondition,
    look_at,
    open_beneath,
    parent_beneath,
    read_up_to,
    regular_file_beneath,
)
from local_tools.errors import ChangedError, ToolError, explain_os_error

_NEW_FILE_MODE: Final = 0o644
_KEPT_MODE: Final = 0o777
# How file systems without hard links (FAT, some network ones) refuse to make one.
_NO_HARD_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A program and its arguments; the program's path is absolute. Run in the current folder."""

    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a folder."""

    name: str
    kind: str
    size_bytes: int


class Target:
    """A file or folder that a call names. Lives as long as the root's descriptor is open."""

    def __init__(
        self, absolute: Path, parts: tuple[str, ...], root: int, expected: Precondition
    ) -> None:
        self.absolute: Final = absolute
        self.expected: Final = expected
        self._parts = parts
        self._root = root

    def __str__(self) -> str:
        return str(self.absolute)

    def read(self) -> bytes:
        """The whole file.

        Raises:
            ToolError: When there is none, it is too large (8 MiB), or it changed since.
        """
        with regular_file_beneath(self._root, self._parts, self) as (descriptor, status):
            data = read_up_to(descriptor, HASH_LIMIT_BYTES, self)
            demand(self.expected, file_precondition(status, data), self)
        if data is None:
            raise ToolError(
                f"{self} is too large to read: {status.st_size:,} bytes, "
                f"and the limit is {HASH_LIMIT_BYTES:,}."
            )
        return data

    def entries(self) -> list[Entry]:
        """What is in the folder, by name.

        Raises:
            ToolError: When it is no folder, out of reach, or another one than was shown.
        """
        try:
            descriptor = open_beneath(self._root, self._parts, READ_FOLDER)
        except OSError as exc:
            raise explain_os_error(exc, self) from exc
        try:
            status = os.fstat(descriptor)
            demand(self.expected, Precondition("folder", status.st_dev, status.st_ino), self)
            with os.scandir(descriptor) as found:
                return sorted(map(_entry, found), key=lambda entry: entry.name)
        except OSError as exc:
            raise explain_os_error(exc, self) from exc
        finally:
            os.close(descriptor)

    def replace(self, data: bytes) -> None:
        """Make `data` the file's contents, whole or not at all.

        Raises:
            ToolError: When it cannot be written or changed since; the old file is still there.
        """
        if not self._parts or self.expected.kind == "folder":
            raise ToolError(f"{self} is a folder, not a file.")
        try:
            with parent_beneath(self._root, self._parts) as folder:
                self._replace_in(folder, self._parts[-1], data)
        except OSError as exc:
            raise explain_os_error(exc, self) from exc

    def _replace_in(self, folder: int, name: str, data: bytes) -> None:
        temporary = f".{name[:100]}.{secrets.token_hex(4)}.new"
        old = self._old_status(folder, name)
        try:
            _write_new_file(folder, temporary, data, old)
            demand(self.expected, look_at(self._root, self._parts, self), self)
            self._put_in_place(folder, temporary, name)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
        os.fsync(folder)

    def _old_status(self, folder: int, name: str) -> os.stat_result | None:
        if self.expected.kind == "absent":
            return None
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            raise ChangedError(self) from None
        if not status.st_mode & stat.S_IWUSR:
            raise ToolError(f"{self} is marked as not writable.")
        return status

    def _put_in_place(self, folder: int, temporary: str, name: str) -> None:
        if self.expected.kind == "file":
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            return
        try:
            # Unlike a rename, a link never overwrites what appeared in the meantime.
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise ChangedError(self) from None
        except OSError as exc:
            if exc.errno not in _NO_HARD_LINKS:
                raise
            demand(self.expected, look_at(self._root, self._parts, self), self)
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def _entry(item: "os.DirEntry[str]") -> Entry:
    if item.is_symlink():
        return Entry(item.name, "link", 0)
    if item.is_dir(follow_symlinks=False):
        return Entry(item.name, "folder", 0)
    if item.is_file(follow_symlinks=False):
        # It may be gone by now.
        with suppress(FileNotFoundError):
            return Entry(item.name, "file", item.stat(follow_symlinks=False).st_size)
    return Entry(item.name, "other", 0)


def _write_new_file(folder: int, name: str, data: bytes, old: os.stat_result | None) -> None:
    # What was written by somebody else's words must not run with the owner's rights.
    mode = _NEW_FILE_MODE if old is None else old.st_mode & _KEPT_MODE
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(name, flags, 0o600 if old else mode, dir_fd=folder)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if old is not None:
            with suppress(PermissionError):
                os.fchown(descriptor, old.st_uid, old.st_gid)
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
