"""Draws a line with a box to tick before its words."""

from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.ui.parts.painting import Pen
from app.ui.parts.row_ground import POINTED_AT, paint_round_ground
from app.ui.theme import Theme
from app.viewmodels.rows import Index

_PADDING_PX: Final = 4
_SIDE_PX: Final = 8
_BOX_PX: Final = 15
_CHECK_PX: Final = 11
_GAP_PX: Final = 8
_RADIUS_PX: Final = 4


class TickDelegate(QStyledItemDelegate):
    """Paints box and words; a click on the box, or Space, ticks. Made by a list; ends with it."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Return the height of a line; the width is the list's."""
        height = max(self._pen().line_height(), self._theme.px(_BOX_PX))
        return QSize(0, round(height + 2 * self._theme.px(_PADDING_PX)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one line."""
        px, room = self._theme.px, QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_round_ground(painter, room, self._theme, option.state & ~POINTED_AT)
        self._paint_box(painter, room, Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)))
        words = room.adjusted(px(_SIDE_PX + _BOX_PX + _GAP_PX), 0, -px(_SIDE_PX), 0)
        self._pen().write(painter, words, index.data())
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Tick, or take the tick away."""
        is_key = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
        is_press = event.type() == QEvent.Type.KeyPress and is_key
        if not (is_press or self._is_click_on_box(event, option)):
            return False
        is_ticked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole))
        ticked, none = Qt.CheckState.Checked, Qt.CheckState.Unchecked
        state = none if is_ticked is ticked else ticked
        return model.setData(index, state, Qt.ItemDataRole.CheckStateRole)

    def _is_click_on_box(self, event: QEvent, option: QStyleOptionViewItem) -> bool:
        if not isinstance(event, QMouseEvent) or event.type() != QEvent.Type.MouseButtonRelease:
            return False
        wide = self._theme.px(2 * _SIDE_PX + _BOX_PX)
        is_left = event.button() == Qt.MouseButton.LeftButton
        return is_left and event.position().x() <= option.rect.left() + wide

    def _paint_box(self, painter: QPainter, room: QRectF, state: Qt.CheckState) -> None:
        px, color = self._theme.px, self._theme.color
        side = px(_BOX_PX)
        box = QRectF(room.left() + px(_SIDE_PX), room.center().y() - side / 2, side, side)
        is_empty = state is Qt.CheckState.Unchecked
        painter.setPen(QPen(color("ink-3" if is_empty else "bad"), max(1, px(1))))
        painter.setBrush(color("bg" if is_empty else "bad-soft"))
        painter.drawRoundedRect(box, px(_RADIUS_PX), px(_RADIUS_PX))
        if not is_empty:
            name = "check" if state is Qt.CheckState.Checked else "minus"
            ratio, check = painter.device().devicePixelRatioF(), px(_CHECK_PX)
            icon = self._theme.pixmap(name, "bad", check, ratio)
            at = QPointF(box.center().x() - check / 2, box.center().y() - check / 2)
            painter.drawPixmap(at, icon)

    def _pen(self) -> Pen:
        return Pen(self._theme.font("secondary"), self._theme.color("ink"))
