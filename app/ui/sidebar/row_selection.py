"""Which rows are selected: the open chat by itself, or several that something is done with."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
)

from app.viewmodels.rows import Index

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
        """Selects the open chat alone."""
        index = self._open_index()
        if index.isValid():
            self._selection.select(index, _ONLY)
        else:
            self._selection.clearSelection()

    def toggle(self, index: QModelIndex) -> None:
        """Selects one more, or one less."""
        self._anchor = QPersistentModelIndex(index)
        self._selection.select(index, _TOGGLE)

    def extend_to(self, index: QModelIndex, start: Index) -> None:
        """Selects everything from where selecting began to `index`; it begins at `start`."""
        if not self._anchor.isValid():
            self._anchor = QPersistentModelIndex(start if start.isValid() else index)
        first, last = sorted((self._anchor.row(), index.row()))
        model = index.model()
        whole = QItemSelection(model.index(first, 0), model.index(last, 0))
        self._selection.select(whole, _ONLY)

    def end_range(self) -> None:
        """Lets the next range begin wherever the keyboard is then."""
        self._anchor = QPersistentModelIndex()

    def _ranges(self) -> list[range]:
        # Asking for each index would take seconds when all of many rows are selected.
        selection = self._selection.selection()
        parts = (selection.at(number) for number in range(selection.count()))
        return [range(part.top(), part.bottom() + 1) for part in parts]
