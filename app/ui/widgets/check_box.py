"""`CheckBox` is a box to tick, drawn in the colours of the theme."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from app.ui.theme import Theme
from app.ui.widgets.labels import literal, one_line
from app.ui.widgets.stylesheet import Token

_BOX_PX: Final = 16
_TICK_PX: Final = 12
_GAP_PX: Final = 10
_RADIUS_PX: Final = 4


class CheckBox(QCheckBox):
    """A box with words beside it, shown as they are. Made by what it stands in."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__(literal(one_line(text)))
        self._theme = theme
        self.setAccessibleName(one_line(text))
        self.setFont(theme.font("secondary"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw box, tick and words."""
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.px(_BOX_PX)
        box = QRectF(0.5, (self.height() - side) / 2 + 0.5, side - 1, side - 1)
        edge: Token = "accent" if self.isChecked() or self.hasFocus() else "ink-3"
        painter.setPen(QPen(theme.color(edge), 2 if self.hasFocus() else 1))
        painter.setBrush(theme.color("accent" if self.isChecked() else "bg"))
        radius = theme.px(_RADIUS_PX)
        painter.drawRoundedRect(box, radius, radius)
        if self.isChecked():
            tick = theme.px(_TICK_PX)
            pixmap = theme.pixmap("check", "on-accent", tick, self.devicePixelRatioF())
            inset = (side - tick) / 2
            painter.drawPixmap(QPointF(inset, box.top() + inset), pixmap)
        left = side + theme.px(_GAP_PX)
        room = QRectF(left, 0, self.width() - left, self.height())
        painter.setPen(theme.color("ink"))
        words = self.fontMetrics().elidedText(
            self.accessibleName(), Qt.TextElideMode.ElideRight, round(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, words)
