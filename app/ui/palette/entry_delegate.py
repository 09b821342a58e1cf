"""Draws the lines of the palette, with a caption above the first of each group."""

from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.ui.palette.entries import Entry, caption_of
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import title_line
from app.ui.parts.marked_text import MarkedPen, MarkedText
from app.ui.parts.painting import Pen
from app.ui.parts.row_ground import POINTED_AT, paint_round_ground
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE, Index

_INSET_PX: Final = 6
_SIDE_PX: Final = 14
_ICON_PX: Final = 16
_TEXT_LEFT_PX: Final = 38
_PADDING_PX: Final = 8
_GAP_PX: Final = 16
_CAPTION_ABOVE_PX: Final = 13
_CAPTION_BELOW_PX: Final = 4


class EntryDelegate(QStyledItemDelegate):
    """Paints an `Entry`: icon, text with the letters that fit in bold, and a hint at the end.

    Made by the palette; ends with it.
    """

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def caption_height(self, index: Index) -> int:
        """Returns the height of the caption above this row, or 0 if there is none."""
        if not self._caption(index):
            return 0
        height = self._caption_pen().line_height()
        return round(height + self._theme.px(_CAPTION_ABOVE_PX + _CAPTION_BELOW_PX))

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Returns the height of a row, with its caption; the width is the list's."""
        height = round(self._pen().line_height() + 2 * self._theme.px(_PADDING_PX))
        return QSize(0, height + self.caption_height(index))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints the caption, if there is one, and the row."""
        entry: Entry = index.data(ROW_ROLE)
        px = self._theme.px
        room = QRectF(option.rect).adjusted(px(_INSET_PX), 0, -px(_INSET_PX), 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if caption := self._caption(index):
            line = room.adjusted(px(_SIDE_PX), px(_CAPTION_ABOVE_PX), -px(_SIDE_PX), 0)
            line.setHeight(self._caption_pen().line_height())
            self._caption_pen().write(painter, line, caption)
            room.adjust(0, self.caption_height(index), 0, 0)
        paint_round_ground(painter, room, self._theme, option.state & ~POINTED_AT)
        self._write(painter, room.adjusted(px(_SIDE_PX), 0, -px(_SIDE_PX), 0), entry)
        painter.restore()

    def _write(self, painter: QPainter, room: QRectF, entry: Entry) -> None:
        ratio = painter.device().devicePixelRatioF()
        px = self._theme.px
        icon = self._theme.pixmap(entry.icon, "ink-2", px(_ICON_PX), ratio)
        painter.drawPixmap(QPointF(room.left(), room.center().y() - px(_ICON_PX) / 2), icon)
        hint = self._hint_pen()
        # Of what does not fit beside the text, the text is worth more.
        hint_width = min(hint.width_of(entry.hint) + 1, room.width() * 0.45)
        end = QRectF(room.right() - hint_width, room.top(), hint_width, room.height())
        hint.write_at_end(painter, end, entry.hint)
        width = room.width() - px(_TEXT_LEFT_PX - _SIDE_PX) - hint_width - px(_GAP_PX)
        text = MarkedText(entry.text, entry.marks, self._pen(), width)
        left = room.left() + px(_TEXT_LEFT_PX - _SIDE_PX)
        text.draw(painter, QPointF(left, room.top() + px(_PADDING_PX)))

    def _caption(self, index: Index) -> str:
        entry: Entry = index.data(ROW_ROLE)
        above = index.model().index(index.row() - 1, 0)
        if above.isValid() and above.data(ROW_ROLE).group is entry.group:
            return ""
        return caption_of(entry.group)

    def _pen(self) -> MarkedPen:
        ink = self._theme.color("ink")
        return MarkedPen(self._theme.font(), ink, ink)

    def _hint_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))

    def _caption_pen(self) -> Pen:
        return Pen(self._theme.font("caption", Weight.DemiBold), self._theme.color("ink-3"))


def spoken_entry(entry: Entry) -> str:
    """Return what a screen reader says of an entry."""
    parts = (caption_of(entry.group), title_line(entry.text), entry.hint)
    return ", ".join(part for part in parts if part)
