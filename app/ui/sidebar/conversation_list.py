"""The list of chats in the sidebar: one is open, another may be under the keyboard."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QListView, QMenu

from app.chat.conversations import ConversationRow
from app.ui.parts.menus import make_menu
from app.ui.sidebar.conversation_delegate import ConversationDelegate
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE

_DAY_CHECK_MS: Final = 60_000

Index = QModelIndex | QPersistentModelIndex


class ConversationList(QListView):
    """Shows `ConversationRow`s; further pages are fetched as it is scrolled.

    A click or Enter opens; arrows only move the ring. What is selected is the open chat, which
    `show_open` says. Made by the sidebar.
    """

    chosen = Signal(str)
    """A chat should open; argument: its id."""
    delete_asked = Signal(object)
    """Somebody wants to delete a chat; argument: its `ConversationRow`."""

    def __init__(
        self, model: QAbstractItemModel, theme: Theme, now: Callable[[], datetime]
    ) -> None:
        super().__init__()
        self._now = now
        self._day: date = now().date()
        self._open_id = ""
        self._menu_row: ConversationRow | None = None
        self._menu = self._make_menu(theme)
        self._delegate = ConversationDelegate(theme, now, self)
        self.setItemDelegate(self._delegate)
        self.setModel(model)
        self.setAccessibleName(self.tr("Chats"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        model.modelReset.connect(self._select_open)
        model.rowsInserted.connect(self._select_open)
        theme.changed.connect(self.viewport().update)
        timer = QTimer(self, interval=_DAY_CHECK_MS)
        timer.timeout.connect(self._on_timer_timeout)
        timer.start()

    def show_open(self, conversation_id: str) -> None:
        """Marks the open chat; an empty id marks none."""
        self._open_id = conversation_id
        self._select_open()

    def selectionCommand(
        self,
        _index: Index,
        _event: QEvent | None = None,
    ) -> QItemSelectionModel.SelectionFlag:
        """Returns that keys and clicks select nothing: the open chat is selected."""
        return QItemSelectionModel.SelectionFlag.NoUpdate

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Opens the chat that was clicked; captions are no part of it."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._choose(self._chat_at(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Opens on Enter, asks about deleting on Delete."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        elif event.key() == Qt.Key.Key_Delete:
            self._ask_to_delete(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offers what can be done with the chat under the pointer or the ring."""
        is_by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self._chat_at(event.pos())
        self._menu_row = _row_at(index)
        if self._menu_row:
            at = self.visualRect(index).center() if is_by_key else event.pos()
            self._menu.popup(self.viewport().mapToGlobal(at))

    def _make_menu(self, theme: Theme) -> QMenu:
        menu = make_menu(self, self.tr("Chat"), theme)
        menu.addAction(self.tr("Open"), self._on_open_triggered)
        menu.addAction(self.tr("Delete…"), self._on_delete_triggered)
        return menu

    def _chat_at(self, at: QPoint) -> QModelIndex:
        index = self.indexAt(at)
        if not index.isValid():
            return index
        below_caption = self.visualRect(index).top() + self._delegate.caption_height(index)
        return index if at.y() >= below_caption else QModelIndex()

    def _choose(self, index: Index) -> None:
        if row := _row_at(index):
            self.chosen.emit(row.conversation_id)

    def _ask_to_delete(self, index: Index) -> None:
        if row := _row_at(index):
            self.delete_asked.emit(row)

    def _on_open_triggered(self) -> None:
        if self._menu_row:
            self.chosen.emit(self._menu_row.conversation_id)

    def _on_delete_triggered(self) -> None:
        if self._menu_row:
            self.delete_asked.emit(self._menu_row)

    def _select_open(self) -> None:
        selection = self.selectionModel()
        selection.clearSelection()
        for number in range(self.model().rowCount()):
            index = self.model().index(number, 0)
            if index.data(ROW_ROLE).conversation_id == self._open_id:
                selection.select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
                return

    def _on_timer_timeout(self) -> None:
        if self._now().date() != self._day:
            self._day = self._now().date()
            self.scheduleDelayedItemsLayout()


def _row_at(index: Index) -> ConversationRow | None:
    row = index.data(ROW_ROLE) if index.isValid() else None
    return row if isinstance(row, ConversationRow) else None
