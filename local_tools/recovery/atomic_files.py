"""Write files atomically, and copy a file before a change that loses something.

All files are made readable by their owner only.
"""

import contextlib
import os
import tempfile
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
