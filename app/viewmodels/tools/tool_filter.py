"""The tools of a chat narrowed to those with the words that were typed."""

from PySide6.QtCore import QObject, QSortFilterProxyModel

from app.store.words import words_of
from app.viewmodels.rows import Index
from app.viewmodels.tools.chat_tools import ToolRows


class ToolFilter(QSortFilterProxyModel):
    """Shows the rows in which every word stands, in the order that they have.

    Looked at are the name, the title, the description, where a tool comes from, and what it may
    do. Made by the page of the tools; ends with it.
    """

    def __init__(self, rows: ToolRows, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._words = words_of("")
        self.setSourceModel(rows)

    def look_for(self, text: str) -> None:
        """Shows what has these words; everything for none."""
        self._words = words_of(text)
        self.invalidate()

    def filterAcceptsRow(self, row: int, _parent: Index) -> bool:
        """Returns whether a tool has the words."""
        tool = self._rows.rows[row]
        said = (tool.name, tool.title, tool.description, tool.source, tool.effects)
        return self._words.are_in("\n".join(said))
