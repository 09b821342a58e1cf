"""Comparing words as a reader does: without case and without accents."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.ui.markdown.source import BREAK_MARK
from app.ui.transcript.spots import Span

_MARKS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Needle:
    """Words to be found, folded; `core` has only their letters and digits."""

    words: str
    core: str

    @classmethod
    def of(cls, words: str) -> "Needle | None":
        """Return the needle for what was typed; None for nothing."""
        folded = fold(words)
        return cls(folded, _core(folded)) if folded else None

    def may_be_in(self, source: str) -> bool:
        """Tell whether a text may show the words, whatever marks are in its source."""
        return self.core in _core(fold(source))

    def spans_in(self, text: str) -> Iterator[Span]:
        """Yield where the words stand in a text, in positions of UTF-16."""
        folded = fold(text)
        at = folded.find(self.words)
        if at < 0:
            return
        starts = range(len(text) + 1) if text.isascii() else _starts(text)
        while at >= 0:
            end = at + len(self.words)
            if starts[at] < starts[end]:
                yield Span(starts[at], starts[end])
            at = folded.find(self.words, end)


def fold(text: str) -> str:
    """Return a text without case, accents, and marks that only break lines."""
    if text.isascii():
        return text.lower()
    return "".join(map(_folded, text))


def _folded(letter: str) -> str:
    if letter == BREAK_MARK:
        return ""
    # Spaces of any kind are as good as another.
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
