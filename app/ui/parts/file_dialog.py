"""The dialog that asks for a file or a folder."""

from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.parts.screen_fit import ScreenFit


def make_file_dialog(parent: QWidget, title: str, start: str) -> QFileDialog:
    """Make a dialog that begins in the folder `start`, fits its screen, and goes when it ends.

    Whoever makes it says what is asked for, and opens it.
    """
    dialog = QFileDialog(parent, title, start)
    ScreenFit(dialog)
    dialog.finished.connect(dialog.deleteLater)
    return dialog
