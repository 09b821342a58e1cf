"""Which keys move the window and how far, and which move a caret."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QScrollBar

from app.ui.transcript.caret import Way

LINE_PX: Final = 44
PRESS_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})


def way_of_key(key: int, bar: QScrollBar) -> int | None:
    """Return how many pixels a key moves the window down (negative: up), or None."""
    ways = {
        Qt.Key.Key_Up: -LINE_PX,
        Qt.Key.Key_Down: LINE_PX,
        Qt.Key.Key_PageUp: -bar.pageStep(),
        Qt.Key.Key_PageDown: bar.pageStep(),
        Qt.Key.Key_Home: -bar.maximum(),
        Qt.Key.Key_End: bar.maximum(),
    }
    return ways.get(Qt.Key(key))


_Standard = QKeySequence.StandardKey

CARET_KEYS: Final = {
    _Standard.SelectNextChar: Way.RIGHT,
    _Standard.SelectPreviousChar: Way.LEFT,
    _Standard.SelectNextWord: Way.WORD_RIGHT,
    _Standard.SelectPreviousWord: Way.WORD_LEFT,
    _Standard.SelectNextLine: Way.DOWN,
    _Standard.SelectPreviousLine: Way.UP,
    _Standard.SelectStartOfLine: Way.LINE_START,
    _Standard.SelectEndOfLine: Way.LINE_END,
    _Standard.SelectStartOfDocument: Way.CHAT_START,
    _Standard.SelectEndOfDocument: Way.CHAT_END,
}
"""What marks text from the caret on, whatever the system's keys for it are."""
