"""Write the program's own files atomically, back them up, and put damaged ones aside.

Files are created readable by their owner only. A damaged file stays unchanged in the same folder,
renamed with the date, so that a new one can take its place.
"""

import contextlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace the file atomically, readable by its owner only; text is written as UTF-8.

    The content is synced before the rename, so after a power cut the old or the new file is there,
    complete; once this returns, it is the new one. A symbolic link is replaced itself; its target
    stays.

    Raises:
        OSError: It cannot be written; the file is unchanged then.
    """
    data = content.encode() if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    # Windows opens no folders, and some file systems sync none; the file itself is on the disk.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def back_up(path: Path) -> Path:
    """Copy the text file at `path` beside it; return the copy's path. Equal contents share a copy.

    Raises:
        OSError: The copy could not be made.
    """
    moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    copy = path.with_name(f"{path.stem}.before-{moment:%Y%m%dT%H%M%S}{path.suffix}")
    if not copy.exists():
        write_atomically(copy, path.read_text(encoding="utf-8-sig"))
    return copy


@dataclass(frozen=True, slots=True)
class PutAside:
    """A damaged file that was renamed.

    Attributes:
        path: Its new path.
        is_salvaged: Some data could be read and is in the new file.
    """

    path: Path
    is_salvaged: bool = False


def put_aside(path: Path, companions: Sequence[str] = (), moment: datetime | None = None) -> Path:
    """Rename `path`, adding the date to its name; return the new path.

    Args:
        path: A file, or something else at its path: a folder, or a dangling link.
        companions: Suffixes of companion files (`-wal`) that are renamed with it.
        moment: Now; a test's.

    Raises:
        OSError: It could not be renamed.
    """
    stamp = f"{moment or datetime.now(UTC):%Y%m%dT%H%M%S}"
    aside = _free_name(path, stamp, companions)
    for ending in companions:
        companion = path.with_name(f"{path.name}{ending}")
        if _is_there(companion):
            companion.rename(aside.with_name(f"{aside.name}{ending}"))
    if _is_there(path):
        path.rename(aside)
    return aside


def is_no_file(path: Path) -> bool:
    """Return whether the path exists but is no file: a folder, or a dangling link."""
    return _is_there(path) and not path.is_file()


def is_no_folder(path: Path) -> bool:
    """Return whether a file is where a folder should be.

    A dangling link does not count: its target may be on a disk that is not mounted now.
    """
    return path.exists() and not path.is_dir()


def _free_name(path: Path, stamp: str, companions: Sequence[str]) -> Path:
    """Find a name that nothing has, also where two are put aside within a second."""
    number = 1
    while True:
        more = f"-{number}" if number > 1 else ""
        name = f"{path.stem}.damaged-{stamp}{more}{path.suffix}"
        if not any(_is_there(path.with_name(f"{name}{ending}")) for ending in ("", *companions)):
            return path.with_name(name)
        number += 1


def _is_there(path: Path) -> bool:
    # A link that leads nowhere is there, too.
    return path.is_symlink() or path.exists()
