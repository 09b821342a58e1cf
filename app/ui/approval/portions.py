"""A long text portion by portion: as much as is quickly laid out, and then more of it."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from app.approvals.reveal import Run, RunKind
from app.ui.approval.revealed_text import Paragraph

PORTION_CHARACTERS: Final = 8_000
# Each costs about as much as so many characters.
_COST_OF_PARAGRAPH: Final = 40
_PIECE_CHARACTERS: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of one paragraph."""

    paragraph: Paragraph
    run: Run
    is_first: bool


class Portions:
    """Gives paragraphs out in portions, none of them left out; a long paragraph in several.

    What is not taken yet is not looked at yet, so a text costs what is shown of it.
    """

    def __init__(self, paragraphs: Iterable[Paragraph]) -> None:
        self._pieces = _pieces(paragraphs)
        self._next = next(self._pieces, None)

    @property
    def is_left(self) -> bool:
        """Whether there is more to take."""
        return self._next is not None

    def take(self) -> tuple[Paragraph, ...]:
        """Return what comes next, of about `PORTION_CHARACTERS`."""
        taken: list[tuple[Paragraph, list[Run]]] = []
        left = PORTION_CHARACTERS
        while self._next and (left > 0 or _belongs_to_the_letter_before(self._next.run)):
            piece = self._next
            if piece.is_first or not taken:
                taken.append((piece.paragraph, []))
                left -= _COST_OF_PARAGRAPH
            taken[-1][1].append(piece.run)
            left -= len(piece.run.text)
            self._next = next(self._pieces, None)
        if self._next and taken:
            _end_line(taken[-1][1])
        return tuple(Paragraph(tuple(runs), like.ink, like.ground) for like, runs in taken)


def _pieces(paragraphs: Iterable[Paragraph]) -> Iterator[_Piece]:
    for paragraph in paragraphs:
        is_first = True
        for run in paragraph.runs:
            for text in _cut(run):
                yield _Piece(paragraph, Run(text, run.kind), is_first)
                is_first = False
        if is_first:
            yield _Piece(paragraph, Run("", RunKind.TEXT), is_first)


def _cut(run: Run) -> Iterator[str]:
    """Pieces of a text; a mark stays whole."""
    if run.kind is not RunKind.TEXT:
        yield run.text
        return
    for start in range(0, len(run.text), _PIECE_CHARACTERS):
        yield run.text[start : start + _PIECE_CHARACTERS]


def _belongs_to_the_letter_before(run: Run) -> bool:
    return run.kind is RunKind.TEXT and unicodedata.category(run.text[:1] or " ")[0] == "M"


def _end_line(runs: list[Run]) -> None:
    """Take away a line break at the end: the next portion begins a line of its own anyway."""
    runs[-1] = Run(runs[-1].text.removesuffix("\n"), runs[-1].kind)
