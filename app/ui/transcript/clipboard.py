"""Copying from the transcript: exactly what is shown, or the Markdown it was made from."""

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.pointer import Hit
from app.ui.transcript.selection import Selection
from app.ui.transcript.targets import OpenLink


class Clipboard(QObject):
    """Puts marked text, whole messages and addresses on the clipboard.

    One for a view.
    """

    changed = Signal()
    """Other text is marked now."""

    def __init__(self, layout: TranscriptLayout, selection: Selection, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._layout = layout
        self._selection = selection

    def put(self, text: str) -> None:
        """Put text on the clipboard; without the last line break, which would run a command."""
        if text:
            QGuiApplication.clipboard().setText(text.removesuffix("\n"))

    def copy_selection(self) -> None:
        """Copy what is marked."""
        for placed in self._layout.placed:
            if placed.key == self._selection.key:
                self.put(self._selection.text(placed.row))

    def select_all(self) -> None:
        """Mark the whole message in which something is marked, or the last one in the window."""
        keys = [placed.key for placed in self._layout.placed]
        wanted = self._selection.key if self._selection.key in keys else None
        for placed in reversed(self._layout.placed):
            selected = placed.row.all_selected()
            if selected and wanted in (None, placed.key):
                self._selection.take(placed.key, selected)
                self.changed.emit()
                return

    def open_menu(self, hit: Hit | None, at: QPoint) -> None:
        """Open a menu with what can be copied here."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self.actions(hit, menu):
            menu.addAction(action)
        menu.popup(at)

    def actions(self, hit: Hit | None, parent: QObject) -> list[QAction]:
        """Return the actions of that menu."""
        selected = QAction(self.tr("Copy"), parent)
        selected.setEnabled(not self._selection.is_empty)
        selected.triggered.connect(self.copy_selection)
        actions = [selected]
        if hit is None:
            return actions
        row = hit.placed.row
        actions.append(self._copy(self.tr("Copy message"), row.shown_text, parent))
        actions.append(self._copy(self.tr("Copy as Markdown"), row.source_text, parent))
        if hit.target and isinstance(hit.target.deed, OpenLink):
            address = hit.target.deed.address
            actions.append(self._copy(self.tr("Copy link address"), address, parent))
        return actions

    def _copy(self, words: str, text: str, parent: QObject) -> QAction:
        action = QAction(words, parent)
        action.triggered.connect(lambda: self.put(text))
        return action
