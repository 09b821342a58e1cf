"""Draws a chat in the sidebar, with the caption of its days above the first of each group."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.chat.conversations import ConversationRow, Mark
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import LINE_LIMIT, one_line
from app.ui.parts.painting import Pen
from app.ui.parts.tokens import Token
from app.ui.sidebar.dates import group_of, short_time
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE

_INSET_PX: Final = 8
_TEXT_INSET_PX: Final = 12
_ROW_PADDING_PX: Final = 6
_CAPTION_ABOVE_PX: Final = 14
_CAPTION_BELOW_PX: Final = 5
_RADIUS_PX: Final = 8
_MARK_PX: Final = 14
_DOT_RADIUS_PX: Final = 4
_GAP_PX: Final = 8
_ICON_MARKS: Final[dict[Mark, tuple[str, Token]]] = {
    Mark.WAITING: ("clock", "warn"),
    Mark.FAILED: ("circle-alert", "bad"),
}

Index = QModelIndex | QPersistentModelIndex


class ConversationDelegate(QStyledItemDelegate):
    """Paints `ConversationRow`s. The caption belongs to the first row of its group.

    `now` gives the time in the user's time zone. Made by the sidebar; ends with it.
    """

    def __init__(self, theme: Theme, now: Callable[[], datetime], parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._now = now
        # Asked for each row of the list whenever it is laid out; fonts stay the same for the run.
        self._title_height = self._title_pen().line_height()
        self._hint_height = self._hint_pen().line_height()
        self._caption_height = self._caption_pen().line_height()

    def caption_height(self, index: Index) -> int:
        """Returns the height of the caption above this row, or 0 if there is none."""
        if not self._caption(index):
            return 0
        return round(self._caption_height + _CAPTION_ABOVE_PX + _CAPTION_BELOW_PX)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Returns the height of a row, with its caption; the width is the list's."""
        lines = self._title_height + self._hint_height
        return QSize(0, round(lines + 2 * _ROW_PADDING_PX) + self.caption_height(index))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints the caption, if there is one, and the row."""
        row: ConversationRow = index.data(ROW_ROLE)
        room = QRectF(option.rect).adjusted(_INSET_PX, 0, -_INSET_PX, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        caption = self._caption(index)
        if caption:
            self._write_caption(painter, room, caption)
            room.adjust(0, self.caption_height(index), 0, 0)
        self._fill(painter, room.adjusted(0, 0, 0, -1), option)
        room.adjust(_TEXT_INSET_PX, _ROW_PADDING_PX - 1, -_TEXT_INSET_PX, 0)
        self._write(painter, room, row)
        painter.restore()

    def _write_caption(self, painter: QPainter, room: QRectF, caption: str) -> None:
        pen = self._caption_pen()
        line = QRectF(
            room.left() + _TEXT_INSET_PX,
            room.top() + _CAPTION_ABOVE_PX,
            room.width() - 2 * _TEXT_INSET_PX,
            self._caption_height,
        )
        pen.write(painter, line, caption)

    def _fill(self, painter: QPainter, room: QRectF, option: QStyleOptionViewItem) -> None:
        state = option.state
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selection"))
            painter.drawRoundedRect(room, _RADIUS_PX, _RADIUS_PX)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), _RADIUS_PX - 1, _RADIUS_PX - 1)

    def _write(self, painter: QPainter, room: QRectF, row: ConversationRow) -> None:
        title, hint = self._title_pen(), self._hint_pen()
        first = QRectF(room.left(), room.top(), room.width(), self._title_height)
        second = QRectF(room.left(), first.bottom(), room.width(), self._hint_height)
        time = short_time(row.updated_at, self._now()) if row.updated_at else ""
        mark_room = _MARK_PX + _GAP_PX if row.mark is not Mark.NONE else 0
        title.write(painter, first.adjusted(0, 0, -mark_room, 0), shown_title(row))
        hint.write_at_end(painter, second, time)
        hint.write(
            painter,
            second.adjusted(0, 0, -hint.width_of(time) - _GAP_PX, 0),
            count_words(row.message_count),
        )
        self._draw_mark(painter, first, row.mark)

    def _draw_mark(self, painter: QPainter, line: QRectF, mark: Mark) -> None:
        center = QPointF(line.right() - _MARK_PX / 2, line.center().y())
        if mark in _ICON_MARKS:
            name, ink = _ICON_MARKS[mark]
            ratio = painter.device().devicePixelRatioF()
            pixmap = self._theme.pixmap(name, ink, _MARK_PX, ratio)
            painter.drawPixmap(center - QPointF(_MARK_PX / 2, _MARK_PX / 2), pixmap)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        if mark is Mark.UNREAD:
            painter.drawEllipse(center, _DOT_RADIUS_PX, _DOT_RADIUS_PX)
        elif mark is Mark.STREAMING:
            for step in (-5, 0, 5):
                painter.drawEllipse(center + QPointF(step, 0), 1.6, 1.6)

    def _caption(self, index: Index) -> str:
        group = self._group(index)
        above = index.model().index(index.row() - 1, 0)
        return "" if above.isValid() and self._group(above) == group else group

    def _group(self, index: Index) -> str:
        row: ConversationRow = index.data(ROW_ROLE)
        now = self._now()
        return group_of(row.updated_at or now, now)

    def _title_pen(self) -> Pen:
        return Pen(self._theme.font(), self._theme.color("ink"))

    def _hint_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))

    def _caption_pen(self) -> Pen:
        return Pen(self._theme.font("caption", Weight.DemiBold), self._theme.color("ink-3"))


def shown_title(row: ConversationRow, limit: int = LINE_LIMIT) -> str:
    """Return the title as one line, or words for a chat that has none yet."""
    return one_line(row.title, limit) or QCoreApplication.translate("Sidebar", "New chat")


def count_words(count: int) -> str:
    """Return how many messages there are, in words."""
    if count == 1:
        return QCoreApplication.translate("Sidebar", "1 message")
    return QCoreApplication.translate("Sidebar", "{count} messages").format(count=count)
