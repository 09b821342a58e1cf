"""The search of the sidebar: its field, and the hits in place of the list while it is used."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QListView, QStackedWidget, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.ui.parts.labels import plain_label, set_ink
from app.ui.parts.words import spoken
from app.ui.sidebar.search_delegate import SearchDelegate
from app.ui.sidebar.search_field import SearchField
from app.ui.theme import Theme
from app.viewmodels.rows import ROW_ROLE
from app.viewmodels.search import Results
from app.viewmodels.search_rows import HitRows

_FIELD_INSET_PX: Final = 12


class SearchPane(QWidget):
    """Shows `content` until something is typed, then the `Results` that it is told.

    Made by the sidebar; ends with it.
    """

    typed = Signal(str)
    """Something else is looked for; argument: the words, empty for nothing."""
    hit_chosen = Signal(object)
    """A hit should open; argument: the `TitleHit` or `TextHit`."""
    more_requested = Signal()
    """The list of hits has come to its end."""
    left = Signal()
    """Whoever searched is done: the keyboard should go back to the chat."""

    def __init__(self, theme: Theme, now: Callable[[], datetime], content: QWidget) -> None:
        super().__init__()
        self._field = SearchField(theme, self.tr("Search chats"))
        self._content = content
        self._rows = HitRows(self)
        self._words = plain_label("", theme, size="small", ink="ink-3", wraps=True)
        self._words.setContentsMargins(20, 10, 16, 6)
        self._list = self._make_list(theme, now)
        self._pages = QStackedWidget()
        self._lay_out()
        self._field.textChanged.connect(self._on_field_text_changed)
        self._field.returnPressed.connect(self._on_field_return_pressed)
        self._field.moved.connect(self._on_field_moved)
        self._field.left.connect(self.left)
        self._rows.more_requested.connect(self.more_requested)

    def take_focus(self) -> None:
        """Brings the keyboard to the field, with what was typed selected."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def show_keys(self, keys: str) -> None:
        """Shows in the empty field which keys open the palette."""
        self._field.show_keys(keys)

    def show_results(self, results: Results) -> None:
        """Shows what was found, and how much."""
        self._rows.show(results)
        if not self._field.text().strip():
            return
        set_ink(self._words, "ink-3")
        self._words.setText(self._count_words(results))
        self._pages.setCurrentIndex(1)
        if results.count and not self._list.currentIndex().isValid():
            self._choose_row(0)

    def show_failure(self, words: ErrorText) -> None:
        """Says why nothing could be looked for."""
        self._rows.show(Results())
        set_ink(self._words, "bad")
        self._words.setText(spoken(words))
        self._pages.setCurrentIndex(1)

    def _lay_out(self) -> None:
        hits = QWidget()
        column = QVBoxLayout(hits)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._words)
        column.addWidget(self._list, 1)
        self._pages.addWidget(self._content)
        self._pages.addWidget(hits)
        field = QVBoxLayout()
        field.setContentsMargins(_FIELD_INSET_PX, 1, _FIELD_INSET_PX, 6)
        field.addWidget(self._field)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(field)
        whole.addWidget(self._pages, 1)

    def _make_list(self, theme: Theme, now: Callable[[], datetime]) -> QListView:
        view = QListView()
        view.setModel(self._rows)
        view.setItemDelegate(SearchDelegate(theme, now, view))
        view.setAccessibleName(self.tr("Found chats"))
        view.setMouseTracking(True)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        view.clicked.connect(self._open)
        theme.changed.connect(view.viewport().update)
        return view

    def _count_words(self, results: Results) -> str:
        if not results.count:
            return self.tr("Nothing kept here has all of these words.")
        if results.found.has_more:
            return self.tr("More than {count} found").format(count=results.count)
        return self.tr("%n found", "", results.count)

    def _choose_row(self, row: int) -> None:
        index = self._rows.index(max(0, min(row, self._rows.rowCount() - 1)))
        flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self._list.selectionModel().setCurrentIndex(index, flag)
        self._list.scrollTo(index)

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.hit_chosen.emit(index.data(ROW_ROLE))

    def _on_field_text_changed(self, text: str) -> None:
        if not text.strip():
            self._pages.setCurrentIndex(0)
        self.typed.emit(text)

    def _on_field_return_pressed(self) -> None:
        self._open(self._list.currentIndex())

    def _on_field_moved(self, by: int) -> None:
        if self._rows.rowCount():
            self._choose_row(self._list.currentIndex().row() + by)
