"""`RowList` is the list view of the right panel's pages; a click or Enter opens a row."""

from functools import partial
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from app.ui.theme import Theme
from app.ui.widgets.accessible import tell_current
from app.viewmodels.rows import ROW_ROLE

_ENTER_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class RowList(QListView):
    """Shows the rows of a model; a click or Enter opens one.

    They are all of one height unless `draw_with` is called with `own_heights`.

    Made by a page of the panel, which gives it a delegate; ends with it.
    """

    opened = Signal(object)
    """Everything about a row is wanted; argument: the row."""

    def __init__(self, model: QAbstractItemModel, name: str, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self._on_theme_changed)

    def take_focus(self) -> None:
        """Bring the keyboard to the row that it was on last, at first to the first one."""
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self.model().index(0, 0))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def draw_with(self, delegate: QStyledItemDelegate, *, own_heights: bool = False) -> None:
        """Paint rows with this delegate."""
        self.setItemDelegate(delegate)
        if own_heights:
            self.setUniformItemSizes(False)
            self.model().dataChanged.connect(self.scheduleDelayedItemsLayout)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin with the first row where there is none yet, and have it read out."""
        was_nowhere = not self.currentIndex().isValid()
        super().focusInEvent(event)
        if was_nowhere:
            # After the event that Qt sends for the focus of the list itself.
            QTimer.singleShot(0, self, partial(tell_current, self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter."""
        if event.key() in _ENTER_KEYS and self.currentIndex().isValid():
            self._on_clicked(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give each row the width of the list."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _on_clicked(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ROW_ROLE))

    def _on_theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
