"""The file in which a window keeps its place and its size."""

import contextlib
import logging
from pathlib import Path

from PySide6.QtCore import QSettings

from local_tools.recovery.files import is_no_file, put_aside

log = logging.getLogger(__name__)


def opened_window_file(path: Path) -> QSettings:
    """Opens the file; a damaged one is put aside first, with what Qt would drop unsaid.

    That is so little to lose that nobody is asked to read about it: the log names it.
    """
    if _is_damaged(path):
        with contextlib.suppress(OSError):
            log.info("a damaged file of a window was put aside as %s", put_aside(path).name)
    return _opened(path)


def _is_damaged(path: Path) -> bool:
    """Tells whether something stands there in which Qt finds nothing."""
    return is_no_file(path) or (path.exists() and not _opened(path).allKeys())


def _opened(path: Path) -> QSettings:
    return QSettings(str(path), QSettings.Format.IniFormat)
