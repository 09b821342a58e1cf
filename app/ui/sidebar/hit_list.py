"""The hits of a search in the sidebar, in place of the list of chats."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView

from app.ui.sidebar.search_delegate import SearchDelegate
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE
from app.viewmodels.sidebar.search_rows import HitRows

_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class HitList(QListView):
    """Shows hits, one of them current; a click or Enter opens. Made by the search pane."""

    chosen = Signal(object)
    """A hit should open; argument: the `TitleHit` or `TextHit`."""
    left = Signal()
    """Esc was pressed."""

    def __init__(self, rows: HitRows, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.setModel(rows)
        self.setItemDelegate(SearchDelegate(theme, now, self))
        self.setAccessibleName(self.tr("Found chats"))
        self.setMouseTracking(True)
        # A click opens, and the keyboard is in the chat then.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.clicked.connect(self._choose)
        theme.changed.connect(self._on_theme_changed)

    def step(self, by: int) -> None:
        """Goes `by` rows down, and stops at the ends."""
        last = self.model().rowCount() - 1
        if last >= 0:
            row = max(0, min(self.currentIndex().row() + by, last))
            index = self.model().index(row, 0)
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(index, flag)
            self.scrollTo(index)

    def choose_current(self) -> None:
        """Opens the current hit, if there is one."""
        self._choose(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Opens on Enter, and goes back to the field on Esc."""
        if event.key() in _ENTER_KEYS:
            self.choose_current()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(index.data(ROW_ROLE))

    def _on_theme_changed(self) -> None:
        # Letters of another size need rows of another height.
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
