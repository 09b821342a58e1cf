"""Finding what was meant by a few letters."""

import re
from dataclasses import dataclass
from typing import Final

from app.store.words import Marks, fold

_MOST_LETTERS: Final = 40
_MOST_CHARS: Final = 120
_WORD_START: Final = re.compile(r"(?<![^\W_])[^\W_]|(?<=[^\W\d_])\d|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Fit:
    """How letters fit a text: the fewer pieces, and the nearer to the beginning, the better."""

    pieces: int
    start: int
    marks: Marks


def fit(letters: str, text: str) -> Fit | None:
    """Say how `letters` fit `text`; None when they do not.

    They stand in the text in their order, in pieces that each begin a word: "rel" fits "Release
    notes" and "Restart the local service". Words may come in another order; blanks, case and
    accents do not count.
    """
    words = fold(letters[:_MOST_LETTERS]).split()
    folded = fold(text[:_MOST_CHARS])
    places = _Places("".join(words), folded).find()
    if places is None and len(words) > 1:
        places = _each(words, folded)
    if places is None:
        return None
    marks = _joined(places)
    return Fit(len(marks), marks[0][0] if marks else 0, marks)


def _each(words: list[str], text: str) -> tuple[int, ...] | None:
    """Where the letters of each word stand, when the words come in another order."""
    places: set[int] = set()
    for word in words:
        found = _Places(word, text).find()
        if found is None:
            return None
        places.update(found)
    return tuple(sorted(places))


class _Places:
    """Where the letters stand: of all ways, one with the fewest pieces, and then the first."""

    def __init__(self, wanted: str, text: str) -> None:
        self._wanted = wanted
        self._text = text
        self._starts = [found.start() for found in _WORD_START.finditer(text)]
        self._known: dict[tuple[int, int], tuple[int, ...] | None] = {}

    def find(self) -> tuple[int, ...] | None:
        """Return the place of each letter."""
        return self._best(0, -2)

    def _best(self, number: int, after: int) -> tuple[int, ...] | None:
        """The places of the letters from `number` on, when the one before stands at `after`."""
        if number == len(self._wanted):
            return ()
        key = (number, after)
        if key not in self._known:
            ways = (self._from(number, place) for place in self._candidates(number, after))
            found = [way for way in ways if way is not None]
            self._known[key] = min(
                found, key=lambda way: (_piece_count(way, after), way), default=None
            )
        return self._known[key]

    def _from(self, number: int, place: int) -> tuple[int, ...] | None:
        rest = self._best(number + 1, place)
        return None if rest is None else (place, *rest)

    def _candidates(self, number: int, after: int) -> list[int]:
        letter = self._wanted[number]
        places = [start for start in self._starts if start > after]
        if number and after + 1 not in places:
            places.append(after + 1)
        return [at for at in places if self._text[at : at + 1] == letter]


def _piece_count(places: tuple[int, ...], after: int) -> int:
    before = (after, *places)
    return sum(place != last + 1 for last, place in zip(before, places, strict=False))


def _joined(places: tuple[int, ...]) -> Marks:
    marks: list[tuple[int, int]] = []
    for place in places:
        if marks and marks[-1][1] == place:
            marks[-1] = (marks[-1][0], place + 1)
        else:
            marks.append((place, place + 1))
    return tuple(marks)
