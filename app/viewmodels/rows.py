"""`RowsModel`, the Qt list model over frozen rows that all lists of the window use."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.chat.items import Change, Inserted, Moved, Removed, Replaced

ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The role under which a model gives the row itself."""

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")


class RowsModel(QAbstractListModel, Generic[Row]):
    """Shows a sequence of frozen rows, and mirrors its changes one by one.

    `text_of` gives a row's text for keyboard search, `spoken_of` what a screen reader says, the
    same unless it is given. The model keeps its own copy, so that rows appear to Qt exactly when
    they are announced.
    """

    def __init__(
        self,
        text_of: Callable[[Row], str],
        parent: QObject | None = None,
        *,
        spoken_of: Callable[[Row], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._text_of = text_of
        self._spoken_of = spoken_of or text_of
        self._rows: list[Row] = []

    @property
    def rows(self) -> Sequence[Row]:
        """The rows as Qt sees them now."""
        return tuple(self._rows)

    def replace_all(self, rows: Sequence[Row]) -> None:
        """Show other rows altogether."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def mirror(self, change: Change, source: Sequence[Row]) -> None:
        """Follow one change that `source` has been through."""
        match change:
            case Inserted(first, count):
                self.beginInsertRows(QModelIndex(), first, first + count - 1)
                self._rows[first:first] = source[first : first + count]
                self.endInsertRows()
            case Replaced(row):
                self._rows[row] = source[row]
                self.dataChanged.emit(self.index(row), self.index(row))
            case Removed(first, count):
                self.beginRemoveRows(QModelIndex(), first, first + count - 1)
                del self._rows[first : first + count]
                self.endRemoveRows()
            case Moved(row, to):
                # Qt counts the destination while the row is still at its old place.
                before = to if to < row else to + 1
                self.beginMoveRows(QModelIndex(), row, row, QModelIndex(), before)
                del self._rows[row]
                self._rows.insert(to, source[to])
                self.endMoveRows()
                self.dataChanged.emit(self.index(to), self.index(to))
            case _:
                self.replace_all(source)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Row | str | None:
        """Return the row, or its text."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken_of(row)
        return self._text_of(row) if role == Qt.ItemDataRole.DisplayRole else None
