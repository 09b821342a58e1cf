"""The one way in which folders of this computer are opened: in its own file manager."""

from pathlib import Path

from PySide6.QtCore import QUrl

from app.ui.parts.opening import open_by_system


def open_folder(folder: Path) -> None:
    """Shows a folder in the system's file manager.

    Only for folders that the program or the person chose: what else is opened from outside goes
    through the gate for links.
    """
    open_by_system(QUrl.fromLocalFile(str(folder)))
