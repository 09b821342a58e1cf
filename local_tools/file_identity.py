"""Which file stands at a place, so that one that was removed or replaced shows."""

from pathlib import Path


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return device and number of the file at `path`; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
