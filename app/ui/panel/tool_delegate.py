"""Draws a tool in the right panel: what it is, what it may do, and whether the chat has it."""

from typing import Final

from PySide6.QtCore import QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, short_name
from app.ui.parts.painting import Pen
from app.ui.parts.row_ground import paint_flat_ground
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE, Index
from app.viewmodels.tools.chat_tools import ToolChoice

_PADDING_PX: Final = 16
_TOP_PX: Final = 10
_GAP_PX: Final = 10
_SWITCH_WIDTH_PX: Final = 32
_SWITCH_HEIGHT_PX: Final = 18
_KNOB_INSET_PX: Final = 3


class ToolDelegate(QStyledItemDelegate):
    """Paints `ToolChoice`s, all of one height. Made by the list of tools; ends with it."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Returns the room for three lines."""
        widget: QWidget = option.widget
        lines = self._title().line_height() + 2 * self._hint().line_height()
        return QSize(widget.contentsRect().width(), round(lines + 2 * self._theme.px(_TOP_PX)))

    def switch_of(self, row: QRectF) -> QRectF:
        """Returns where in a row its switch is."""
        px = self._theme.px
        left = row.right() - px(_PADDING_PX + _SWITCH_WIDTH_PX)
        top = row.top() + px(_TOP_PX + 1)
        return QRectF(left, top, px(_SWITCH_WIDTH_PX), px(_SWITCH_HEIGHT_PX))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row and the line under it."""
        rect, row = QRectF(option.rect), index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_flat_ground(painter, rect, self._theme, option.state)
        self._write(painter, rect, row)
        self._paint_switch(painter, self.switch_of(rect), is_on=row.is_on)
        painter.restore()

    def _write(self, painter: QPainter, rect: QRectF, row: ToolChoice) -> None:
        px, title, hint = self._theme.px, self._title(), self._hint()
        line = QRectF(rect.left() + px(_PADDING_PX), rect.top() + px(_TOP_PX), 0, 0)
        line.setHeight(title.line_height())
        line.setRight(self.switch_of(rect).left() - px(_GAP_PX))
        title.write(painter, line, short_name(row.title))
        line.translate(0, line.height())
        line.setHeight(hint.line_height())
        line.setRight(rect.right() - px(_PADDING_PX))
        words = Pen(self._theme.font("small"), self._theme.color("ink-2"))
        words.write(painter, line, row.effects)
        line.translate(0, line.height())
        hint.write(painter, line, one_line(row.source))

    def _paint_switch(self, painter: QPainter, box: QRectF, *, is_on: bool) -> None:
        radius, inset = box.height() / 2, self._theme.px(_KNOB_INSET_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent" if is_on else "line-strong"))
        painter.drawRoundedRect(box, radius, radius)
        side = box.height() - 2 * inset
        left = box.right() - inset - side if is_on else box.left() + inset
        painter.setBrush(self._theme.color("on-accent" if is_on else "bg"))
        painter.drawEllipse(QRectF(left, box.top() + inset, side, side))

    def _title(self) -> Pen:
        return Pen(self._theme.font("secondary", Weight.DemiBold), self._theme.color("ink"))

    def _hint(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))
