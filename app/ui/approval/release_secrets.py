"""`SecretList` lists the secrets of a result, each with a check box that lets it leave as it is.

`TickDelegate` paints the box before the words of a line and turns clicks and Space into ticks.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QObject,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.ui.theme import Theme
from app.ui.widgets.painting import POINTED_AT, Pen, paint_round_ground
from app.viewmodels.approval.approval import SecretView
from app.viewmodels.rows import Index

_PADDING_PX: Final = 4
_SIDE_PX: Final = 8
_BOX_PX: Final = 15
_CHECK_PX: Final = 11
_GAP_PX: Final = 8
_RADIUS_PX: Final = 4


class TickDelegate(QStyledItemDelegate):
    """Paint box and words; a click on the line, or Space, ticks. Made by a list; ends with it."""

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
        if not (is_press or self._is_click(event, option)):
            return False
        is_ticked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole))
        ticked, none = Qt.CheckState.Checked, Qt.CheckState.Unchecked
        state = none if is_ticked is ticked else ticked
        return model.setData(index, state, Qt.ItemDataRole.CheckStateRole)

    @staticmethod
    def _is_click(event: QEvent, option: QStyleOptionViewItem) -> bool:
        if not isinstance(event, QMouseEvent) or event.type() != QEvent.Type.MouseButtonRelease:
            return False
        is_left = event.button() == Qt.MouseButton.LeftButton
        return is_left and option.rect.contains(event.position().toPoint())

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


_MOST_LINES: Final = 4
_LEAST_LINES: Final = 2
_TICKED, _PARTLY = Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked


class SecretList(QListWidget):
    """Lists what was found; at first nothing is ticked. Above several stands one line for all.

    Up and Down lead from one to the next, Space ticks. Made by the card of a result.
    """

    changed = Signal(object)
    """Other secrets are ticked; argument: their numbers, a frozen set."""
    pointed_at = Signal(int)
    """The person has come to this secret; argument: its number."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._all: QListWidgetItem | None = None
        self.setAccessibleName(self.tr("Secrets. Ticked ones are sent unmasked."))
        self.setItemDelegate(TickDelegate(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setUniformItemSizes(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self.viewport().update)
        self.itemChanged.connect(self._on_item_changed)
        self.currentRowChanged.connect(self._on_current_row_changed)

    def show_secrets(self, secrets: Sequence[SecretView]) -> None:
        """List these secrets, none of them ticked."""
        # Making the rows sets their ticks, which are none of the person's.
        self.blockSignals(True)
        self.clear()
        self._all = None
        if len(secrets) > 1:
            self._all = self._item(self.tr("All %n secrets", "", len(secrets)))
        for secret in secrets:
            self._item(secret.words)
        self.blockSignals(False)
        self.updateGeometry()

    @property
    def ticked(self) -> frozenset[int]:
        """The numbers of the secrets that are sent as they are."""
        rows = range(self._above, self.count())
        return frozenset(r - self._above for r in rows if self.item(r).checkState() == _TICKED)

    def wanted_height(self) -> int:
        """Return the height that shows the first secrets of the list."""
        return self._height(min(self.count(), _MOST_LINES))

    def least_height(self) -> int:
        """Return the smallest height at which the list can be scrolled."""
        return self._height(min(self.count(), _LEAST_LINES))

    def sizeHint(self) -> QSize:
        """Ask for a few lines."""
        return QSize(super().sizeHint().width(), self.wanted_height())

    def minimumSizeHint(self) -> QSize:
        """Need fewer lines than it asks for: the others are scrolled to."""
        return QSize(0, self.least_height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the first line current, if none is yet."""
        super().focusInEvent(event)
        if self.currentRow() < 0:
            self.setCurrentRow(0, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    @property
    def _above(self) -> int:
        """How many lines stand above the secrets."""
        return 0 if self._all is None else 1

    def _item(self, words: str) -> QListWidgetItem:
        item = QListWidgetItem(words, self)
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
        )
        item.setCheckState(Qt.CheckState.Unchecked)
        return item

    def _height(self, lines: int) -> int:
        return max(1, lines) * max(1, self.sizeHintForRow(0)) + 2 * self.frameWidth()

    def _on_item_changed(self, item: QListWidgetItem) -> None:
        # The ticks that follow from this one are told together, at the end.
        self.blockSignals(True)
        if self._all is item and item.checkState() != _PARTLY:
            for row in range(self._above, self.count()):
                self.item(row).setCheckState(item.checkState())
        ticked = self.ticked
        if self._all is not None:
            is_all = len(ticked) == self.count() - self._above
            none = Qt.CheckState.Unchecked
            self._all.setCheckState(_TICKED if is_all else _PARTLY if ticked else none)
        self.blockSignals(False)
        self.viewport().update()
        self.changed.emit(ticked)

    def _on_current_row_changed(self, row: int) -> None:
        if row >= self._above:
            self.pointed_at.emit(row - self._above)
