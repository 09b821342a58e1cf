"""The search of the sidebar: its field, and the hits in place of the list while it is used."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.ui.parts.accessible import tell_current
from app.ui.parts.announcing import announce
from app.ui.parts.labels import plain_label, set_ink
from app.ui.parts.words import spoken
from app.ui.sidebar.hit_list import HitList
from app.ui.sidebar.search_field import SearchField
from app.ui.theme import Theme
from app.viewmodels.sidebar.search import Results
from app.viewmodels.sidebar.search_rows import HitRows

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
        self._list = HitList(self._rows, theme, now)
        self._said_of = ""
        self._pages = QStackedWidget()
        self._lay_out()
        self._field.textChanged.connect(self._on_field_text_changed)
        self._field.returnPressed.connect(self._list.choose_current)
        self._field.moved.connect(self._on_field_moved)
        self._field.left.connect(self.left)
        self._list.chosen.connect(self.hit_chosen)
        self._list.left.connect(self.take_focus)
        self._rows.more_requested.connect(self.more_requested)

    def take_focus(self) -> None:
        """Brings the keyboard to the field, with what was typed selected."""
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def show_keys(self, keys: str) -> None:
        """Shows in the empty field which keys lead there."""
        self._field.show_keys(keys)

    def show_results(self, results: Results) -> None:
        """Shows what was found, and how much."""
        self._rows.show(results)
        if not self._field.text().strip() or not results.query:
            return
        set_ink(self._words, "ink-3")
        if results.query != self._said_of:
            self._said_of = results.query
            announce(self._field, self._count_words(results))
        self._words.setText(self._count_words(results))
        self._pages.setCurrentIndex(1)
        if results.count and not self._list.currentIndex().isValid():
            self._list.step(0)

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

    def _count_words(self, results: Results) -> str:
        if not results.count:
            return self.tr("Nothing kept here has all of these words.")
        if results.found.has_more:
            return self.tr("More than {count} found").format(count=results.count)
        return self.tr("%n found", "", results.count)

    def _on_field_text_changed(self, text: str) -> None:
        if not text.strip():
            self._pages.setCurrentIndex(0)
        self.typed.emit(text)

    def _on_field_moved(self, by: int) -> None:
        self._list.step(by)
        # The keyboard is in the field: a screen reader would not follow the list.
        tell_current(self._list)
