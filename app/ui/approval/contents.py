"""What an approval card says about one call: facts, doubts, the change, what is long."""

from collections.abc import Iterable, Iterator
from typing import Final

from PySide6.QtCore import QLocale, QRect, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.approvals.look_alikes import Doubt, Finding, find_look_alikes
from app.approvals.reveal import iter_runs, reveal
from app.ui.approval.diff_view import diff_paragraphs
from app.ui.approval.fact_rows import FactRows
from app.ui.approval.portions import Portions
from app.ui.approval.revealed_text import Paragraph, RevealedText, Setting
from app.ui.parts.labels import plain_label, short_name
from app.ui.parts.rounded_frame import RoundedFrame
from app.ui.theme import Theme
from app.viewmodels.approval.states import CardView

_RADIUS: Final = 8
_SHORT_CHARACTERS: Final = 120
_LONG_CHARACTERS: Final = 400
_LONG_LINES: Final = 12
_MOST_WARNINGS: Final = 5
_FACTS_AT_ONCE: Final = 50
# More facts than anybody would want to hear at once.
_MOST_SPOKEN: Final = 20


class CardContents(QWidget):
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
        if next(self._steps, self) is self:
            self._is_filled = True
        self._theme.fit(self)

    def _is_laid_out(self) -> bool:
        self._unplaced = [text for text in self._unplaced if not _has_its_place(text)]
        return not self._unplaced

    def _fill(self, column: QVBoxLayout, view: CardView) -> Iterator[None]:
        """Add one thing below the other, with a rest where enough was added for now."""
        yield from self._add_facts(column, view)
        for words in self._notes:
            label = plain_label(
                words, self._theme, size="secondary", ink="warn", wraps=True, is_reached=True
            )
            column.addWidget(label)
            self.stops.append(label)
        long = [fact for fact in view.facts if not _is_short(fact[1])]
        # A long path or command belongs to the facts; a whole text is read after what it changes.
        yield from self._add_long(column, [fact for fact in long if "\n" not in fact[1]])
        yield from self._add_preview(column, view)
        yield from self._add_long(column, [fact for fact in long if "\n" in fact[1]])

    def _add_facts(self, column: QVBoxLayout, view: CardView) -> Iterator[None]:
        rows = FactRows(self._theme, self.devicePixelRatio())
        column.addLayout(rows)
        rows.add_exact(self.tr("Tool"), self._exact(view.tool_name, self.tr("Tool")))
        self.stops.append(rows.add_words(self.tr("Source"), self._source_words(view)))
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
        words = "\n".join(reveal(line, breaks_lines=marks_breaks) for line in lines)
        if len(text) <= _LONG_CHARACTERS:
            return words
        rest = self.tr("Press Tab to hear the rest.")
        return f"{words}… {self._size_words(text)}. {rest}"

    def _source_words(self, view: CardView) -> str:
        words = self.tr("{0}; {1}").format(view.source_words, view.sandbox_words)
        return reveal(words, breaks_lines=False)

    def _preview_name(self) -> str:
        return self.tr("What would change")

    def _exact(self, text: str, name: str) -> RevealedText:
        shown = self._text(name, Setting.INLINE)
        shown.show_text(text)
        return shown

    def _text(self, name: str, setting: Setting) -> RevealedText:
        text = RevealedText(self._theme, _label(name), setting)
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
            yield from self._add_portions(frame, name, [Paragraph(iter_runs(value))])

    def _add_portions(
        self, frame: QVBoxLayout, name: str, paragraphs: Iterable[Paragraph]
    ) -> Iterator[None]:
        portions = Portions(paragraphs)
        while portions.is_left:
            shown = self._text(name, Setting.BOXED)
            shown.show_paragraphs(portions.take())
            frame.addWidget(shown)
            if portions.is_left:
                yield

    def _add_section(self, column: QVBoxLayout, name: str, text: str) -> QVBoxLayout:
        """Add a frame with its name over it; gives the place for the text in it."""
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
            for finding in find_look_alikes(name, is_name="\n" not in name)
        ]
        found += find_look_alikes(view.preview_text)
        distinct = tuple(dict.fromkeys(found))
        for finding in distinct[:_MOST_WARNINGS]:
            yield self._doubt_words(finding)
        if len(distinct) > _MOST_WARNINGS:
            yield self.tr("And {0} more words like these.").format(len(distinct) - _MOST_WARNINGS)

    def _doubt_words(self, finding: Finding) -> str:
        words = {
            Doubt.MIXED_ALPHABETS: self.tr("“{0}” mixes letters of different alphabets."),
            Doubt.OTHER_ALPHABET: self.tr("“{0}” looks Latin but is written in another alphabet."),
            Doubt.DRESSED_UP: self.tr("“{0}” contains letters that only look like plain ones."),
            Doubt.RIGHT_TO_LEFT: self.tr("“{0}” reads from right to left."),
        }[finding.doubt]
        told = words.format(short_name(finding.word))
        if not finding.looks_like:
            return told
        return self.tr("{0} It can be taken for “{1}”.").format(
            told, short_name(finding.looks_like)
        )


def _label(name: str) -> str:
    return reveal(name, breaks_lines=False)


def _has_its_place(text: RevealedText) -> bool:
    return text.width() > 0 and text.height() >= text.heightForWidth(text.width())


def _is_short(text: str) -> bool:
    """Tells whether the text is one line that stands well beside the facts."""
    return len(text) <= _SHORT_CHARACTERS and "\n" not in text
