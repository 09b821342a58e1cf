"""Write the program's own files atomically, copy them before a loss, put damaged ones aside.

All files are made readable by their owner only. A damaged file is kept unchanged in the same
folder, under a name with the date, so that a new one can take its place.
"""

import contextlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace the file by a new one with this content, readable by its owner only; text as UTF-8.

    The content is on the disk before the new file takes its place, so after a power cut either of
    the two is there, whole; once this returns, it is the new one. A symbolic link is replaced
    itself, and what it leads to stays.

    Raises:
        OSError: It cannot be written; it is then as it was.
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
    """Copy the text at `path` beside it and return where the copy is; each state of it once.

    Raises:
        OSError: There is no copy.
    """
    moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    copy = path.with_name(f"{path.stem}.before-{moment:%Y%m%dT%H%M%S}{path.suffix}")
    if not copy.exists():
        write_atomically(copy, path.read_text(encoding="utf-8-sig"))
    return copy


@dataclass(frozen=True, slots=True)
class PutAside:
    """A damaged file that was put aside.

    Attributes:
        path: Where it is now.
        is_salvaged: Something could still be read, and is in the new file.
    """

    path: Path
    is_salvaged: bool = False


def put_aside(path: Path, companions: Sequence[str] = (), moment: datetime | None = None) -> Path:
    """Move what stands at `path` beside it, under a name with the date; return where it is.

    Args:
        path: A file, or whatever stands in its place: a folder, or a link that leads nowhere.
        companions: The endings of files that belong to it (`-wal`), and go with it.
        moment: Now; a test's.

    Raises:
        OSError: It stays where it is.
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
    """Tell whether something that is no file stands there: a folder, or a link to nowhere."""
    return _is_there(path) and not path.is_file()


def is_no_folder(path: Path) -> bool:
    """Tell whether a file stands in the place of a folder.

    A link to nowhere does not count: it leads to a disk that is not there now, and is kept for it.
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
