"""The line in which what is to be found is typed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.ui.parts.line_edit import LineEdit

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class FindField(LineEdit):
    """One line whose Enter goes to the next hit and whose Esc closes the bar."""

    moved = Signal(int)
    """Another hit is wanted: the next one (1) or the one before (-1)."""
    left = Signal()
    """Esc was pressed."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes the keys that go through the hits."""
        if event.key() in _ENTER:
            is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.moved.emit(-1 if is_back else 1)
        elif step := _STEPS.get(Qt.Key(event.key())):
            self.moved.emit(step)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
