"""Comparing words as a reader does: without case and without accents."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.ui.markdown.source import BREAK_MARK
from app.ui.transcript.spots import Span

_MARKS: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Needle:
    """What is to be found in a message, folded: one phrase, or several words.

    `cores` have only the letters and digits of `phrases`; with `is_any` one of them is enough.
    """

    phrases: tuple[str, ...]
    cores: tuple[str, ...]
    is_any: bool = False

    @classmethod
    def of(cls, words: str) -> "Needle | None":
        """Return the needle for what was typed; None for nothing."""
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
        """Tell whether a text may show the words, whatever marks are in its source."""
        core = _core(fold(source))
        return (any if self.is_any else all)(each in core for each in self.cores)

    def spans_in(self, text: str) -> Iterator[tuple[str, Span]]:
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
                if starts[at] < starts[end]:
                    yield phrase, Span(starts[at], starts[end])
                at = folded.find(phrase, end)


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
