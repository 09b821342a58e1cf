"""The log file: rotated, plain lines, with keys and the home folder's path redacted."""

import logging
import logging.handlers
import os
import re
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Final

from local_tools.recovery.files import is_no_file, put_aside

log = logging.getLogger(__name__)

_FILE_LIMIT_BYTES: Final = 2 * 1024 * 1024
_OLD_FILES: Final = 4
LOG_NAME: Final = "parley.log"
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_HIDDEN: Final = "[hidden]"
# Keys of this interface, of the model providers, and whatever follows their header's name.
_SECRET_SHAPES: Final = re.compile(
    r"pk_(?:live|test)_[\w-]+|\bsk-[\w-]{8,}|\bAIza[\w-]{20,}"
    r"|(?<=x-api-key)(\W{1,6})[^\s'\",)]+|(?<=Bearer )\S+",
    re.IGNORECASE,
)


def redacted(text: str) -> str:
    """Return the text with everything that has the shape of a key hidden."""
    return _SECRET_SHAPES.sub(lambda match: f"{match.group(1) or ''}{_HIDDEN}", text)


def without_home(text: str, home: str) -> str:
    """Return the text with the home folder, whose path has the user's name, written as ~."""
    # Would turn every separator into a home folder.
    if home in {"", "/", "\\"}:
        return text
    # A traceback writes the separators of Windows twice.
    forms = {home, home.replace("\\", "\\\\")}
    pattern = "|".join(re.escape(form) for form in sorted(forms))
    return re.sub(rf"(?:{pattern})(?![\w.-])", "~", text)


class RedactingFormatter(logging.Formatter):
    """Formats a record whole, traceback included, and then hides what must not be kept."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, or the lines, of one record."""
        return redacted(super().format(record))


class _ForgivingHandler(logging.handlers.RotatingFileHandler):
    """Drops records that cannot be written: a full disk must not stop the program."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the record, which could not be written: there is nowhere to report that."""


def log_to(folder: Path) -> Path:
    """Write the log, and exceptions that nobody caught, to a file in this folder.

    Returns the file. Older ones are kept beside it, five in all, two megabytes each at most.
    """
    path = folder / LOG_NAME
    if is_no_file(path):
        put_aside(path)
    handler = _ForgivingHandler(
        path, maxBytes=_FILE_LIMIT_BYTES, backupCount=_OLD_FILES, encoding="utf-8"
    )
    path.chmod(0o600)
    handler.setFormatter(RedactingFormatter(_FORMAT))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    # httpx logs each request at INFO, with the ids of conversations in its path.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    # Python may leave the value out.
    threading.excepthook = lambda given: _log_uncaught(
        given.exc_type, given.exc_value or given.exc_type(), given.exc_traceback
    )
    return path


def end_of_log(folder: Path, limit_bytes: int) -> str:
    """Return the last whole lines of the log in this folder, redacted again; empty without one."""
    try:
        with (folder / LOG_NAME).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - limit_bytes))
            content = file.read(limit_bytes)
    except OSError:
        return ""
    whole = content if size <= limit_bytes else content.partition(b"\n")[2]
    return redacted(whole.decode("utf-8", errors="replace"))


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    log.error("Uncaught exception", exc_info=(kind, error, trace))
