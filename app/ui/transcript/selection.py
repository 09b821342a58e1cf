"""`Selection` is the marked text of the transcript, from a place in one row to one in any row.

Rows are counted as the model counts them; `insert` and `remove` keep the marks where they are.
Before it stand places in the text of a row, and what lies between two of them.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TextRange:
    """The characters of one text from `first` to before `last`."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, order=True)
class TextPosition:
    """A place between two letters: in which piece of a row, and after how many characters."""

    piece: int
    position: int


@dataclass(frozen=True, slots=True)
class SelectedText:
    """What is marked in a row, from `first` to before `last`."""

    first: TextPosition
    last: TextPosition

    @classmethod
    def in_piece(cls, piece: int, span: TextRange) -> "SelectedText":
        """Return characters of one piece."""
        return cls(TextPosition(piece, span.first), TextPosition(piece, span.last))

    def span_in(self, piece: int, length: int) -> TextRange | None:
        """Return the marked part of a piece of `length` characters."""
        if not self.first.piece <= piece <= self.last.piece:
            return None
        first = self.first.position if piece == self.first.piece else 0
        last = self.last.position if piece == self.last.piece else length
        return TextRange(first, last) if first < last else None


@dataclass(frozen=True, slots=True, order=True)
class Anchor:
    """A place between two letters of the transcript."""

    row: int
    spot: TextPosition


@dataclass(frozen=True, slots=True)
class SelectedSpan:
    """What lies between two places; nothing where both are the same."""

    first: Anchor
    last: Anchor

    @classmethod
    def within(cls, row: int, selected: SelectedText) -> "SelectedSpan":
        """Return the stretch that is marked in one row."""
        return cls(Anchor(row, selected.first), Anchor(row, selected.last))


@dataclass(slots=True)
class Selection:
    """The marked text: where it was begun, and where it goes to.

    One for a view.
    """

    _begun: SelectedSpan | None = None
    _now: SelectedSpan | None = None
    _cursor: Anchor | None = None

    @property
    def stretch(self) -> SelectedSpan | None:
        """What is marked, if anything is."""
        now = self._now
        return now if now and now.first < now.last else None

    @property
    def cursor(self) -> Anchor | None:
        """The end that moves; also where marking would begin, while nothing is marked."""
        return self._cursor

    @property
    def goes_up(self) -> bool:
        """Whether marking goes on towards the beginning."""
        begun, now = self._begun, self._now
        return begun is not None and now is not None and now.first < begun.first

    @property
    def is_empty(self) -> bool:
        """Whether nothing is marked."""
        return self.stretch is None

    def begin(self, place: Anchor) -> None:
        """Begin to mark here."""
        self.take(SelectedSpan(place, place))

    def take(self, stretch: SelectedSpan) -> None:
        """Mark this; going on from here keeps it marked."""
        self._begun = self._now = stretch
        self._cursor = stretch.last

    def go_to(self, stretch: SelectedSpan) -> None:
        """Mark from where it was begun to the far end of this."""
        begun = self._begun or stretch
        self._now = SelectedSpan(min(begun.first, stretch.first), max(begun.last, stretch.last))
        self._cursor = stretch.first if stretch.first < begun.first else stretch.last

    def clear(self) -> None:
        """Mark nothing."""
        self._begun = self._now = self._cursor = None

    def insert(self, first: int, count: int) -> None:
        """Take note of new rows."""
        self._shift(first, count)

    def remove(self, first: int, count: int) -> None:
        """Take note of rows that are gone; what was marked in them is marked no more."""
        ends = {place.row for place in self._ends()}
        if any(first <= row < first + count for row in ends):
            self.clear()
        else:
            self._shift(first + count, -count)

    def _ends(self) -> list[Anchor]:
        both = [part for part in (self._begun, self._now) if part]
        ends = [place for part in both for place in (part.first, part.last)]
        return [*ends, *([self._cursor] if self._cursor else [])]

    def _shift(self, first: int, by: int) -> None:
        if self._begun and self._now and self._cursor:
            self._begun = _shifted(self._begun, first, by)
            self._now = _shifted(self._now, first, by)
            self._cursor = _moved(self._cursor, first, by)


def _shifted(stretch: SelectedSpan, first: int, by: int) -> SelectedSpan:
    return SelectedSpan(_moved(stretch.first, first, by), _moved(stretch.last, first, by))


def _moved(place: Anchor, first: int, by: int) -> Anchor:
    return replace(place, row=place.row + by) if place.row >= first else place
