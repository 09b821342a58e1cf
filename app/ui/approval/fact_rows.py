"""The facts of an approval card: names, and beside them what they name."""

import math
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGridLayout, QLabel

from app.ui.approval.revealed_text import RevealedText
from app.ui.parts.labels import plain_label
from app.ui.parts.tokens import Token
from app.ui.theme import Theme

_NAMES_WIDTH: Final = 86
_COLUMN_GAP_PX: Final = 8
_ROW_GAP_PX: Final = 6
_AT_TOP: Final = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading


@dataclass(frozen=True, slots=True)
class _Rooms:
    """What stays free above and below words, and above and below exact text, in pixels."""

    words: tuple[int, int]
    exact: tuple[int, int]


class FactRows(QGridLayout):
    """Two columns whose lines stand level and, from row to row, equally far from each other.

    Exact text has another font than words, and its lines are higher. Either gets room above and
    below until it has as much as the other: so a name is level with the first line of its value,
    and the last line of a value as far from the next row as that of any other. `ratio` is that of
    the screen's pixels to ours. Made by the contents of a card; ends with them.
    """

    def __init__(self, theme: Theme, ratio: float) -> None:
        super().__init__()
        self._theme = theme
        self._ratio = ratio
        self._labels: list[QLabel] = []
        self._values: list[RevealedText] = []
        self._rooms = _rooms_in(theme, ratio)
        self._space()
        self.setColumnStretch(1, 1)
        theme.changed.connect(self._on_theme_changed)

    def add_exact(self, name: str, value: RevealedText) -> None:
        """Add a value in which every character counts."""
        row = self._add_name(name)
        value.set_room(*self._rooms.exact)
        self._values.append(value)
        self.addWidget(value, row, 1)

    def add_words(self, name: str, words: str) -> QLabel:
        """Add a value in words, and return what shows it."""
        row = self._add_name(name)
        label = self._label(words, "ink", is_reached=True)
        label.setAccessibleName(f"{name}: {words}")
        self.addWidget(label, row, 1)
        return label

    def _add_name(self, name: str) -> int:
        row = self.rowCount()
        label = self._label(name, "ink-3")
        label.setWordWrap(False)
        self.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _label(self, text: str, ink: Token, *, is_reached: bool = False) -> QLabel:
        label = plain_label(
            text, self._theme, size="secondary", ink=ink, wraps=True, is_reached=is_reached
        )
        label.setAlignment(_AT_TOP)
        _give_room(label, self._rooms)
        self._labels.append(label)
        return label

    def _space(self) -> None:
        # What has two spacings is not scaled with other layouts.
        self.setHorizontalSpacing(self._theme.px(_COLUMN_GAP_PX))
        self.setVerticalSpacing(self._theme.px(_ROW_GAP_PX))
        self.setColumnMinimumWidth(0, self._theme.px(_NAMES_WIDTH))

    def _on_theme_changed(self) -> None:
        self._space()
        rooms = _rooms_in(self._theme, self._ratio)
        if rooms == self._rooms:
            return
        self._rooms = rooms
        for label in self._labels:
            _give_room(label, rooms)
        for value in self._values:
            value.set_room(*rooms.exact)


def _give_room(label: QLabel, rooms: _Rooms) -> None:
    above, below = rooms.words
    label.setContentsMargins(0, above, 0, below)


def _rooms_in(theme: Theme, ratio: float) -> _Rooms:
    words, exact = QFontMetricsF(theme.font("secondary")), QFontMetricsF(theme.mono())
    # Letters begin at whole pixels of the screen.
    lower = _nearest(exact.ascent() * ratio) - _nearest(words.ascent() * ratio)
    words_above, exact_above = max(0, _nearest(lower / ratio)), max(0, _nearest(-lower / ratio))
    words_end = words_above + math.ceil(words.height())
    exact_end = exact_above + math.ceil(exact.lineSpacing())
    end = max(words_end, exact_end)
    return _Rooms((words_above, end - words_end), (exact_above, end - exact_end))


def _nearest(length: float) -> int:
    return math.floor(length + 0.5)
