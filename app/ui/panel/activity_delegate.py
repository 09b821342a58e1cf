"""Draws a call in the Activity panel: how it stands, what it is, and who decided."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.chat.items import CallState
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line
from app.ui.parts.painting import Pen
from app.ui.parts.row_ground import paint_flat_ground
from app.ui.parts.tokens import Token
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE, Index
from app.viewmodels.tools.activity_words import ActivityRow

_PADDING_PX: Final = 16
_TOP_PX: Final = 10
_ICON_PX: Final = 16
_TEXT_X: Final = 39
_TARGET_LIMIT: Final = 200

STATE_ICONS: Final[Mapping[CallState, tuple[str, Token]]] = {
    CallState.WAITING: ("clock", "warn"),
    CallState.RUNNING: ("refresh-cw", "ink-2"),
    CallState.DONE: ("check", "good"),
    CallState.FAILED: ("circle-alert", "bad"),
    CallState.DENIED: ("x", "bad"),
    CallState.ANSWERED: ("message-square", "ink-2"),
    CallState.REFUSED: ("ban", "bad"),
    CallState.INTERRUPTED: ("triangle-alert", "warn"),
}


class ActivityDelegate(QStyledItemDelegate):
    """Paints `ActivityRow`s, all of one height. Made by the list of calls; ends with it."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Returns the room for three lines."""
        widget: QWidget = option.widget
        lines = sum(pen.line_height() for pen in (self._title(), self._target(), self._words()))
        return QSize(widget.contentsRect().width(), round(lines + 2 * self._theme.px(_TOP_PX)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row and the line under it."""
        rect, px = QRectF(option.rect), self._theme.px
        painter.save()
        paint_flat_ground(painter, rect, self._theme, option.state)
        row = index.data(ROW_ROLE)
        # What is about nothing in particular has two lines, in the middle.
        lower = 0 if row.target else self._target().line_height() / 2
        self._write(painter, rect.adjusted(0, px(_TOP_PX) + lower, 0, 0), row)
        painter.restore()

    def _write(self, painter: QPainter, rect: QRectF, row: ActivityRow) -> None:
        px, title = self._theme.px, self._title()
        line = QRectF(rect.left() + px(_TEXT_X), rect.top(), rect.width(), title.line_height())
        line.setRight(rect.right() - px(_PADDING_PX))
        icon, ink = STATE_ICONS[row.state]
        side = px(_ICON_PX)
        ratio = painter.device().devicePixelRatio()
        top = line.center().y() - side / 2
        pixmap = self._theme.pixmap(icon, ink, side, ratio)
        painter.drawPixmap(QPointF(rect.left() + px(_PADDING_PX), round(top)), pixmap)
        title.write(painter, line, one_line(row.title, _TARGET_LIMIT))
        if row.target:
            target = self._target()
            line.translate(0, line.height())
            line.setHeight(target.line_height())
            # Of a long path the end says most.
            shown = QFontMetricsF(target.font).elidedText(
                one_line(row.target, _TARGET_LIMIT), Qt.TextElideMode.ElideMiddle, line.width()
            )
            target.write(painter, line, shown)
        line.translate(0, line.height())
        line.setHeight(self._words().line_height())
        self._words().write(painter, line, row.words)

    def _title(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _target(self) -> Pen:
        return Pen(self._theme.mono(), self._theme.color("ink-2"))

    def _words(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))
