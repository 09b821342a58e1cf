"""`Selection` is the selected text of the transcript, from a position in one row to one in any row.

Rows are counted as the model counts them; `insert` and `remove` keep the selection in place.
`TextPosition` and `SelectedText` are positions in the text of one row, and the text between two.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TextRange:
    """The characters of one text from `first` to before `last`."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, order=True)
class TextPosition:
    """A position between two letters: in a piece of a row, after `offset` characters."""

    piece: int
    offset: int


@dataclass(frozen=True, slots=True)
class SelectedText:
    """The selected text of a row, from `first` to before `last`."""

    first: TextPosition
    last: TextPosition

    @classmethod
    def in_piece(cls, piece: int, span: TextRange) -> "SelectedText":
        """Return a range of one piece."""
        return cls(TextPosition(piece, span.first), TextPosition(piece, span.last))

    def span_in(self, piece: int, length: int) -> TextRange | None:
        """Return the selected part of a piece of `length` characters."""
        if not self.first.piece <= piece <= self.last.piece:
            return None
        first = self.first.offset if piece == self.first.piece else 0
        last = self.last.offset if piece == self.last.piece else length
        return TextRange(first, last) if first < last else None


@dataclass(frozen=True, slots=True, order=True)
class Anchor:
    """A position between two letters of the transcript."""

    row: int
    position: TextPosition


@dataclass(frozen=True, slots=True)
class SelectedSpan:
    """The text between two positions; nothing where both are the same."""

    first: Anchor
    last: Anchor

    @classmethod
    def within(cls, row: int, selected: SelectedText) -> "SelectedSpan":
        """Return the span of the selected text of one row."""
        return cls(Anchor(row, selected.first), Anchor(row, selected.last))


@dataclass(slots=True)
class Selection:
    """The selected text: where it was begun, and how far it goes.

    One for a view.
    """

    _start: SelectedSpan | None = None
    _span: SelectedSpan | None = None
    _cursor: Anchor | None = None

    @property
    def span(self) -> SelectedSpan | None:
        """The selected span; None while nothing is selected."""
        span = self._span
        return span if span and span.first < span.last else None

    @property
    def cursor(self) -> Anchor | None:
        """The end that moves; also where a selection would begin, while nothing is selected."""
        return self._cursor

    @property
    def extends_up(self) -> bool:
        """Whether the selection extends towards the beginning."""
        start, span = self._start, self._span
        return start is not None and span is not None and span.first < start.first

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return self.span is None

    def begin(self, anchor: Anchor) -> None:
        """Begin a selection at a position."""
        self.select(SelectedSpan(anchor, anchor))

    def select(self, span: SelectedSpan) -> None:
        """Select a span; extending the selection keeps it selected."""
        self._start = self._span = span
        self._cursor = span.last

    def extend_to(self, span: SelectedSpan) -> None:
        """Select from where the selection was begun to the far end of a span."""
        start = self._start or span
        self._span = SelectedSpan(min(start.first, span.first), max(start.last, span.last))
        self._cursor = span.first if span.first < start.first else span.last

    def clear(self) -> None:
        """Select nothing."""
        self._start = self._span = self._cursor = None

    def insert(self, first: int, count: int) -> None:
        """Follow the insertion of rows."""
        self._shift(first, count)

    def remove(self, first: int, count: int) -> None:
        """Follow the removal of rows; clear the selection if it begins or ends in them."""
        ends = {anchor.row for anchor in self._ends()}
        if any(first <= row < first + count for row in ends):
            self.clear()
        else:
            self._shift(first + count, -count)

    def _ends(self) -> list[Anchor]:
        both = [part for part in (self._start, self._span) if part]
        ends = [anchor for part in both for anchor in (part.first, part.last)]
        return [*ends, *([self._cursor] if self._cursor else [])]

    def _shift(self, first: int, by: int) -> None:
        if self._start and self._span and self._cursor:
            self._start = _shifted(self._start, first, by)
            self._span = _shifted(self._span, first, by)
            self._cursor = _moved(self._cursor, first, by)


def _shifted(span: SelectedSpan, first: int, by: int) -> SelectedSpan:
    return SelectedSpan(_moved(span.first, first, by), _moved(span.last, first, by))


def _moved(anchor: Anchor, first: int, by: int) -> Anchor:
    return replace(anchor, row=anchor.row + by) if anchor.row >= first else anchor
