"""Open files beneath a folder that is held open, so that no path can leave it.

`opened_root` opens the folder and `open_beneath` a path in it. `snapshot` records what is at a path
and `file_identity` which file it is, so that a removed or replaced file is noticed. `names_of`
yields each path on the way through symbolic links. `rename_new` moves a file from one open folder
to another without replacing anything.

Every name is opened relative to the descriptor of its parent folder, and links are refused, so
swapping a folder for a link between check and use (TOCTOU) has no effect. All opening goes through
`open_beneath`; openat2(2) could replace this one function.
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
    """The folder that a call must stay in, with its identity when it was shown."""

    path: str
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class FileSnapshot:
    """What was at a path when the call was shown.

    Attributes:
        kind: For a folder only the identity is compared; its contents may change.
        sha256: The hash of the contents; None for folders and files above `HASH_LIMIT_BYTES`.
        changed_ns: For a file without a hash: its ctime, which programs cannot set back.
        link_count: The number of hard links of the file.
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
        """The SHA-256, or for a large file the inode, size and ctime."""
        return self.sha256 or f"{self.inode}:{self.size_bytes}:{self.changed_ns}"


ABSENT: Final = FileSnapshot("absent")


def why_no_folders() -> str:
    """Return why tools with a folder cannot run on this system; empty if they can."""
    return _NOT_YET if sys.platform == "win32" else ""


@contextmanager
def opened_root(path: Path) -> Iterator[tuple[int, Root]]:
    """Open a root; yield its descriptor and `Root`. No link in `path` is followed.

    Raises:
        ToolError: When it is not a folder, or cannot be opened.
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
    """Open the path `parts` below the folder descriptor `root`, never through a link.

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
    """Open the folder that contains the path.

    Raises:
        OSError: When it cannot be opened.
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
    """Open a regular file for reading; refuse pipes, devices and folders without blocking.

    Raises:
        ToolError: When there is no regular file, or it cannot be opened.
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
    """Return what is at a path now.

    Raises:
        ToolError: When it is a link, a pipe or a device, or cannot be opened.
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
    """Return which program is at an absolute path now; links are followed, as at its start.

    Raises:
        ToolError: When there is none.
    """
    try:
        try:
            descriptor = os.open(path, READ_FILE | _CLOEXEC)
        except PermissionError:
            # Some programs are executable but not readable, so their hash cannot be computed.
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
    """Return the snapshot of a file from its status and contents (None: too large to hash)."""
    digest = None if data is None else hashlib.sha256(data).hexdigest()
    size = status.st_size if data is None else len(data)
    changed_ns = status.st_ctime_ns if data is None else 0
    return FileSnapshot(
        "file", status.st_dev, status.st_ino, size, digest, changed_ns, status.st_nlink
    )


def read_up_to(descriptor: int, limit_bytes: int, place: object) -> bytes | None:
    """Read a whole file; None if it has more than the limit, whatever its stated size."""
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
    """Check that a path is still what it was when it was shown.

    Raises:
        ChangedError: When it has changed.
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
    """Return device and inode of the file at `path`; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


# As many as Linux follows.
_LINKS_LIMIT: Final = 40


def names_of(path: Path) -> Iterator[Path]:
    """Yield an absolute path, then the path after each link that is followed on the way.

    The last one contains no link.
    """
    yield path
    for _ in range(_LINKS_LIMIT):
        following = _followed(path)
        if following == path:
            break
        path = following
        yield path


def has_link_below(path: Path, folder: Path) -> bool:
    """Return whether `path`, which is beneath `folder`, has a link below `folder`."""
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
# The errors of kernels and file systems without the RENAME_NOREPLACE flag.
_UNKNOWN: Final = frozenset({errno.ENOSYS, errno.EINVAL})


def rename_new(source: int, name: str, destination: int, new_name: str) -> None:
    """Move `name` in the folder `source` to `new_name` in the folder `destination`.

    Both folders are descriptors, so no path is resolved.

    Raises:
        FileExistsError: When the name is taken; nothing was moved.
        OSError: When it cannot be moved, for example because the disks differ.
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
