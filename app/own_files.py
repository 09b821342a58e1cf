"""Files of the program's own: written whole or not at all, and kept where they are not understood.

All of them are for their owner only.
"""

import contextlib
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes the file, which is on the disk when this returns.

    Raises:
        OSError: it cannot be written; it is then as it was.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def put_aside(path: Path) -> Path:
    """Moves what stands at `path` beside it, under a name with the date, and returns where it is.

    Raises:
        OSError: it stays where it is.
    """
    aside = _beside(path, "unreadable", datetime.now(UTC))
    path.replace(aside)
    return aside


def copy_beside(path: Path) -> Path:
    """Copies the text at `path` beside it and returns where that is; each state of it once.

    Raises:
        OSError: there is no copy.
    """
    copy = _beside(path, "before", datetime.fromtimestamp(path.stat().st_mtime, UTC))
    if not copy.exists():
        write_whole(copy, path.read_text(encoding="utf-8-sig"))
    return copy


def _beside(path: Path, word: str, moment: datetime) -> Path:
    return path.with_name(f"{path.stem}.{word}-{moment:%Y%m%dT%H%M%S}{path.suffix}")
