"""`GuardedPath` and `CommandLine`: what a tool gets for the paths and commands of its input.

A tool never gets a path as text: a `GuardedPath` reads and writes beneath one root, and only while
the file or folder is what the user saw.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.errors import ChangedError, ToolError, explain_os_error
from local_tools.paths.beneath import (
    HASH_LIMIT_BYTES,
    READ_FOLDER,
    FileSnapshot,
    demand,
    file_precondition,
    open_beneath,
    parent_beneath,
    read_up_to,
    regular_file_beneath,
    rename_new,
    snapshot,
)

_NEW_FILE_MODE: Final = 0o644
_KEPT_MODE: Final = 0o777
_ANYBODY_RUNS: Final = 0o111
_BEGINNING_BYTES: Final = 512
# How file systems without hard links (FAT, some network ones) refuse to make one.
_NO_HARD_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A program (absolute path) and its arguments, to run in the current folder."""

    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """An entry of a folder."""

    name: str
    kind: str
    size_bytes: int


class GuardedPath:
    """A file or folder that a call names. Valid while the root's descriptor is open."""

    def __init__(
        self,
        absolute: Path,
        parts: tuple[str, ...],
        root: int,
        expected: FileSnapshot,
        *,
        is_meant_as_folder: bool = False,
    ) -> None:
        self.absolute: Final = absolute
        self.expected: Final = expected
        # Known while a call is prepared; a worker has what was found of it.
        self.is_meant_as_folder: Final = is_meant_as_folder
        self._parts = parts
        self._root = root

    def __str__(self) -> str:
        return str(self.absolute)

    @property
    def relative(self) -> str:
        """The path relative to the root (a worker's current folder); `.` for the root itself."""
        return "/".join(self._parts) or "."

    def check(self) -> None:
        """Check that the file or folder is still what it was when it was shown.

        Raises:
            ChangedError: When it is not.
        """
        demand(self.expected, snapshot(self._root, self._parts, self), self)

    def read(self) -> bytes:
        """Return the whole file.

        Raises:
            ToolError: When there is no file, it is larger than 8 MiB, or it has changed since.
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

    def beginning(self) -> bytes:
        """Return the first bytes of the file, whether or not it has changed.

        Raises:
            ToolError: When there is no file.
        """
        with regular_file_beneath(self._root, self._parts, self) as (descriptor, _):
            return os.read(descriptor, _BEGINNING_BYTES)

    def is_marked_as_program(self) -> bool:
        """Return whether the file's mode has an execute bit.

        Raises:
            ToolError: When there is no file.
        """
        with regular_file_beneath(self._root, self._parts, self) as (_, status):
            return bool(status.st_mode & _ANYBODY_RUNS)

    def entries(self) -> list[FolderEntry]:
        """Return the entries of the folder, sorted by name.

        Raises:
            ToolError: When it is not a folder, cannot be opened, or is not the one that was shown.
        """
        try:
            with self.opened_folder() as descriptor, os.scandir(descriptor) as found:
                return sorted(map(_entry, found), key=lambda entry: entry.name)
        except OSError as exc:
            raise explain_os_error(exc, self) from exc

    @contextmanager
    def opened_folder(self) -> Iterator[int]:
        """Open the folder.

        Raises:
            ToolError: When it is not a folder, cannot be opened, or is not the one that was shown.
        """
        try:
            descriptor = open_beneath(self._root, self._parts, READ_FOLDER)
        except OSError as exc:
            raise explain_os_error(exc, self) from exc
        try:
            status = os.fstat(descriptor)
            demand(self.expected, FileSnapshot("folder", status.st_dev, status.st_ino), self)
            yield descriptor
        finally:
            os.close(descriptor)

    def replace(self, data: bytes, *, mode: int | None = None) -> None:
        """Replace the file's contents atomically.

        Args:
            data: The new contents.
            mode: The permissions of a new file, by default by the user's umask; an existing file
                keeps its own.

        Raises:
            ToolError: When it cannot be written or has changed since; the old file is still there.
        """
        if not self._parts or self.expected.kind == "folder":
            raise ToolError(f"{self} is a folder, not a file.")
        self.refuse_other_names()
        try:
            with parent_beneath(self._root, self._parts) as folder:
                self._replace_in(folder, self._parts[-1], data, mode)
        except OSError as exc:
            raise explain_os_error(exc, self) from exc

    def hand_over(self, folder: int, name: str) -> None:
        """Move the file or folder to `name` in the open `folder`, replacing nothing.

        Raises:
            ToolError: When it is not what was shown; then it was not moved.
            OSError: When it cannot be moved.
        """
        self.refuse_other_names()
        self.check()
        with parent_beneath(self._root, self._parts) as own:
            rename_new(own, self._parts[-1], folder, name)
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if (found.st_dev, found.st_ino) != (self.expected.device, self.expected.inode):
                # Something took its place after the look: that was not meant.
                rename_new(folder, name, own, self._parts[-1])
                raise ChangedError(self)

    def move_from(self, folder: int, name: str) -> None:
        """Move `name` in the open `folder` to this path, which must be free.

        Raises:
            ToolError: When the path is taken meanwhile.
            OSError: When it cannot be moved.
        """
        try:
            with parent_beneath(self._root, self._parts) as own:
                rename_new(folder, name, own, self._parts[-1])
        except FileExistsError:
            raise ChangedError(self) from None

    def move_to(self, other: "GuardedPath") -> None:
        """Move the file or folder to another free path below the same root.

        Raises:
            ToolError: When either is not what was shown; then nothing was moved.
        """
        try:
            with parent_beneath(other._root, other._parts) as folder:  # noqa: SLF001 - its own kind
                self.hand_over(folder, other._parts[-1])  # noqa: SLF001
        except FileExistsError:
            raise ChangedError(other) from None
        except OSError as exc:
            raise explain_os_error(exc, self) from exc

    def remove(self) -> None:
        """Delete the file permanently if it is still what was shown.

        Raises:
            ToolError: When it is not what was shown, or not a file.
        """
        self.check()
        try:
            with parent_beneath(self._root, self._parts) as folder:
                os.unlink(self._parts[-1], dir_fd=folder)
        except OSError as exc:
            raise explain_os_error(exc, self) from exc

    def refuse_other_names(self) -> None:
        """Check that the file has no other hard link, which a change would affect as well.

        Raises:
            ToolError: When it has one.
        """
        if self.expected.link_count > 1:
            raise ToolError(
                f"{self} has another name elsewhere (a hard link), so it is read but never changed."
            )

    def _replace_in(self, folder: int, name: str, data: bytes, mode: int | None) -> None:
        temporary = f".{name[:100]}.{secrets.token_hex(4)}.new"
        old = self._old_status(folder, name)
        try:
            _write_new_file(folder, temporary, data, old, mode)
            demand(self.expected, snapshot(self._root, self._parts, self), self)
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
            demand(self.expected, snapshot(self._root, self._parts, self), self)
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def _entry(item: "os.DirEntry[str]") -> FolderEntry:
    if item.is_symlink():
        return FolderEntry(item.name, "link", 0)
    if item.is_dir(follow_symlinks=False):
        return FolderEntry(item.name, "folder", 0)
    if item.is_file(follow_symlinks=False):
        # It may be gone by now.
        with suppress(FileNotFoundError):
            return FolderEntry(item.name, "file", item.stat(follow_symlinks=False).st_size)
    return FolderEntry(item.name, "other", 0)


def _write_new_file(
    folder: int, name: str, data: bytes, old: os.stat_result | None, new_mode: int | None
) -> None:
    # What was written by somebody else's words must not run with the owner's rights.
    mode = new_mode if old is None else old.st_mode & _KEPT_MODE
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    first_mode = _NEW_FILE_MODE if mode is None else stat.S_IRUSR | stat.S_IWUSR
    descriptor = os.open(name, flags, first_mode, dir_fd=folder)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if old is not None:
            with suppress(PermissionError):
                os.fchown(descriptor, old.st_uid, old.st_gid)
        if mode is not None:
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
