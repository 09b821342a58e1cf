"""Esc in a field of a card: it gives up what was begun there, and nothing else in the window."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


class GivingUp(QObject):
    """Takes Esc from a field, before any short cut of the window does. Ends with the field."""

    given_up = Signal()
    """Esc was pressed."""

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claims Esc, and takes it."""
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() is QEvent.Type.KeyPress:
            self.given_up.emit()
        return True
