"""Esc in a card: it gives up what was begun there, and nothing else in the window."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


class GivingUp(QObject):
    """Takes Esc from what has the keyboard, before any short cut of the window does.

    Where `applies` is given, only while it says so. Ends with the first of the widgets.
    """

    given_up = Signal()
    """Esc was pressed."""

    def __init__(self, *widgets: QWidget, applies: Callable[[], bool] | None = None) -> None:
        super().__init__(widgets[0])
        self._applies = applies
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claims Esc, and takes it."""
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return super().eventFilter(watched, event)
        if self._applies and not self._applies():
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() is QEvent.Type.KeyPress:
            self.given_up.emit()
        return True
