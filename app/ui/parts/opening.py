"""The one call that has the system open something: an address, a file or a folder."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.hardening import umask_as_given


def open_by_system(url: QUrl) -> bool:
    """Opens it in the program that the system has for it; false when there is none."""
    # That program may be our child, and what it makes is no secret of ours.
    with umask_as_given():
        return QDesktopServices.openUrl(url)
