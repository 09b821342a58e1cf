"""Which keys move the window, and how far."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollBar

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
