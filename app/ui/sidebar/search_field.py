"""The field over the list of chats: what is typed there is looked for."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent

from app.ui.parts.icon_label import IconLabel
from app.ui.parts.labels import plain_label
from app.ui.parts.line_edit import LineEdit
from app.ui.theme import Theme

_INSET_PX: Final = 12
_ICON_ROOM_PX: Final = 22
_STEPS: Final = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 8,
    Qt.Key.Key_PageUp: -8,
}


class SearchField(LineEdit):
    """One line with a magnifying glass, and the keys that lead there while it is empty.

    The keyboard stays here while arrows go through the hits. Made by the search pane.
    """

    moved = Signal(int)
    """Another hit should be the current one; argument: by how many rows, down is positive."""
    left = Signal()
    """Esc was pressed in the empty field."""

    def __init__(self, theme: Theme, name: str, keys: str = "") -> None:
        super().__init__()
        self._theme = theme
        self.setFont(theme.font("secondary"))
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self._icon = IconLabel("search", theme, "ink-3")
        self._hint = plain_label(keys, theme, size="small", ink="ink-3")
        for part in (self._icon, self._hint):
            part.setParent(self)
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textChanged.connect(self._place_parts)
        theme.changed.connect(self._place_parts)

    def show_keys(self, keys: str) -> None:
        """Shows these keys at the end of the empty field."""
        self._hint.setText(keys)
        self._place_parts()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Goes through the hits with arrows; Esc empties the field, then leaves it."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None:
            self.moved.emit(step)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps the icon at the beginning and the keys at the end."""
        super().resizeEvent(event)
        self._place_parts()

    def _place_parts(self) -> None:
        px = self._theme.px
        self.setTextMargins(px(_ICON_ROOM_PX), 0, 0, 0)
        self._icon.move(_INSET_PX, (self.height() - self._icon.height()) // 2)
        size = self._hint.sizeHint()
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        taken = words + px(_ICON_ROOM_PX) + 2 * _INSET_PX
        self._hint.setVisible(not self.text() and taken + size.width() <= self.width())
        left = self.width() - size.width() - _INSET_PX
        self._hint.setGeometry(
            left, (self.height() - size.height()) // 2, size.width(), size.height()
        )
