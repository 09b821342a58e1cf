"""`TranscriptFinder` finds words everywhere in a chat, though most rows are not laid out.

`fold` and `Needle` compare words as a reader does: without case and without accents.
"""

import re
import time
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.items import Item, ReplyPart, UserMessage
from app.ui.markdown.sanitize import BREAK_MARK
from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.rows.row import Row
from app.ui.transcript.rows.row_cache import RowCache
from app.ui.transcript.scheduling import IncrementalWorker
from app.ui.transcript.selection import SelectedText, TextPosition, TextRange

_MARKS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Needle:
    """The words to find, folded: one phrase, or several words.

    `cores` have only the letters and digits of `phrases`; with `is_any` one of them is enough.
    """

    phrases: tuple[str, ...]
    cores: tuple[str, ...]
    is_any: bool = False

    @classmethod
    def of(cls, words: str) -> "Needle | None":
        """Return the needle for words that stand together; None for nothing."""
        return cls._of([words])

    @classmethod
    def of_each(cls, words: str) -> "Needle | None":
        """Return the needle for words that may stand apart; None for nothing."""
        return cls._of(words.split())

    @classmethod
    def of_any(cls, words: str) -> "Needle | None":
        """Return the needle for words of which some may be missing; None for nothing."""
        return cls._of(words.split(), is_any=True)

    @classmethod
    def _of(cls, phrases: Sequence[str], *, is_any: bool = False) -> "Needle | None":
        folded = tuple(filter(None, dict.fromkeys(map(fold, phrases))))
        return cls(folded, tuple(map(_core, folded)), is_any) if folded else None

    def may_be_in(self, source: str) -> bool:
        """Return whether a text may show the words, whatever markup is in its source."""
        core = _core(fold(source))
        return (any if self.is_any else all)(each in core for each in self.cores)

    def spans_in(self, text: str) -> Iterator[tuple[str, TextRange]]:
        """Yield each phrase with each place where it stands, in positions of UTF-16."""
        folded = fold(text)
        found = [phrase for phrase in self.phrases if phrase in folded]
        if not found:
            return
        starts = range(len(text) + 1) if text.isascii() else _starts(text)
        for phrase in found:
            at = folded.find(phrase)
            while at >= 0:
                end = at + len(phrase)
                # A hit inside a letter that folds to several, such as the first f of a ligature, is
                # no place.
                if starts[at] < starts[end]:
                    yield phrase, TextRange(starts[at], starts[end])
                at = folded.find(phrase, end)


def fold(text: str) -> str:
    """Return a text without case, accents, and marks that only break lines."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded, text))


def _folded(letter: str) -> str:
    if letter == BREAK_MARK:
        return ""
    # Any kind of space matches any other.
    if letter.isspace() and letter != "\n":
        return " "
    parts = unicodedata.normalize("NFKD", letter).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part))


def _starts(text: str) -> list[int]:
    """Return for each folded letter where it came from, and last where the text ends."""
    starts = []
    position = 0
    for letter in text:
        starts += [position] * len(_folded(letter))
        position += 2 if ord(letter) > 0xFFFF else 1
    return [*starts, position]


def _core(folded: str) -> str:
    return _MARKS.sub("", folded)


# Markdown whose shown text may differ from its source: images, notes, links by name, entities,
# tags, escapes, mathematics.
_OTHERWISE: Final = re.compile(r"!\[|\[\^|\]\[|\]:|[&<\\$]")
_ADDRESS: Final = re.compile(r"\]\([^()]*\)")
_LONG: Final = 50_000
_AGAIN_MS: Final = 200
_COUNT_S: Final = 0.1


class TranscriptFinder(QObject):
    """Holds the hits of the words that are searched for, row by row, and the current one.

    Works in slices from the window outwards, so that visible hits are found first. One for a
    view; ends with it.
    """

    changed = Signal()
    """There are other hits, or another one is current."""
    counted = Signal()
    """More rows were searched."""

    def __init__(self, rows: RowCache, layout: TranscriptLayout, parent: QObject) -> None:
        super().__init__(parent)
        self._rows = rows
        self._layout = layout
        self._needle: Needle | None = None
        self._hits: dict[int, tuple[SelectedText, ...]] = {}
        self._current: tuple[int, int] | None = None
        self._goes_to_first = False
        self._slices = IncrementalWorker(self)
        self._slices.worked.connect(self._on_slices_worked)
        self._slices.ended.connect(self._on_slices_ended)
        self._counts_at = 0.0
        self._stale: set[int] = set()
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._on_again_timeout)

    @property
    def is_busy(self) -> bool:
        """Whether rows are still being searched."""
        return self._slices.is_busy or self._again.isActive()

    @property
    def count(self) -> int:
        """How many hits are known."""
        return sum(map(len, self._hits.values()))

    @property
    def number(self) -> int:
        """Which of them is current, from 1 on; 0 while none is."""
        if self._current is None:
            return 0
        row, hit = self._current
        return sum(len(hits) for at, hits in self._hits.items() if at < row) + hit + 1

    @property
    def line(self) -> str:
        """The line of text that the current hit begins in; empty while none is current."""
        if self._current is None:
            return ""
        row, number = self._current
        # A reply that changed may have lost it, which is only seen once all is searched.
        if number >= len(self.in_row(row)):
            return ""
        begins = self._hits[row][number].first
        text = self._rows.read(row).peek_text_box(begins.piece)
        lines = text.box.plain.split("\n") if text else [""]
        for line in lines:
            length = len(line.encode("utf-16-le", "surrogatepass")) // 2
            if begins.offset <= length:
                return line
            begins = TextPosition(begins.piece, begins.offset - length - 1)
        return lines[-1]

    @property
    def is_searching(self) -> bool:
        """Whether there are words to search for."""
        return self._needle is not None

    def search(self, words: str) -> None:
        """Search for words that stand together; an empty text ends the search."""
        self._search(Needle.of(words))

    def search_each(self, words: str) -> None:
        """Search for messages that have all of these words, in any order."""
        self._search(Needle.of_each(words))

    def search_any(self, words: str) -> None:
        """Search for messages that have any of these words."""
        self._search(Needle.of_any(words))

    def _search(self, needle: Needle | None) -> None:
        if needle == self._needle:
            return
        self._needle = needle
        self._hits = {}
        self._current = None
        self._goes_to_first = needle is not None
        self._slices.stop()
        self._stale.clear()
        if needle:
            self._slices.begin(self._search_rows(needle))
        self.changed.emit()

    def first_with_hit(self, indexes: Sequence[int]) -> int | None:
        """Return the first of these rows that has a hit; None when none has."""
        if self._needle is None:
            return None
        for index in indexes:
            # Not in slices: the caller needs the answer now.
            for _ in self._search_row(index, self._needle):
                pass
            if index in self._hits:
                return index
        return None

    def go_to_row(self, index: int) -> None:
        """Make the first hit in this row current; the row has one."""
        self._go_to((index, 0))

    def rows_changed(self, first: int, last: int) -> None:
        """Search rows again, soon, that have changed."""
        if self._needle is None:
            return
        self._stale.update(range(first, last + 1))
        if not self._again.isActive():
            # Delayed: a streaming reply changes with every frame, and is searched as a whole.
            self._again.start()

    def restart(self) -> None:
        """Search all rows again, after the rows or their texts were replaced."""
        needle = self._needle
        if needle:
            self._hits, self._current = {}, None
            self._stale.clear()
            self._slices.begin(self._search_rows(needle))

    def rows_shifted(self, first: int, by: int) -> None:
        """Renumber the hits of the rows from `first` on; a negative `by` means removed rows."""
        if self._needle is None:
            return
        # Empty where rows were added: only removing counts backwards.
        gone = range(first + by, first)
        self._stale = {row + by if row >= first else row for row in self._stale - set(gone)}
        kept = {row: hits for row, hits in self._hits.items() if row not in gone}
        self._hits = {row + by if row >= first else row: hits for row, hits in kept.items()}
        if self._current:
            row, hit = self._current
            self._current = (row + by if row >= first else row, hit)
        self._drop_stale_current()
        # A running search counts rows as before the change.
        if self._slices.is_busy:
            self._slices.begin(self._search_rows(self._needle))
        self.changed.emit()

    def in_row(self, index: int) -> tuple[SelectedText, ...]:
        """Return the hits of a row."""
        return self._hits.get(index, ())

    def is_current(self, index: int, number: int) -> bool:
        """Return whether a hit of a row is the current one."""
        return self._current == (index, number)

    def move(self, by: int) -> None:
        """Go to the next hit (`by` 1) or the one before (-1); after the last comes the first."""
        if self._hits:
            self._go_to(self._neighbour(by) if self._current else self._nearest())

    def _neighbour(self, by: int) -> tuple[int, int]:
        """Return the hit after the current one, or before it."""
        row, number = self._current or (0, 0)
        if 0 <= number + by < len(self.in_row(row)):
            return row, number + by
        rows = sorted(self._hits)
        at = bisect_right(rows, row) if by > 0 else bisect_left(rows, row) - 1
        other = rows[at % len(rows)]
        return other, 0 if by > 0 else len(self._hits[other]) - 1

    def _nearest(self) -> tuple[int, int]:
        """Return the hit to begin with: the last one in the window or above it, or the first."""
        last = self._layout.placed[-1].index if self._layout.placed else 0
        rows = sorted(self._hits)
        above = bisect_right(rows, last)
        return (rows[above - 1], len(self._hits[rows[above - 1]]) - 1) if above else (rows[0], 0)

    def _go_to(self, hit: tuple[int, int]) -> None:
        self._current = hit
        self._goes_to_first = False
        index, number = hit
        selected = self._hits[index][number]
        # Twice: a row far from the viewport has its final layout only once it was scrolled to.
        for _ in range(2):
            text = self._layout.row(index).text_box(selected.first.piece)
            if text:
                box = text.caret(selected.first.offset)
                self._layout.reveal_box(index, box, text.window)
        self.changed.emit()

    def _search_rows(self, needle: Needle) -> Iterator[None]:
        for row in self._outwards():
            yield from self._search_row(row, needle)
            yield

    def _outwards(self) -> Iterator[int]:
        """Yield all rows: those in the window, then the ones above, then below."""
        placed = [row.index for row in self._layout.placed]
        first = placed[0] if placed else 0
        last = placed[-1] if placed else -1
        yield from reversed(range(first, last + 1))
        yield from reversed(range(first))
        yield from range(last + 1, self._rows.count)

    def _search_row(self, index: int, needle: Needle) -> Iterator[None]:
        """Search a row, piece by piece: a long one takes longer than a slice."""
        found: list[SelectedText] = []
        if index < self._rows.count and _may_say(self._rows.item(index), needle):
            row, missing = self._rows.read(index), set(needle.phrases)
            for piece in range(row.piece_count):
                for phrase, hit in _hits_in(row, piece, needle):
                    missing.discard(phrase)
                    found.append(hit)
                yield
            found = [] if missing and not needle.is_any else found
        if found:
            self._hits[index] = tuple(_joined(found))
        else:
            self._hits.pop(index, None)

    def _drop_stale_current(self) -> None:
        if self._current and self._current[1] >= len(self.in_row(self._current[0])):
            self._current = None

    def _on_slices_worked(self) -> None:
        if self._goes_to_first and self._hits:
            self.move(-1)
        # Not in each slice: counting takes time of its own when there are many hits.
        if time.monotonic() >= self._counts_at:
            self._counts_at = time.monotonic() + _COUNT_S
            self.counted.emit()

    def _on_slices_ended(self) -> None:
        self._drop_stale_current()
        self.changed.emit()

    def _on_again_timeout(self) -> None:
        if self._slices.is_busy:
            # Rows of a search that still runs are not lost: they stay noted as stale.
            self._again.start()
        elif self._needle:
            stale, self._stale = sorted(self._stale), set()
            needle = self._needle
            self._slices.begin(step for row in stale for step in self._search_row(row, needle))


def _may_say(item: Item, needle: Needle) -> bool:
    """Return whether a message may hold the words: a cheap test that excludes most messages."""
    if not isinstance(item, UserMessage | ReplyPart):
        return True
    text = item.text
    # For a very long text this would not be cheap: it is searched in slices instead.
    is_plain = len(text) < _LONG and not _OTHERWISE.search(text)
    # The address of a link is not shown, so it is no place to find words.
    return not is_plain or needle.may_be_in(_ADDRESS.sub("", text))


def _hits_in(row: Row, piece: int, needle: Needle) -> Iterator[tuple[str, SelectedText]]:
    if text := row.peek_text_box(piece):
        for phrase, span in needle.spans_in(text.box.plain):
            yield phrase, SelectedText.in_piece(piece, span)


def _joined(hits: list[SelectedText]) -> Iterator[SelectedText]:
    """Yield the hits in order; those that overlap as one."""
    before: SelectedText | None = None
    for hit in sorted(hits, key=_first):
        if before and hit.first < before.last:
            before = SelectedText(before.first, max(before.last, hit.last))
            continue
        if before:
            yield before
        before = hit
    if before:
        yield before


def _first(hit: SelectedText) -> TextPosition:
    return hit.first
