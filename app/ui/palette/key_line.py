"""The line of the palette that is typed into: every key is its own while it is open."""

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.ui.parts.line_edit import LineEdit
from app.ui.theme import Theme

_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Tab: 1,
    Qt.Key.Key_Backtab: -1,
    Qt.Key.Key_PageDown: 8,
    Qt.Key.Key_PageUp: -8,
}


class KeyLine(LineEdit):
    """Turns keys into what they do in the palette. Made by it; ends with it.

    No key of the window works meanwhile: what they do would happen behind the palette.
    """

    moved = Signal(int)
    """Another entry should be the current one; argument: by how many, down is positive."""
    entered = Signal(bool)
    """The current entry is meant; argument: whether in a new window."""
    left = Signal()
    """The palette should close."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setFont(theme.font())
        self.setAccessibleName(name)
        self.setPlaceholderText(name)
        self.setFrame(False)
        self.setProperty("field", "bare")

    def event(self, event: QEvent) -> bool:
        """Keeps keys from the shortcuts of the window, and Tab from leaving."""
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self.keyPressEvent(event)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves, opens or closes; all other keys edit."""
        step = _STEPS.get(Qt.Key(event.key()))
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if step is not None:
            self.moved.emit(step)
        elif event.key() in _ENTER_KEYS and not event.isAutoRepeat():
            self.entered.emit(has_control)
        elif event.key() == Qt.Key.Key_Escape or (has_control and event.key() == Qt.Key.Key_K):
            self.left.emit()
        else:
            super().keyPressEvent(event)
