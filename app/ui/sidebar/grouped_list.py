"""A list of rows of one height under captions, as quick with 10,000 rows as with ten."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QBrush, QCursor, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyleOptionViewItem,
)

from app.chat.conversation_rows import ConversationRow
from app.ui.parts.tokens import Token
from app.ui.sidebar.conversation_delegate import ConversationDelegate
from app.ui.sidebar.groups import NOWHERE, CaptionOf, Groups
from app.ui.theme import Theme
from app.viewmodels.rows import Index, RowsModel

_ROOM_BELOW_PX: Final = 8


class GroupedList(QListView):
    """Lays rows out by arithmetic instead of asking for the size of each.

    What is in view stays in view when rows come, go and move elsewhere; at the very top, what
    comes new is seen. Whoever derives from it says what rows stand on. Made by the sidebar.
    """

    def __init__(
        self,
        model: RowsModel[ConversationRow],
        delegate: ConversationDelegate,
        caption_of: CaptionOf,
        theme: Theme,
    ) -> None:
        super().__init__()
        self._model = model
        self._delegate = delegate
        self._caption_of = caption_of
        self._theme = theme
        self._groups = Groups((), caption_of, delegate.row_height, delegate.caption_height)
        # What was uppermost in view, and how far above the edge it began.
        self._anchor = QPersistentModelIndex()
        self._anchor_above = 0
        self.setItemDelegate(delegate)
        self.setModel(model)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._on_scroll_bar_value_changed)
        model.rowsAboutToBeMoved.connect(self._on_model_rows_about_to_be_moved)
        theme.changed.connect(self._on_theme_changed)

    @property
    def rows(self) -> Sequence[ConversationRow]:
        """The rows as they are shown now."""
        return self._model.rows

    def rows_in_view(self) -> Sequence[ConversationRow]:
        """Returns the rows that stand in the window, from above."""
        self.executeDelayedItemsLayout()
        top, height = self.verticalOffset(), self.viewport().height()
        first = self._groups.first_below(top)
        last = self._groups.first_below(top + height)
        return self.rows[first : last + 1]

    def regroup(self) -> None:
        """Lays out anew: the same rows may belong under other captions."""
        self.scheduleDelayedItemsLayout()

    def ground_of(self, index: QModelIndex, *, is_hovered: bool) -> Token | None:
        """Returns the colour that a row stands on, if any."""
        raise NotImplementedError

    def doItemsLayout(self) -> None:
        """Finds the places of all rows."""
        delegate = self._delegate
        self._groups = Groups(
            self.rows, self._caption_of, delegate.row_height, delegate.caption_height
        )
        # WORKAROUND QListView would ask the delegate for the size of every row at each change.
        QAbstractItemView.doItemsLayout(self)
        self._keep_in_view()

    def updateGeometries(self) -> None:
        """Tells the scroll bar how much there is."""
        QAbstractItemView.updateGeometries(self)
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bar.setSingleStep(self._groups.row_height)
        bar.setPageStep(page)
        bar.setRange(0, max(self._groups.height + _ROOM_BELOW_PX - page, 0))

    def visualRect(self, index: Index) -> QRect:
        """Returns where a row is in the viewport, without its caption."""
        self.executeDelayedItemsLayout()
        if not index.isValid() or index.row() >= self._groups.count:
            return QRect()
        top = self._groups.top_of(index.row()) - self.verticalOffset()
        return QRect(0, top, self.viewport().width(), self._groups.row_height)

    def indexAt(self, at: QPoint) -> QModelIndex:
        """Returns the row at this point; captions are none."""
        self.executeDelayedItemsLayout()
        row = self._groups.row_at(at.y() + self.verticalOffset())
        return QModelIndex() if row == NOWHERE else self._model.index(row, 0)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Brings a row into view, with the caption that stands above it."""
        rect, page = self.visualRect(index), self.viewport().height()
        if not index.isValid():
            return
        above = self._groups.caption_height if self._groups.has_caption(index.row()) else 0
        bar = self.verticalScrollBar()
        if hint is QAbstractItemView.ScrollHint.PositionAtCenter:
            bar.setValue(bar.value() + rect.center().y() - page // 2)
        elif rect.top() - above < 0 or hint is QAbstractItemView.ScrollHint.PositionAtTop:
            bar.setValue(bar.value() + rect.top() - above)
        elif rect.bottom() >= page or hint is QAbstractItemView.ScrollHint.PositionAtBottom:
            bar.setValue(bar.value() + rect.bottom() + 1 - page)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, _modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Returns the row that an arrow or another key leads to."""
        self.executeDelayedItemsLayout()
        current, last = self.currentIndex().row(), self._groups.count - 1
        page = max(self.viewport().height() // self._groups.row_height - 1, 1)
        move = QAbstractItemView.CursorAction
        row = {
            move.MoveUp: current - 1,
            move.MoveDown: current + 1,
            move.MovePageUp: current - page,
            move.MovePageDown: current + page,
            move.MoveHome: 0,
            move.MoveEnd: last,
        }.get(action, current)
        return self._model.index(min(max(row, 0), last), 0)

    def horizontalOffset(self) -> int:
        """Returns that nothing is moved sideways."""
        return 0

    def verticalOffset(self) -> int:
        """Returns how far it is scrolled."""
        return self.verticalScrollBar().value()

    def scrollContentsBy(self, x: int, y: int) -> None:
        """Moves what is painted already."""
        self.viewport().scroll(x, y)

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Selects nothing by dragging."""

    def visualRegionForSelection(self, _selection: QItemSelection) -> QRegion:
        """Returns what to paint anew when other rows are selected."""
        return QRegion(self.viewport().rect())

    def viewportSizeHint(self) -> QSize:
        """Returns the size that shows everything."""
        return QSize(0, self._groups.height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the rows in view, and the captions."""
        self.executeDelayedItemsLayout()
        painter = QPainter(self.viewport())
        top, bottom = event.rect().top(), event.rect().bottom()
        self._paint_captions(painter, top, bottom)
        hovered = self._hovered()
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        for row in range(self._groups.first_below(top + self.verticalOffset()), self._groups.count):
            index = self._model.index(row, 0)
            option.rect = self.visualRect(index)
            if option.rect.top() > bottom:
                break
            self._paint_row(painter, option, index, is_hovered=index == hovered)

    def _paint_row(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex,
        *,
        is_hovered: bool,
    ) -> None:
        ground = self.ground_of(index, is_hovered=is_hovered)
        option.backgroundBrush = QBrush(self._theme.color(ground)) if ground else QBrush()
        option.state = QStyle.StateFlag.State_Enabled
        if self.hasFocus() and index == self.currentIndex():
            option.state |= QStyle.StateFlag.State_HasFocus
        self._delegate.paint(painter, option, index)

    def _paint_captions(self, painter: QPainter, top: int, bottom: int) -> None:
        width, height = self.viewport().width(), self._groups.caption_height
        for caption, at in self._groups.captions():
            y = at - self.verticalOffset()
            if y <= bottom and y + height >= top:
                self._delegate.paint_caption(painter, QRectF(0, y, width, height), caption)

    def _hovered(self) -> QModelIndex:
        viewport = self.viewport()
        if not viewport.underMouse():
            return QModelIndex()
        return self.indexAt(viewport.mapFromGlobal(QCursor.pos()))

    def _keep_in_view(self) -> None:
        bar = self.verticalScrollBar()
        if bar.value() and self._anchor.isValid():
            bar.setValue(self._groups.top_of(self._anchor.row()) + self._anchor_above)
        self._remember_place()

    def _remember_place(self) -> None:
        offset = self.verticalOffset()
        row = self._groups.first_below(offset)
        self._anchor = QPersistentModelIndex(self._model.index(row, 0))
        self._anchor_above = offset - self._groups.top_of(row)

    def _on_scroll_bar_value_changed(self) -> None:
        if self._groups.count == self._model.rowCount():
            self._remember_place()

    def _on_model_rows_about_to_be_moved(
        self, _parent: QModelIndex, first: int, last: int, _to: QModelIndex, _row: int
    ) -> None:
        """A row that moves away does not take the view along."""
        if first <= self._anchor.row() <= last:
            self._anchor = QPersistentModelIndex(self._model.index(last + 1, 0))

    def _on_theme_changed(self) -> None:
        self._delegate.measure()
        self.regroup()
        self.viewport().update()
