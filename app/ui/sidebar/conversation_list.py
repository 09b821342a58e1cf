"""`ConversationList` lists chats: one is open, one has the keyboard, several may be selected."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QListView, QWidget

from app.chat.conversation_rows import ConversationRow
from app.ui.sidebar.conversation_delegate import ConversationDelegate
from app.ui.sidebar.grouped_list import GroupedList, RowSelection
from app.ui.theme import Theme
from app.ui.widgets.stylesheet import Token
from app.viewmodels.rows import Index, RowsModel
from app.viewmodels.sidebar.conversation_list import caption_words

_TICK_MS: Final = 60_000
_SELECTING: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class ConversationList(GroupedList):
    """Shows `ConversationRow`s; further pages are fetched as it is scrolled.

    A click or Enter opens; arrows only move the focus ring. Clicks with Ctrl or Shift and arrows
    with Shift select and never open. Made by the sidebar.
    """

    chosen = Signal(str)
    """A chat should open; argument: its id."""
    delete_asked = Signal(object)
    """Somebody wants to delete chats; argument: their `ConversationRow`s."""
    menu_asked = Signal(QPoint, object)
    """The context menu should open; arguments: where, and for which `ConversationRow`s."""

    def __init__(
        self, model: RowsModel[ConversationRow], theme: Theme, now: Callable[[], datetime]
    ) -> None:
        super().__init__(
            model,
            ConversationDelegate(theme, now),
            lambda row: caption_words(row, now()),
            theme,
        )
        self._now = now
        self._day = _day_of(now())
        self._open_id = ""
        self._open = QPersistentModelIndex()
        self._pressed = QPersistentModelIndex()
        self._selected = RowSelection(self.selectionModel(), self._open_index)
        self.setAccessibleName(self.tr("Chats"))
        model.modelReset.connect(self._find_open)
        model.rowsInserted.connect(self._on_model_rows_inserted)
        timer = QTimer(self, interval=_TICK_MS)
        timer.timeout.connect(self._on_timer_timeout)
        timer.start()

    def show_open(self, conversation_id: str) -> None:
        """Mark the open chat, and select it alone; an empty id marks none."""
        self._open_id = conversation_id
        self._find_open()
        # Whoever goes through the list by keys stays at their row.
        if self._open.isValid() and not self.hasFocus():
            self.setCurrentIndex(self._open_index())

    def targets(self) -> Sequence[ConversationRow]:
        """Return the chats that something should be done with, from above.

        Those that are selected; else the one under the keyboard, or else the open one.
        """
        return self._meant(self.currentIndex() if self.hasFocus() else self._open_index())

    def rename(self, conversation_id: str) -> None:
        """Open the field for the name of a chat."""
        index = self._index_of(conversation_id)
        if index.isValid():
            self.scrollTo(index)
            self.setCurrentIndex(index)
            self.edit(index)

    def neighbour(self, step: int) -> str:
        """Return the chat that is so many rows below the open one; empty beyond the ends."""
        row = self._open.row() + step if self._open.isValid() else 0
        return self.rows[row].conversation_id if 0 <= row < len(self.rows) else ""

    def selectionCommand(
        self, _index: Index, _event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Return that keys and clicks select nothing by themselves."""
        return QItemSelectionModel.SelectionFlag.NoUpdate

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click, or select with Ctrl or Shift."""
        index, before = self.indexAt(event.position().toPoint()), self.currentIndex()
        is_left = event.button() is Qt.MouseButton.LeftButton
        is_selecting = bool(event.modifiers() & _SELECTING)
        self._pressed = QPersistentModelIndex()
        super().mousePressEvent(event)
        if is_left and index.isValid() and is_selecting:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._select(index, event.modifiers(), before)
        elif is_left and index.isValid():
            # Opened when the button is released, and only over the same row.
            self._pressed = QPersistentModelIndex(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the chat that was clicked; captions are no part of it."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if self._pressed.isValid() and self._pressed == index:
            self._choose(index)
        self._pressed = QPersistentModelIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter, ask about deleting on Delete, select with Shift, let go on Esc."""
        before = self.currentIndex()
        if self.state() is QListView.State.EditingState:
            # Keys that the field for a name has no use for come here, such as its Enter.
            event.accept()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(before)
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_asked.emit(self._meant(before))
        elif event.key() == Qt.Key.Key_Escape and self._selected.is_chosen:
            self._selected.select_open()
        elif event.key() == Qt.Key.Key_Space and event.modifiers() and before.isValid():
            self._selected.toggle(before)
        else:
            super().keyPressEvent(event)
            self._select_by_key(event, before)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the chats that are meant, or with the list."""
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self.indexAt(event.pos())
        is_chosen = self.selectionModel().isSelected(index)
        rows = self._meant(index) if is_chosen else self._row_at(index)
        at = self.visualRect(index).center() if is_by_key and index.isValid() else event.pos()
        self.menu_asked.emit(self.viewport().mapToGlobal(at), rows)

    def closeEditor(self, editor: QWidget, _hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Close the field for a name; Tab goes on from the list, and not to another name."""
        super().closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)

    def ground_of(self, index: QModelIndex, *, is_hovered: bool) -> Token | None:
        """Return the colour of a row that is selected, open or under the pointer."""
        if self._selected.is_chosen and self.selectionModel().isSelected(index):
            return "accent-soft"
        if self._open == index:
            return "selection"
        return "hover" if is_hovered else None

    def _select(
        self, index: QModelIndex, modifiers: Qt.KeyboardModifier, before: QModelIndex
    ) -> None:
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._selected.extend_to(index, before)
        else:
            self._selected.toggle(index)

    def _select_by_key(self, event: QKeyEvent, before: QModelIndex) -> None:
        now = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.SelectAll) or now == before:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._selected.extend_to(now, before)
        else:
            self._selected.end_range()

    def _choose(self, index: Index) -> None:
        if index.isValid():
            self._selected.end_range()
            self._selected.select_open()
            self.chosen.emit(self.rows[index.row()].conversation_id)

    def _find_open(self) -> None:
        self._open = QPersistentModelIndex(self._index_of(self._open_id))
        self._selected.select_open()
        self.viewport().update()

    def _meant(self, index: QModelIndex) -> Sequence[ConversationRow]:
        if self._selected.is_chosen:
            rows = self.rows
            return tuple(rows[row] for row in self._selected.rows)
        return self._row_at(index)

    def _row_at(self, index: QModelIndex) -> Sequence[ConversationRow]:
        return (self.rows[index.row()],) if index.isValid() else ()

    def _open_index(self) -> QModelIndex:
        return self._model.index(self._open.row(), 0)

    def _index_of(self, conversation_id: str) -> QModelIndex:
        for at, row in enumerate(self.rows):
            if row.conversation_id == conversation_id:
                return self._model.index(at, 0)
        return QModelIndex()

    def _on_model_rows_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        if self._open.isValid() or not self._open_id:
            return
        for at, row in enumerate(self.rows[first : last + 1], start=first):
            if row.conversation_id == self._open_id:
                self._open = QPersistentModelIndex(self._model.index(at, 0))
                self._selected.select_open()

    def _on_timer_timeout(self) -> None:
        """Show other captions and times: it is a new day, or another time zone."""
        day = _day_of(self._now())
        if day != self._day:
            self._day = day
            self.regroup()


def _day_of(now: datetime) -> tuple[object, timedelta | None]:
    return now.date(), now.utcoffset()
