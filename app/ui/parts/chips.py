"""Chips: small buttons that show a choice, and open something to change it."""

from typing import Final

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QPainter, QPaintEvent

from app.ui.parts.buttons import ElidingButton, dress, set_shown_text, tint_icon
from app.ui.parts.labels import set_plain_tooltip, short_name
from app.ui.theme import Theme

_CHEVRON_SIDE_PX: Final = 14
_CHEVRON_ROOM_PX: Final = 18
_SIDE_PADDING_PX: Final = 9
_TEXT_LIMIT_PX: Final = 220


class Chip(ElidingButton):
    """Shows `text`, shortened if it is long; with `opens` there is a chevron after it.

    `purpose` is what a screen reader says before the text: "Agent: Auto". Made by the widget that
    it stands in.
    """

    def __init__(
        self, theme: Theme, text: str, purpose: str, *, icon: str = "", opens: bool = False
    ) -> None:
        super().__init__()
        self._theme = theme
        self._purpose = purpose
        self._opens = opens
        dress(self, "chip", theme)
        if icon:
            tint_icon(self, icon, theme)
        self.show_choice(text)

    def show_choice(self, text: str, tooltip: str = "") -> None:
        """Shows another choice, escaped and cut; `tooltip` may say more about it."""
        name = short_name(text)
        set_shown_text(self, name, f"{self._purpose}: {name}" if self._purpose else name)
        set_plain_tooltip(self, tooltip)

    def sizeHint(self) -> QSize:
        """Returns the size of icon and text, and of the chevron."""
        room = self._theme.px(_CHEVRON_ROOM_PX) if self._opens else 0
        return super().sizeHint() + QSize(room + self.room_wanted() - self.text_width(), 0)

    def room_wanted(self) -> int:
        """Returns no more than a name needs that can be taken in at a glance."""
        return min(self.text_width(), self._theme.px(_TEXT_LIMIT_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the chip, then its chevron."""
        super().paintEvent(event)
        if self._opens:
            side = self._theme.px(_CHEVRON_SIDE_PX)
            chevron = self._theme.pixmap("chevron-down", "ink-3", side, self.devicePixelRatio())
            left = self.width() - self._theme.px(_SIDE_PADDING_PX) - side
            QPainter(self).drawPixmap(QPoint(left, (self.height() - side) // 2), chevron)
