"""The button that goes back to the end of the transcript."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app.ui.parts.buttons import push_button
from app.ui.theme import Theme

_BOTTOM_PX = 14


def make_jump_button(theme: Theme, parent: QWidget) -> QPushButton:
    """Make the button, hidden, as a child of the window it floats in."""
    words = QCoreApplication.translate("Transcript", "Jump to latest")
    button = push_button(words, "secondary", theme, icon="arrow-down")
    button.setParent(parent)
    button.hide()
    return button


def show_jump_button(button: QPushButton, window: QWidget, *, is_shown: bool) -> None:
    """Show the button at the foot of its window, in the middle, or hide it."""
    button.adjustSize()
    left = (window.width() - button.width()) // 2
    button.move(left, window.height() - button.height() - _BOTTOM_PX)
    button.setVisible(is_shown)


def foot_of(button: QPushButton) -> int:
    """Return how high the part of the window is in which the button lies, or would lie."""
    return button.height() + 2 * _BOTTOM_PX
