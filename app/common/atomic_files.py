"""Files of the program's own: written whole or not at all, and copied before they lose something.

All of them are for their owner only.
"""

import contextlib
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write the file, which is on the disk when this returns.

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


def back_up(path: Path) -> Path:
    """Copy the text at `path` beside it and returns where that is; each state of it once.

    Raises:
        OSError: there is no copy.
    """
    moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    copy = path.with_name(f"{path.stem}.before-{moment:%Y%m%dT%H%M%S}{path.suffix}")
    if not copy.exists():
        write_atomically(copy, path.read_text(encoding="utf-8-sig"))
    return copy
