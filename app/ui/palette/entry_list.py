"""The lines of the palette: one of them is current, and the keyboard never comes here."""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QListView

from app.ui.palette.entries import Entry
from app.ui.palette.entry_delegate import EntryDelegate, spoken_entry
from app.ui.parts.accessible import tell_current
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE, RowsModel

_BELOW_PX = 8
# Entries come in several answers to one letter, and letters one after the other.
_TOLD_AFTER_MS = 120


class EntryList(QListView):
    """Shows entries; the pointer and `step` say which is current. Made by the palette."""

    clicked_on = Signal(object)
    """An entry was clicked; argument: the `Entry`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._rows: RowsModel[Entry] = RowsModel(lambda entry: entry.text, spoken_of=spoken_entry)
        self._rows.setParent(self)
        self._was_moved = False
        # The keyboard is in the line above: a screen reader would not follow the list.
        self._telling = QTimer(self, singleShot=True, interval=_TOLD_AFTER_MS)
        self._telling.timeout.connect(self._on_telling_timeout)
        self.setModel(self._rows)
        self.setItemDelegate(EntryDelegate(theme, self))
        self.setAccessibleName(self.tr("What fits"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setViewportMargins(0, 0, 0, _BELOW_PX)
        self.entered.connect(self._on_entered)
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self.viewport().update)

    @property
    def current(self) -> Entry | None:
        """The current entry; None when there is no entry at all."""
        entry = self.currentIndex().data(ROW_ROLE) if self.currentIndex().isValid() else None
        return entry if isinstance(entry, Entry) else None

    @property
    def wanted_height(self) -> int:
        """The height at which nothing has to be scrolled."""
        rows = range(self._rows.rowCount())
        return sum(self.sizeHintForRow(row) for row in rows) + _BELOW_PX

    def begin(self) -> None:
        """Nobody went anywhere yet: the first entry is the current one, whatever comes."""
        self._was_moved = False
        if self._rows.rowCount():
            self._make_current(0)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Shows these; an entry that somebody went to stays current if it is among them."""
        if tuple(entries) == tuple(self._rows.rows):
            return
        before = self.current if self._was_moved else None
        self._rows.replace_all(tuple(entries))
        keys = [entry.key for entry in entries]
        self._was_moved = before is not None and before.key in keys
        if entries:
            self._make_current(keys.index(before.key) if before and self._was_moved else 0)
        if self.isVisible():
            self._telling.start()

    def step(self, by: int) -> None:
        """Goes `by` entries down; past an end it goes on at the other, a page stops there."""
        count = self._rows.rowCount()
        if count:
            row = self.currentIndex().row() + by
            self._go_to(row % count if abs(by) == 1 else max(0, min(row, count - 1)))

    def _go_to(self, row: int) -> None:
        self._was_moved = True
        self._make_current(row)
        self._telling.start()

    def _make_current(self, row: int) -> None:
        index = self._rows.index(row)
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)
        self.scrollTo(index)

    def _on_telling_timeout(self) -> None:
        if self.isVisible():
            tell_current(self)

    def _on_entered(self, index: QModelIndex) -> None:
        self._was_moved = True
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(index, flag)

    def _on_clicked(self, index: QModelIndex) -> None:
        self.clicked_on.emit(index.data(ROW_ROLE))
