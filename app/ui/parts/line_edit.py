"""The line to type into, as all of ours are made."""

from PySide6.QtWidgets import QLineEdit, QWidget


class LineEdit(QLineEdit):
    """A line that a screen reader names from the first time that the keyboard comes to it.

    A new line of Qt's tells that its caret has moved when it gets the keyboard, before it tells
    that it got it; Orca then takes the place for known, and says nothing of it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursorPosition(0)
