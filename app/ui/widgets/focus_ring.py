"""Like browsers, Parley shows a ring around a widget only where the keyboard led to it.

`has_ring` tells that, by what an `InputWatch` of each window noted. The window has one before it is
first painted, so this imports nothing that the first paint does not need.
"""

from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QApplication, QWidget

_BY_KEYBOARD: Final = "is_used_by_keyboard"


def has_ring(widget: QWidget) -> bool:
    """Tell whether it has the focus, and the keyboard was used last."""
    return widget.hasFocus() and is_keyboard_used()


def is_keyboard_used() -> bool:
    """Tell whether the keyboard was used last; at first nothing was."""
    app = QApplication.instance()
    return app is not None and bool(app.property(_BY_KEYBOARD))


def note_input(*, is_keyboard: bool) -> None:
    """Note whether the keyboard is used now, and repaint the focused widget if that changed."""
    app = QApplication.instance()
    if app is None or is_keyboard == is_keyboard_used():
        return
    app.setProperty(_BY_KEYBOARD, is_keyboard)
    if widget := QApplication.focusWidget():
        widget.update()


class InputWatch(QObject):
    """Sees the keys and presses of a window before its widgets do; ends with the window."""

    def __init__(self, window: QWindow) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Note keys and presses, and take none."""
        kind = event.type()
        if kind is QEvent.Type.KeyPress:
            note_input(is_keyboard=True)
        elif kind in (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin):
            note_input(is_keyboard=False)
        return False
