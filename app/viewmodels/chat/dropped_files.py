"""Dropped files as text for the composer."""

from collections.abc import Sequence
from pathlib import Path

from app.error_text import Reason
from app.errors import UserFacingError

_LIMIT_BYTES = 256 * 1024


def read_as_text(paths: Sequence[Path]) -> str:
    """Returns the files' text one after the other, each under its name and size. Blocking.

    Raises:
        UserFacingError: one of them is no text file, too large, or cannot be read.
    """
    return "\n\n".join(_read(path) for path in paths)


def _read(path: Path) -> str:
    try:
        if not path.is_file():
            raise UserFacingError(Reason.FILE_NOT_TEXT, {"name": path.name})
        size = path.stat().st_size
        if size > _LIMIT_BYTES:
            raise UserFacingError(
                Reason.FILE_TOO_LARGE, {"name": path.name, "limit_kb": _LIMIT_BYTES // 1024}
            )
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserFacingError(Reason.FILE_NOT_TEXT, {"name": path.name}) from error
    except OSError as error:
        raise UserFacingError(Reason.FILE_UNREADABLE, {"name": path.name}) from error
    if "\0" in text:
        raise UserFacingError(Reason.FILE_NOT_TEXT, {"name": path.name})
    return f"{path.name} ({size} bytes)\n\n{text}"
