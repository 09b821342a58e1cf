"""`CallCardContents` shows one call in full: facts, warnings, the change, and long inputs.

`FactRows` lays the facts out in two columns, each name beside its value.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QLocale, QRect, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.approvals.visible_text import (
    Confusable,
    ConfusableKind,
    escape_invisible,
    find_confusables,
    iter_runs,
)
from app.ui.approval.revealed_text import (
    RevealedParagraph,
    RevealedText,
    Setting,
    TextChunks,
    diff_paragraphs,
)
from app.ui.theme import Theme
from app.ui.widgets.labels import plain_label, short_name
from app.ui.widgets.stylesheet import Token
from app.ui.widgets.surfaces import RoundedFrame
from app.viewmodels.approval.call_texts import CardView

_NAMES_WIDTH: Final = 86
_COLUMN_GAP_PX: Final = 8
_ROW_GAP_PX: Final = 6
_AT_TOP: Final = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading


@dataclass(frozen=True, slots=True)
class _Rooms:
    """The padding above and below words, and above and below exact text, in pixels."""

    words: tuple[int, int]
    exact: tuple[int, int]


class FactRows(QGridLayout):
    """Two columns, names and values, with aligned lines and even distances between the rows.

    Exact text has another font than words, and its lines are higher. Either gets padding above and
    below until both are equally high: so a name is level with the first line of its value, and
    every value ends equally far above the next row. `ratio` is the screen's device pixel ratio.
    Made by the contents of a card; ends with them.
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
        # A grid has two spacings, and the theme scales one of a layout only.
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


_RADIUS: Final = 8
_SHORT_CHARACTERS: Final = 120
_LONG_CHARACTERS: Final = 400
_LONG_LINES: Final = 12
_MOST_WARNINGS: Final = 5
_FACTS_AT_ONCE: Final = 50
# More facts than anybody would want to hear at once.
_MOST_SPOKEN: Final = 20


class CallCardContents(QWidget):
    """Everything about one call, as plain text, with nothing hidden or left out.

    What is long is laid out only when the reader gets there, so that no call can keep the window
    busy: it grows at its end, and is read only when it is whole. Made by the card's body for one
    `CardView`, and thrown away with it. `stops` is what Tab leads to, in the order of reading.
    """

    shown_wanted = Signal(QWidget, QRect)
    """The caret went to a place: the text that it is in, and where in that."""

    def __init__(self, view: CardView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.stops: list[QWidget] = []
        self._notes = (*((view.note,) if view.note else ()), *self._warnings(view))
        self._unplaced: list[RevealedText] = []
        self._is_filled = False
        outer = QVBoxLayout(self)
        outer.setContentsMargins(14, 10, 14, 4)
        outer.setSpacing(0)
        column = QVBoxLayout()
        column.setSpacing(8)
        outer.addLayout(column)
        outer.addStretch(1)
        self._steps = self._fill(column, view)
        self.show_more()

    def is_whole(self) -> bool:
        """Return whether everything is here and has its place."""
        return self._is_filled and self._is_laid_out()

    def show_more(self) -> None:
        """Add more below what is here, if there is more and all that is here has its place."""
        if self._is_filled or not self._is_laid_out():
            return
        # `self` marks the end: the steps themselves yield None.
        if next(self._steps, self) is self:
            self._is_filled = True
        self._theme.fit(self)

    def _is_laid_out(self) -> bool:
        self._unplaced = [text for text in self._unplaced if not _has_its_place(text)]
        return not self._unplaced

    def _fill(self, column: QVBoxLayout, view: CardView) -> Iterator[None]:
        """Add the parts one below the other; yields where enough was added for one turn."""
        yield from self._add_facts(column, view)
        for words in self._notes:
            label = plain_label(
                words, self._theme, size="secondary", ink="warn", wraps=True, is_reached=True
            )
            column.addWidget(label)
            self.stops.append(label)
        long = [fact for fact in view.facts if not _is_short(fact[1])]
        # A long path or command belongs to the facts; a text of several lines follows the preview.
        yield from self._add_long(column, [fact for fact in long if "\n" not in fact[1]])
        yield from self._add_preview(column, view)
        yield from self._add_long(column, [fact for fact in long if "\n" in fact[1]])

    def _add_facts(self, column: QVBoxLayout, view: CardView) -> Iterator[None]:
        rows = FactRows(self._theme, self.devicePixelRatio())
        column.addLayout(rows)
        rows.add_exact(self.tr("Tool"), self._exact(view.tool_name, self.tr("Tool")))
        self.stops.append(rows.add_words(self.tr("Source"), self._source_words(view)))
        if view.no_rule_words:
            self.stops.append(rows.add_words(self.tr("Always allow"), view.no_rule_words))
        short = [fact for fact in view.facts if _is_short(fact[1])]
        for number, (name, value) in enumerate(short, 1):
            rows.add_exact(_label(name), self._exact(value, name))
            if number % _FACTS_AT_ONCE == 0:
                yield

    def spoken(self, view: CardView) -> str:
        """Return what a screen reader says of the call when the keyboard comes to the card.

        What and where first, then who asks, then what is unusual; hidden characters are written
        out. Of what is long it says the beginning and how much there is: Tab leads through all.
        However many facts there are, all that the program says of the call is among it.
        """
        first = view.facts[:_MOST_SPOKEN]
        lines = [f"{_label(name)}: {self._beginning(value)}" for name, value in first]
        lines += [f"{self.tr('Tool')}: {_label(view.tool_name)}", self._source_words(view)]
        if view.no_rule_words:
            lines.append(f"{self.tr('Always allow')}: {view.no_rule_words}")
        lines += [_label(view.effect_words), *map(_label, self._notes)]
        if view.preview_kind != "none":
            is_diff = view.preview_kind == "diff"
            words = self._beginning(view.preview_text, marks_breaks=not is_diff)
            lines.append(f"{self._preview_name()}: {words}")
        if len(view.facts) > _MOST_SPOKEN:
            lines.append(self.tr("Press Tab to hear the rest."))
        return "\n".join(lines)

    def _beginning(self, text: str, *, marks_breaks: bool = True) -> str:
        beginning = text[:_LONG_CHARACTERS]
        lines = [beginning] if marks_breaks else beginning.removesuffix("\n").split("\n")
        words = "\n".join(escape_invisible(line, breaks_lines=marks_breaks) for line in lines)
        if len(text) <= _LONG_CHARACTERS:
            return words
        rest = self.tr("Press Tab to hear the rest.")
        return f"{words}… {self._size_words(text)}. {rest}"

    def _source_words(self, view: CardView) -> str:
        words = self.tr("{0}; {1}").format(view.source_words, view.sandbox_words)
        return escape_invisible(words, breaks_lines=False)

    def _preview_name(self) -> str:
        return self.tr("What would change")

    def _exact(self, text: str, name: str) -> RevealedText:
        shown = self._text(name, Setting.INLINE)
        shown.show_text(text)
        return shown

    def _text(self, name: str, setting: Setting) -> RevealedText:
        text = RevealedText(self._theme, _label(name), setting)
        # Qt gives each new widget a size; without one it counts as not laid out.
        text.resize(0, 0)
        text.caret_moved.connect(self._on_text_caret_moved)
        # The body leads Tab to it.
        text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.stops.append(text)
        self._unplaced.append(text)
        return text

    def _on_text_caret_moved(self) -> None:
        text = self.sender()
        if isinstance(text, RevealedText):
            self.shown_wanted.emit(text, text.cursorRect())

    def _add_preview(self, column: QVBoxLayout, view: CardView) -> Iterator[None]:
        if view.preview_kind == "none":
            return
        name = self._preview_name()
        if view.preview_kind == "diff":
            frame = self._add_section(column, name, view.preview_text)
            yield from self._add_portions(frame, name, diff_paragraphs(view.preview_text))
        else:
            yield from self._add_long(column, [(name, view.preview_text)])

    def _add_long(self, column: QVBoxLayout, facts: Iterable[tuple[str, str]]) -> Iterator[None]:
        for name, value in facts:
            frame = self._add_section(column, _label(name), value)
            yield from self._add_portions(frame, name, [RevealedParagraph(iter_runs(value))])

    def _add_portions(
        self, frame: QVBoxLayout, name: str, paragraphs: Iterable[RevealedParagraph]
    ) -> Iterator[None]:
        portions = TextChunks(paragraphs)
        while portions.is_left:
            shown = self._text(name, Setting.BOXED)
            shown.show_paragraphs(portions.take())
            frame.addWidget(shown)
            if portions.is_left:
                yield

    def _add_section(self, column: QVBoxLayout, name: str, text: str) -> QVBoxLayout:
        """Add a frame with its name over it; return the place for the text in it."""
        head = QHBoxLayout()
        head.addWidget(plain_label(name, self._theme, size="small", ink="ink-3"), 1)
        head.addWidget(plain_label(self._size_words(text), self._theme, size="small", ink="ink-3"))
        frame = RoundedFrame(self._theme, _RADIUS)
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 4, 1, 4)
        inside.setSpacing(0)
        column.addLayout(head)
        column.addWidget(frame)
        return inside

    def _size_words(self, text: str) -> str:
        lines = text.count("\n") + 1
        if len(text) <= _LONG_CHARACTERS and lines <= _LONG_LINES:
            return ""
        count = QLocale().toString
        if lines == 1:
            return self.tr("{0} characters").format(count(len(text)))
        return self.tr("{0} characters, {1} lines").format(count(len(text)), count(lines))

    def _warnings(self, view: CardView) -> Iterator[str]:
        names = [view.tool_name, *(value for _, value in view.facts)]
        found = [
            finding
            for name in names
            for finding in find_confusables(name, is_name="\n" not in name)
        ]
        found += find_confusables(view.preview_text)
        distinct = tuple(dict.fromkeys(found))
        for finding in distinct[:_MOST_WARNINGS]:
            yield self._doubt_words(finding)
        if len(distinct) > _MOST_WARNINGS:
            yield self.tr("And {0} more words like these.").format(len(distinct) - _MOST_WARNINGS)

    def _doubt_words(self, finding: Confusable) -> str:
        words = {
            ConfusableKind.MIXED_ALPHABETS: self.tr("“{0}” mixes letters of different alphabets."),
            ConfusableKind.OTHER_ALPHABET: self.tr(
                "“{0}” looks Latin but is written in another alphabet."
            ),
            ConfusableKind.DRESSED_UP: self.tr(
                "“{0}” contains letters that only look like plain ones."
            ),
            ConfusableKind.RIGHT_TO_LEFT: self.tr("“{0}” reads from right to left."),
        }[finding.doubt]
        doubt = words.format(short_name(finding.word))
        if not finding.looks_like:
            return doubt
        return self.tr("{0} It can be mistaken for “{1}”.").format(
            doubt, short_name(finding.looks_like)
        )


def _label(name: str) -> str:
    return escape_invisible(name, breaks_lines=False)


def _has_its_place(text: RevealedText) -> bool:
    return text.width() > 0 and text.height() >= text.heightForWidth(text.width())


def _is_short(text: str) -> bool:
    """Return whether the text is one line that stands well beside the facts."""
    return len(text) <= _SHORT_CHARACTERS and "\n" not in text
