"""`ChoiceList` is a list with a current row, from which a click or Enter chooses."""

from typing import Final

from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView

from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE

_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class ChoiceList(QListView):
    """Shows rows, one of them current; a field beside it may move through them by `step`.

    The row that a delegate paints and a choice names is the model's `ROW_ROLE`. Made by the
    widget that shows it; ends with it.
    """

    chosen = Signal(object)
    """A row was clicked, or Enter pressed on it; argument: what the row shows."""
    left = Signal()
    """Esc was pressed."""

    def __init__(self, rows: QAbstractItemModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(rows)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.clicked.connect(self._choose)
        theme.changed.connect(self._on_theme_changed)

    def step(self, by: int) -> None:
        """Go `by` rows down, and stop at the ends."""
        last = self.model().rowCount() - 1
        if last >= 0:
            self.go_to(max(0, min(self.currentIndex().row() + by, last)))

    def go_to(self, row: int) -> None:
        """Make this row the current one, and scroll to it."""
        index = self.model().index(row, 0)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)
        self.scrollTo(index)

    def choose_current(self) -> None:
        """Choose the current row, if there is one."""
        self._choose(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose on Enter, and go back to the field on Esc."""
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
