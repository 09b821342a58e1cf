"""`QtDesktop` does what allowed tools ask of the desktop: clipboard, and opening files."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication

from app.ui.widgets.system_dialogs import open_by_system


class QtDesktop:
    """The desktop as tools see it: `local_tools.desktop.Screen`. One for the run.

    The caller decides what may be opened; nothing is checked here.
    """

    def __init__(self, open_url: Callable[[QUrl], bool] = open_by_system) -> None:
        self._open_url = open_url

    def clipboard_text(self) -> str:
        """Return the text on the clipboard; empty when it holds something else."""
        return QGuiApplication.clipboard().text()

    def set_clipboard_text(self, text: str) -> None:
        """Put a text on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def open_path(self, path: Path) -> bool:
        """Open a file or folder in its application; false when the system has none for it."""
        return self._open_url(QUrl.fromLocalFile(str(path)))

    def open_page(self, address: str) -> bool:
        """Open a page in the browser; false when the system has none."""
        # Strict: otherwise Qt mends an address into one that nobody has seen on the card.
        url = QUrl(address, QUrl.ParsingMode.StrictMode)
        return url.isValid() and self._open_url(url)
