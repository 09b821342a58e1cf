"""These functions open what the system provides: file dialogs, programs and the file manager.

`make_file_dialog` asks for a file or a folder. `open_by_system` is the one call that has the
system open something: an address, a file or a folder. `open_folder` is the one way in which
folders of this computer are opened: in its own file manager.
"""

from pathlib import Path

from PySide6.QtCore import QDir, QFileInfo, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from app.platform.hardening import umask_as_given
from app.ui.widgets.screen_fit import ScreenFit


def make_file_dialog(parent: QWidget, title: str, start: str) -> QFileDialog:
    """Return a dialog that begins in `start`, fits its screen, and is deleted when it ends.

    It begins in the home folder if `start` is missing. The caller sets the mode and opens it.
    """
    # Of a missing folder, Qt would put the name into the field for a file.
    folder = start if QFileInfo(start).isDir() else QDir.homePath()
    dialog = QFileDialog(parent, title, folder)
    ScreenFit(dialog)
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def open_by_system(url: QUrl) -> bool:
    """Open it in the program that the system has for it; false when there is none."""
    # That program may be our child process, and its files need not be as private as ours.
    with umask_as_given():
        return QDesktopServices.openUrl(url)


def open_folder(folder: Path) -> None:
    """Show a folder in the system's file manager.

    Only for folders that the program or the person chose: what else is opened from outside goes
    through `allowed_link` first.
    """
    open_by_system(QUrl.fromLocalFile(str(folder)))
