"""The line above a list that narrows it to what fits."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.ui.parts.line_edit import LineEdit
from app.ui.theme import Theme


class FilterField(LineEdit):
    """One line: Esc empties it, and Down goes on to the list. Made by what has the list."""

    passed = Signal()
    """The keyboard should go on to the list."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setFont(theme.font("secondary"))
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes Esc while there is something to empty, and Down."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.passed.emit()
        else:
            super().keyPressEvent(event)
