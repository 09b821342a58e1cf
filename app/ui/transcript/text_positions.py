"""Places in the text of a row, and what lies between two of them."""

from dataclasses import dataclass


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
