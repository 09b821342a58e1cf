"""The tabs at the head of the right panel."""

from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar

from app.ui.parts.fonts import Weight
from app.ui.parts.surfaces import HEADER_HEIGHT_PX
from app.ui.theme import Theme

_SIDE_PX: Final = 12
_LINE_PX: Final = 2
# Between the words of two tabs where there is little room.
_GAP_PX: Final = 4
_LEAST_WORDS: Final = "nn…"


class PanelTabs(QTabBar):
    """Words side by side; the chosen ones are bold, with a line below. Arrow keys choose.

    Made by the right panel; ends with it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # Its own font follows the scale, and asks for a layout then.
        self.setFont(theme.font("secondary"))
        theme.changed.connect(self.update)

    def tabSizeHint(self, index: int) -> QSize:
        """Returns the room for the words as they are when chosen, in a head of the design."""
        bold = QFontMetrics(self._theme.font("secondary", Weight.DemiBold))
        width = bold.horizontalAdvance(self.tabText(index)) + 2 * self._theme.px(_SIDE_PX)
        return QSize(width, self._theme.px(HEADER_HEIGHT_PX) - 1)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Returns what a narrow panel leaves."""
        bold = QFontMetrics(self._theme.font("secondary", Weight.DemiBold))
        width = bold.horizontalAdvance(_LEAST_WORDS) + _GAP_PX
        return QSize(width, self.tabSizeHint(index).height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws each tab."""
        painter = QPainter(self)
        for index in range(self.count()):
            self._paint_tab(painter, index)

    def changeEvent(self, event: QEvent) -> None:
        """Looks different with the keyboard in it."""
        super().changeEvent(event)
        self.update()

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        rect, is_chosen = self.tabRect(index), index == self.currentIndex()
        weight = Weight.DemiBold if is_chosen else Weight.Normal
        font = self._theme.font("secondary", weight)
        painter.setFont(font)
        painter.setPen(self._theme.color("ink" if is_chosen else "ink-2"))
        room = rect.width() - _GAP_PX
        words = QFontMetrics(font).elidedText(
            self.tabText(index), Qt.TextElideMode.ElideRight, room
        )
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)
        if not is_chosen:
            return
        line = self._theme.px(_LINE_PX)
        below = QRectF(rect.left(), rect.bottom() + 1 - line, rect.width(), line)
        painter.fillRect(below, self._theme.color("accent"))
        if self.hasFocus():
            inside = QRectF(rect).adjusted(1, rect.height() / 5, -2, -rect.height() / 5)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRoundedRect(inside, 6, 6)
