"""`ConversationDelegate` paints the chats of the sidebar and makes the field to rename one."""

import sys
from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.chat.conversation_rows import ConversationRow
from app.chat.sessions import ConversationStatus
from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import LINE_LIMIT, title_line
from app.ui.widgets.painting import Pen, paint_round_ground
from app.ui.widgets.stylesheet import Token
from app.viewmodels.dates import short_time
from app.viewmodels.rows import ROW_ROLE, Index
from app.viewmodels.sidebar.conversation_list import hint_words, title_words

_INSET_PX: Final = 8
_TEXT_INSET_PX: Final = 12
_ROW_PADDING_PX: Final = 6
_CAPTION_ABOVE_PX: Final = 14
_CAPTION_BELOW_PX: Final = 5
_MARK_PX: Final = 14
_DOT_RADIUS_PX: Final = 4
_GAP_PX: Final = 8
_NAME_LIMIT: Final = 200
_ICON_MARKS: Final[dict[ConversationStatus, tuple[str, Token]]] = {
    ConversationStatus.WAITING: ("clock", "warn"),
    ConversationStatus.FAILED: ("circle-alert", "bad"),
}


class ConversationDelegate(QStyledItemDelegate):
    """Paints `ConversationRow`s, all of one height, and the captions of their groups.

    `now` gives the time in the user's time zone. Made by the list; ends with it.
    """

    def __init__(
        self, theme: Theme, now: Callable[[], datetime], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._now = now
        self.measure()

    def measure(self) -> None:
        """Take the heights anew, when fonts have changed."""
        self._title_height = self._title_pen().line_height()
        self._hint_height = self._hint_pen().line_height()
        line = self._caption_pen().line_height()
        px = self._theme.px
        self.caption_height = round(line + px(_CAPTION_ABOVE_PX) + px(_CAPTION_BELOW_PX))
        self.row_height = round(self._title_height + self._hint_height + 2 * px(_ROW_PADDING_PX))

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the height of a row; the width is the list's."""
        return QSize(0, self.row_height)

    def paint_caption(self, painter: QPainter, room: QRectF, caption: str) -> None:
        """Paint what stands above the first row of a group."""
        px = self._theme.px
        inset = px(_INSET_PX) + px(_TEXT_INSET_PX)
        line = room.adjusted(inset, px(_CAPTION_ABOVE_PX), -inset, -px(_CAPTION_BELOW_PX))
        self._caption_pen().write(painter, line, caption)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row; its ground is the option's."""
        row: ConversationRow = index.data(ROW_ROLE)
        inset = self._theme.px(_INSET_PX)
        room = QRectF(option.rect).adjusted(inset, 0, -inset, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = room.adjusted(0, 0, 0, -1)
        paint_round_ground(painter, ground, self._theme, option.state, option.backgroundBrush)
        self._write(painter, self._text_room(room), row)
        painter.restore()

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        """Return the field in which a chat is renamed."""
        field = QLineEdit(parent)
        field.setObjectName("chat-name")
        field.setFont(self._theme.font())
        field.setMaxLength(_NAME_LIMIT)
        field.setAccessibleName(self.tr("Chat name"))
        field.setPlaceholderText(self.tr("Leave empty to use the first words"))
        if sys.platform == "linux":
            # Qt tells of the selection in it before the focus, and Orca then leaves out the name.
            announce(field, field.accessibleName())
        return field

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fill in the name once; what is typed stays, whatever becomes of the row meanwhile."""
        if isinstance(editor, QLineEdit) and not editor.property("filled"):
            editor.setProperty("filled", True)
            editor.setText(index.data(ROW_ROLE).title)
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Give the typed name to the model, which renames the chat."""
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        """Put the field where the name stands."""
        inset = self._theme.px(_INSET_PX)
        room = option.rect.adjusted(inset, 2, -inset, -3)
        editor.setGeometry(room)

    def _write(self, painter: QPainter, room: QRectF, row: ConversationRow) -> None:
        title, hint = self._title_pen(), self._hint_pen()
        first = QRectF(room.left(), room.top(), room.width(), self._title_height)
        second = QRectF(room.left(), first.bottom(), room.width(), self._hint_height)
        time = short_time(row.updated_at, self._now()) if row.updated_at else ""
        gap = self._theme.px(_GAP_PX)
        mark_room = (
            self._theme.px(_MARK_PX) + gap if row.status is not ConversationStatus.NONE else 0
        )
        title.write(painter, first.adjusted(0, 0, -mark_room, 0), shown_title(row))
        hint.write_at_end(painter, second, time)
        rest = second.adjusted(0, 0, -hint.width_of(time) - gap, 0)
        hint.write(painter, rest, hint_words(row))
        self._draw_mark(painter, first, row.status)

    def _draw_mark(self, painter: QPainter, line: QRectF, mark: ConversationStatus) -> None:
        px = self._theme.px
        side = px(_MARK_PX)
        center = QPointF(line.right() - side / 2, line.center().y())
        if mark in _ICON_MARKS:
            name, ink = _ICON_MARKS[mark]
            ratio = painter.device().devicePixelRatioF()
            pixmap = self._theme.pixmap(name, ink, side, ratio)
            painter.drawPixmap(center - QPointF(side / 2, side / 2), pixmap)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        if mark is ConversationStatus.UNREAD:
            painter.drawEllipse(center, px(_DOT_RADIUS_PX), px(_DOT_RADIUS_PX))
        elif mark is ConversationStatus.STREAMING:
            radius = 0.4 * px(_DOT_RADIUS_PX)
            for step in (-3 * radius, 0, 3 * radius):
                painter.drawEllipse(center + QPointF(step, 0), radius, radius)

    def _text_room(self, room: QRectF) -> QRectF:
        inset, padding = self._theme.px(_TEXT_INSET_PX), self._theme.px(_ROW_PADDING_PX)
        return room.adjusted(inset, padding - 1, -inset, 0)

    def _title_pen(self) -> Pen:
        return Pen(self._theme.font(), self._theme.color("ink"))

    def _hint_pen(self) -> Pen:
        return Pen(self._theme.font("small"), self._theme.color("ink-3"))

    def _caption_pen(self) -> Pen:
        return Pen(self._theme.font("caption", Weight.DemiBold), self._theme.color("ink-3"))


def shown_title(row: ConversationRow, limit: int = LINE_LIMIT) -> str:
    """Return the title as one line, nothing hidden in it."""
    return title_line(title_words(row), limit) or title_line(row.title, limit)
