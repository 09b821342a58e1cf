"""`GroupedList` lists rows of one height under captions, as quick with 10,000 rows as with ten.

`Groups` computes the positions of rows and captions. `RowSelection` has the selected rows: the
open chat alone, or several that a command acts on.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
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
    QTimer,
)
from PySide6.QtGui import QBrush, QCursor, QFocusEvent, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyleOptionViewItem,
)

from app.chat.conversation_rows import ConversationRow
from app.ui.sidebar.conversation_delegate import ConversationDelegate
from app.ui.theme import Theme
from app.ui.widgets.accessible import tell_current
from app.ui.widgets.stylesheet import Token
from app.viewmodels.rows import Index, RowsModel

CaptionOf = Callable[[ConversationRow], str]

NOWHERE: Final = -1


class Groups:
    """The positions of sorted rows, in px from the top of the first caption.

    Made anew for each state of the rows, at a cost per group and not per row.
    """

    def __init__(
        self,
        rows: Sequence[ConversationRow],
        caption_of: CaptionOf,
        row_height: int,
        caption_height: int,
    ) -> None:
        self.count: Final = len(rows)
        self.row_height: Final = row_height
        self.caption_height: Final = caption_height
        self._firsts: list[int] = []
        self._captions: list[str] = []
        first = 0
        while first < len(rows):
            self._firsts.append(first)
            self._captions.append(caption_of(rows[first]))
            first = _end_of_group(rows, first, caption_of)
        self._tops = [
            first * row_height + number * caption_height
            for number, first in enumerate(self._firsts)
        ]

    @property
    def height(self) -> int:
        """The height of everything."""
        return self.count * self.row_height + len(self._firsts) * self.caption_height

    def captions(self) -> Iterator[tuple[str, int]]:
        """Give each caption with its top."""
        return zip(self._captions, self._tops, strict=True)

    def top_of(self, row: int) -> int:
        """Return the top of a row, which is below its caption."""
        return row * self.row_height + bisect_right(self._firsts, row) * self.caption_height

    def has_caption(self, row: int) -> bool:
        """Tell whether a caption stands above the row."""
        at = bisect_left(self._firsts, row)
        return at < len(self._firsts) and self._firsts[at] == row

    def row_at(self, y: int) -> int:
        """Return the row at this place, or `NOWHERE` on a caption and outside."""
        group = bisect_right(self._tops, y) - 1
        if group < 0 or y >= self.height:
            return NOWHERE
        below_caption = y - self._tops[group] - self.caption_height
        return self._firsts[group] + below_caption // self.row_height if below_caption >= 0 else -1

    def first_below(self, y: int) -> int:
        """Return the first row of which something is below this place; `count` if none is."""
        group = max(bisect_right(self._tops, y) - 1, 0)
        if not self._tops:
            return 0
        below_caption = max(y - self._tops[group] - self.caption_height, 0)
        return min(self._firsts[group] + below_caption // self.row_height, self.count)


def _end_of_group(rows: Sequence[ConversationRow], first: int, caption_of: CaptionOf) -> int:
    """Search in growing steps, since most groups are short."""
    caption, step = caption_of(rows[first]), 1
    known = first
    while known + step < len(rows) and caption_of(rows[known + step]) == caption:
        known += step
        step *= 2
    end = min(known + step, len(rows))
    return bisect_left(rows, True, known + 1, end, key=lambda row: caption_of(row) != caption)


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
        # The topmost visible row, and how far above the edge of the viewport it begins.
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
        """Return the rows that stand in the window, from above."""
        self.executeDelayedItemsLayout()
        top, height = self.verticalOffset(), self.viewport().height()
        first = self._groups.first_below(top)
        last = self._groups.first_below(top + height)
        return self.rows[first : last + 1]

    def regroup(self) -> None:
        """Lay out anew: the same rows may belong under other captions."""
        self.scheduleDelayedItemsLayout()

    def ground_of(self, index: QModelIndex, *, is_hovered: bool) -> Token | None:
        """Return the colour that a row stands on, if any."""
        raise NotImplementedError

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin with the first row where there is none yet, and have it read out."""
        was_nowhere = not self.currentIndex().isValid()
        super().focusInEvent(event)
        if was_nowhere:
            # After the event that Qt sends for the focus of the list itself.
            QTimer.singleShot(0, self, self._tell_current)

    def doItemsLayout(self) -> None:
        """Find the places of all rows."""
        delegate = self._delegate
        self._groups = Groups(
            self.rows, self._caption_of, delegate.row_height, delegate.caption_height
        )
        # WORKAROUND QListView would ask the delegate for the size of every row at each change.
        QAbstractItemView.doItemsLayout(self)
        self._keep_in_view()

    def updateGeometries(self) -> None:
        """Tell the scroll bar how much there is."""
        QAbstractItemView.updateGeometries(self)
        bar, page = self.verticalScrollBar(), self.viewport().height()
        bar.setSingleStep(self._groups.row_height)
        bar.setPageStep(page)
        bar.setRange(0, max(self._groups.height + _ROOM_BELOW_PX - page, 0))

    def visualRect(self, index: Index) -> QRect:
        """Return where a row is in the viewport, without its caption."""
        # Qt asks for places before it has laid out what the model announced last.
        self.executeDelayedItemsLayout()
        if not index.isValid() or index.row() >= self._groups.count:
            return QRect()
        top = self._groups.top_of(index.row()) - self.verticalOffset()
        return QRect(0, top, self.viewport().width(), self._groups.row_height)

    def indexAt(self, at: QPoint) -> QModelIndex:
        """Return the row at this point; captions are none."""
        self.executeDelayedItemsLayout()
        row = self._groups.row_at(at.y() + self.verticalOffset())
        return QModelIndex() if row == NOWHERE else self._model.index(row, 0)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring a row into view, with the caption that stands above it."""
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
        """Return the row that an arrow or another key leads to."""
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
        """Return that nothing is moved sideways."""
        return 0

    def verticalOffset(self) -> int:
        """Return how far it is scrolled."""
        return self.verticalScrollBar().value()

    def scrollContentsBy(self, x: int, y: int) -> None:
        """Move what is painted already."""
        self.viewport().scroll(x, y)

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Select nothing by dragging."""

    def visualRegionForSelection(self, _selection: QItemSelection) -> QRegion:
        """Return what to paint anew when other rows are selected."""
        return QRegion(self.viewport().rect())

    def viewportSizeHint(self) -> QSize:
        """Return the size that shows everything."""
        return QSize(0, self._groups.height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in view, and the captions."""
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
        # Looked up at each painting, as rows move under a pointer that rests.
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

    def _tell_current(self) -> None:
        if self.hasFocus():
            tell_current(self)

    def _on_scroll_bar_value_changed(self) -> None:
        # While the layout lags behind the model, the bar moves by itself.
        if self._groups.count == self._model.rowCount():
            self._remember_place()

    def _on_model_rows_about_to_be_moved(
        self, _parent: QModelIndex, first: int, last: int, _to: QModelIndex, _row: int
    ) -> None:
        """Keep the view where it is while a row moves away."""
        if first <= self._anchor.row() <= last:
            self._anchor = QPersistentModelIndex(self._model.index(last + 1, 0))

    def _on_theme_changed(self) -> None:
        self._delegate.measure()
        self.regroup()
        self.viewport().update()


_ONLY: Final = QItemSelectionModel.SelectionFlag.ClearAndSelect
_TOGGLE: Final = QItemSelectionModel.SelectionFlag.Toggle


class RowSelection:
    """Selects rows of a list for its view. `open_index` is the open chat, invalid if none is.

    Selecting never opens. As long as nobody selects otherwise, the open chat is selected. Made by
    the list with each model; ends with it.
    """

    def __init__(
        self, selection: QItemSelectionModel, open_index: Callable[[], QModelIndex]
    ) -> None:
        self._selection = selection
        self._open_index = open_index
        self._anchor = QPersistentModelIndex()

    @property
    def rows(self) -> Sequence[int]:
        """The selected rows, from above."""
        return sorted(row for range_ in self._ranges() for row in range_)

    @property
    def is_chosen(self) -> bool:
        """Whether somebody selected something other than the open chat."""
        open_index = self._open_index()
        is_open_alone = range(open_index.row(), open_index.row() + 1)
        ranges = self._ranges()
        return bool(ranges) and ranges != [is_open_alone]

    def select_open(self) -> None:
        """Select the open chat alone."""
        index = self._open_index()
        if index.isValid():
            self._selection.select(index, _ONLY)
        else:
            self._selection.clearSelection()

    def toggle(self, index: QModelIndex) -> None:
        """Select one more, or one less."""
        self._anchor = QPersistentModelIndex(index)
        self._selection.select(index, _TOGGLE)

    def extend_to(self, index: QModelIndex, start: Index) -> None:
        """Select from the anchor to `index`; if there is no anchor, `start` becomes it."""
        if not self._anchor.isValid():
            self._anchor = QPersistentModelIndex(start if start.isValid() else index)
        first, last = sorted((self._anchor.row(), index.row()))
        model = index.model()
        whole = QItemSelection(model.index(first, 0), model.index(last, 0))
        self._selection.select(whole, _ONLY)

    def end_range(self) -> None:
        """Forget where the range began; the next one begins at the keyboard."""
        self._anchor = QPersistentModelIndex()

    def _ranges(self) -> list[range]:
        # Asking for each index would take seconds when all of many rows are selected.
        selection = self._selection.selection()
        parts = (selection.at(number) for number in range(selection.count()))
        return [range(part.top(), part.bottom() + 1) for part in parts]
