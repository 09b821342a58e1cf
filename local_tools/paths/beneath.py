"""Open files beneath a folder that is held open, so that no path can leave it.

`opened_root` holds the folder and `open_beneath` opens a place in it. `snapshot` notes what is at a
place and `file_identity` which file it is, so that one that was removed or replaced shows.
`names_of` follows the links on the way to a file, each path as it is named. `rename_new` moves a
thing from one held folder into another without ever replacing what is there.

Every name is opened relative to the descriptor of the folder above it, and links are refused, so
swapping a folder for a link between check and use changes nothing. All opening goes through
`open_beneath`, the only function that openat2(2) could replace.
"""

import ctypes
import errno
import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from local_tools.errors import ChangedError, ToolError, explain_os_error
from local_tools.translation_marks import QT_TRANSLATE_NOOP

HASH_LIMIT_BYTES: Final = 8 * 1024 * 1024
_CHUNK_BYTES: Final = 1024 * 1024
_NOT_YET: Final = QT_TRANSLATE_NOOP("Tools", "Tools that need a folder do not run on Windows yet.")
# Absent on Windows, where this module can be imported but opens nothing.
_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY: Final = getattr(os, "O_DIRECTORY", 0)
_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)
_CLOEXEC: Final = getattr(os, "O_CLOEXEC", 0)
READ_FILE: Final = os.O_RDONLY | _NONBLOCK
READ_FOLDER: Final = os.O_RDONLY | _DIRECTORY
# A folder on the way need not be readable, only passable.
PASS_FOLDER: Final = getattr(os, "O_PATH", os.O_RDONLY) | _DIRECTORY

Kind: TypeAlias = Literal["absent", "file", "folder"]


@dataclass(frozen=True, slots=True)
class Root:
    """The folder that a call may not leave, and which one it was when it was shown."""

    path: str
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class FileSnapshot:
    """What was at a place when the call was shown.

    Attributes:
        kind: Of a folder only identity counts, its contents may change.
        sha256: Of the contents; None for folders and for files beyond `HASH_LIMIT_BYTES`.
        changed_ns: When a file without a hash was last changed, by the system's own mark, which
            no program can set back.
        link_count: How many names lead to the file.
    """

    kind: Kind
    device: int = 0
    inode: int = 0
    size_bytes: int = 0
    sha256: str | None = None
    changed_ns: int = 0
    link_count: int = 1

    @property
    def identity(self) -> str:
        """Its SHA-256, or for a large file its inode, size and time of change."""
        return self.sha256 or f"{self.inode}:{self.size_bytes}:{self.changed_ns}"


ABSENT: Final = FileSnapshot("absent")


def why_no_folders() -> str:
    """Return why no tool with a folder runs on this system, as a sentence; empty where they do."""
    return _NOT_YET if sys.platform == "win32" else ""


@contextmanager
def opened_root(path: Path) -> Iterator[tuple[int, Root]]:
    """Keep a root open; return its descriptor and status. No link in `path` is followed.

    Raises:
        ToolError: When it is no folder, or out of reach.
    """
    if reason := why_no_folders():
        raise ToolError(reason)
    try:
        top = os.open(path.anchor, PASS_FOLDER | _CLOEXEC)
        try:
            # No link in the path of the root either: the path was shown without one.
            descriptor = open_beneath(top, path.parts[1:], READ_FOLDER)
        finally:
            os.close(top)
    except OSError as exc:
        raise explain_os_error(exc, path) from exc
    try:
        status = os.fstat(descriptor)
        yield descriptor, Root(str(path), status.st_dev, status.st_ino)
    finally:
        os.close(descriptor)


def open_beneath(root: int, parts: tuple[str, ...], flags: int, mode: int = 0o600) -> int:
    """Open the place that `parts` name below the folder `root`; never through a link.

    Raises:
        OSError: `ELOOP` when one of the parts is a link.
    """
    current = os.open(".", (PASS_FOLDER if parts else READ_FOLDER) | _CLOEXEC, dir_fd=root)
    for index, name in enumerate(parts):
        is_last = index == len(parts) - 1
        wanted = flags if is_last else PASS_FOLDER
        try:
            following = _open_name(current, name, wanted, mode)
        finally:
            os.close(current)
        current = following
    return current


def _open_name(folder: int, name: str, flags: int, mode: int) -> int:
    try:
        return os.open(name, flags | _NOFOLLOW | _CLOEXEC, mode, dir_fd=folder)
    except NotADirectoryError:
        # With O_DIRECTORY a link answers "not a directory"; say what it is.
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        raise


@contextmanager
def parent_beneath(root: int, parts: tuple[str, ...]) -> Iterator[int]:
    """Keep the folder that contains the place open.

    Raises:
        OSError: When it cannot be reached.
    """
    descriptor = open_beneath(root, parts[:-1], READ_FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def regular_file_beneath(
    root: int, parts: tuple[str, ...], place: object
) -> Iterator[tuple[int, os.stat_result]]:
    """Open a file for reading. Pipes, devices and folders are refused without waiting.

    Raises:
        ToolError: When there is no regular file, or it is out of reach.
    """
    try:
        _refuse_odd_kind(_status_beneath(root, parts), place)
        descriptor = open_beneath(root, parts, READ_FILE)
    except OSError as exc:
        raise explain_os_error(exc, place) from exc
    try:
        status = os.fstat(descriptor)
        _refuse_odd_kind(status, place)
        yield descriptor, status
    finally:
        os.close(descriptor)


def snapshot(root: int, parts: tuple[str, ...], place: object) -> FileSnapshot:
    """Note what is at a place now.

    Raises:
        ToolError: When it is a link, a pipe or a device, or out of reach.
    """
    try:
        status = _status_beneath(root, parts)
    except FileNotFoundError:
        return _look_at_absent(root, parts, place)
    except OSError as exc:
        raise explain_os_error(exc, place) from exc
    if stat.S_ISDIR(status.st_mode):
        return FileSnapshot("folder", status.st_dev, status.st_ino)
    with regular_file_beneath(root, parts, place) as (descriptor, found):
        return file_precondition(found, read_up_to(descriptor, HASH_LIMIT_BYTES, place))


def snapshot_program(path: str) -> FileSnapshot:
    """Note which program lies at an absolute path now; links are followed, as when it starts.

    Raises:
        ToolError: When there is none.
    """
    try:
        try:
            descriptor = os.open(path, READ_FILE | _CLOEXEC)
        except PermissionError:
            # Some programs may be run but not read.
            return file_precondition(Path(path).stat(), None)
    except OSError as exc:
        raise explain_os_error(exc, path) from exc
    try:
        found = os.fstat(descriptor)
        _refuse_odd_kind(found, path)
        return file_precondition(found, read_up_to(descriptor, HASH_LIMIT_BYTES, path))
    finally:
        os.close(descriptor)


def file_precondition(status: os.stat_result, data: bytes | None) -> FileSnapshot:
    """Return what a file is, from its status and its contents (None: too many to hash)."""
    digest = None if data is None else hashlib.sha256(data).hexdigest()
    size = status.st_size if data is None else len(data)
    changed_ns = status.st_ctime_ns if data is None else 0
    return FileSnapshot(
        "file", status.st_dev, status.st_ino, size, digest, changed_ns, status.st_nlink
    )


def read_up_to(descriptor: int, limit_bytes: int, place: object) -> bytes | None:
    """Read a whole file; None when there is more than the limit, whatever its size claims."""
    chunks: list[bytes] = []
    left = limit_bytes + 1
    try:
        if os.fstat(descriptor).st_size > limit_bytes:
            return None
        while left > 0 and (chunk := os.read(descriptor, min(left, _CHUNK_BYTES))):
            chunks.append(chunk)
            left -= len(chunk)
    except OSError as exc:
        raise explain_os_error(exc, place) from exc
    return b"".join(chunks) if left > 0 else None


def demand(expected: FileSnapshot, found: FileSnapshot, place: object) -> None:
    """Make sure that a place is what it was when it was shown.

    Raises:
        ChangedError: When it is not.
    """
    if expected != found:
        raise ChangedError(place)


def _look_at_absent(root: int, parts: tuple[str, ...], place: object) -> FileSnapshot:
    try:
        with parent_beneath(root, parts):
            return ABSENT
    except OSError as exc:
        folder = Path(str(place)).parent
        raise ToolError(f"There is no folder {folder} to hold {parts[-1]}.") from exc


def _status_beneath(root: int, parts: tuple[str, ...]) -> os.stat_result:
    if not parts:
        return os.fstat(root)
    with parent_beneath(root, parts) as folder:
        return os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)


def _refuse_odd_kind(status: os.stat_result, place: object) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise ToolError(f"{place} is a folder, not a file.")
    if stat.S_ISLNK(status.st_mode):
        raise ToolError(f"{place} is a link, and links are not followed.")
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(f"{place} is not a regular file (a device, a pipe or a socket).")


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return device and number of the file at `path`; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


# As many as Linux follows.
_LINKS_LIMIT: Final = 40


def names_of(path: Path) -> Iterator[Path]:
    """Yield an absolute path, and what becomes of it as one link after the other is followed.

    The last one has no link in it.
    """
    yield path
    for _ in range(_LINKS_LIMIT):
        following = _followed(path)
        if following == path:
            break
        path = following
        yield path


def has_link_below(path: Path, folder: Path) -> bool:
    """Say whether a link lies between `folder` and `path`, which is beneath it, or is its end."""
    between = path.relative_to(folder).parts
    places = (folder.joinpath(*between[:count]) for count in range(1, len(between) + 1))
    return any(place.is_symlink() for place in places)


def _followed(path: Path) -> Path:
    """Replace the first link in a path by its target; a path without a link stays the same."""
    for place in (*reversed(path.parents), path):
        if place.is_symlink():
            there = os.path.normpath(place.parent / place.readlink())
            return Path(there, *path.parts[len(place.parts) :])
    return path


_RENAME_NOREPLACE: Final = 1
# What a kernel or a file system says that does not know the flag.
_UNKNOWN: Final = frozenset({errno.ENOSYS, errno.EINVAL})


def rename_new(source: int, name: str, destination: int, new_name: str) -> None:
    """Move `name` in the folder `source` to `new_name` in the folder `destination`.

    Both folders are descriptors, so that no path is walked.

    Raises:
        FileExistsError: When something has that name already; nothing was moved.
        OSError: When it cannot be moved, for one because the disks differ.
    """
    if sys.platform == "linux" and _rename_by_kernel(source, name, destination, new_name):
        return
    status = os.stat(name, dir_fd=source, follow_symlinks=False)
    if stat.S_ISREG(status.st_mode):
        # Unlike a rename, a link never replaces.
        os.link(name, new_name, src_dir_fd=source, dst_dir_fd=destination, follow_symlinks=False)
        os.unlink(name, dir_fd=source)
        return
    with suppress(FileNotFoundError):
        os.stat(new_name, dir_fd=destination, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    # At worst this takes the place of an empty folder.
    os.rename(name, new_name, src_dir_fd=source, dst_dir_fd=destination)


def _rename_by_kernel(source: int, name: str, destination: int, new_name: str) -> bool:
    """Return false when the kernel or the file system does not know how."""
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "renameat2"):
        return False
    before, after = os.fsencode(name), os.fsencode(new_name)
    if library.renameat2(source, before, destination, after, _RENAME_NOREPLACE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNKNOWN:
        return False
    raise OSError(code, os.strerror(code))
