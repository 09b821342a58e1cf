"""Words that are not what they look like: letters of other alphabets and dressed-up letters.

These characters are visible, so `app.approvals.visible_text` leaves them alone; a person still
cannot tell `nаme` with a Cyrillic а from `name`. A finding names the word to warn of,
and what it can be taken for. What looks like what is told by UTS 39 (`local_tools.skeleton`).
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from local_tools.skeleton import plain_letters


class ConfusableKind(Enum):
    """Why a word may not be what it looks like."""

    MIXED_ALPHABETS = "mixed_alphabets"
    OTHER_ALPHABET = "other_alphabet"
    DRESSED_UP = "dressed_up"
    RIGHT_TO_LEFT = "right_to_left"


@dataclass(frozen=True, slots=True)
class Confusable:
    """A word in doubt, as it came.

    Attributes:
        looks_like: The word of plain letters that it can be taken for; empty when there is none.
    """

    doubt: ConfusableKind
    word: str
    looks_like: str = ""


# Alphabets whose letters are drawn like those of another. Of any other, a letter counts that is.
_ALPHABETS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})
# UTS 39 takes these for plain letters, too, but in running text nobody does; with them, ordinary
# Russian, Ukrainian, Greek and Armenian words would be warned about.
_TOLD_APART: Final = frozenset("гУЬүӏαγσυազհոռց")
# They look like a plain letter, and stand in ordinary words of Turkish, Ewe and Kabyle.
_OF_LANGUAGES: Final = frozenset("ıɣɩʋ")
_WORD: Final = re.compile(r"[^\W_]+")


def find_confusables(text: str, *, is_name: bool = False) -> tuple[Confusable, ...]:
    """Return each word in doubt once, in order.

    With `is_name` (a path, a command, a host) more is doubted than in prose: a whole word in
    another alphabet that reads as Latin, and any right-to-left word, since it changes the order
    in which its neighbours are drawn.
    """
    found = (
        Confusable(doubt, match[0], looks_like)
        for match in _WORD.finditer(text)
        if not match[0].isascii()
        for doubt, looks_like in _doubts(match[0], is_name)
    )
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1024)
def _doubts(word: str, is_name: bool) -> tuple[tuple[ConfusableKind, str], ...]:
    looks_like = _plain_look(word)
    doubts = [*_doubts_of_letters(word, is_name)]
    if is_name and any(_is_right_to_left(letter) for letter in word):
        return (*((doubt, looks_like) for doubt in doubts), (ConfusableKind.RIGHT_TO_LEFT, ""))
    return tuple((doubt, looks_like) for doubt in doubts)


def _doubts_of_letters(word: str, is_name: bool) -> Iterator[ConfusableKind]:
    alphabets = {alphabet for letter in word if (alphabet := _alphabet(letter))}
    has_latin = "LATIN" in alphabets
    if len(alphabets) > 1 or (has_latin and any(_is_foreign_number(letter) for letter in word)):
        yield ConfusableKind.MIXED_ALPHABETS
    elif is_name and alphabets and not has_latin and all(_is_twin(letter) for letter in word):
        yield ConfusableKind.OTHER_ALPHABET
    has_ascii = any(letter.isascii() and letter.isalpha() for letter in word)
    if any(_is_dressed_up(letter, beside_plain=has_ascii) for letter in word):
        yield ConfusableKind.DRESSED_UP


def _plain_look(word: str) -> str:
    """Return what a word is taken for: each letter as the plain one that it looks like."""
    letters = (letter if letter.isascii() else _plain(letter) for letter in word)
    looks = "".join(letters)
    return looks if looks.isascii() else ""


def _plain(letter: str) -> str:
    dressed = unicodedata.normalize("NFKC", letter)
    return dressed if dressed.isascii() else plain_letters(letter) or letter


@lru_cache(maxsize=4096)
def _alphabet(letter: str) -> str:
    """Return the alphabet of a letter that may be taken for one of another; else nothing."""
    if not letter.isalpha() or unicodedata.normalize("NFKC", letter) != letter:
        # Dressed-up ones are told by themselves.
        return "LATIN" if _is_dressed_up(letter) else ""
    alphabet = unicodedata.name(letter, "").partition(" ")[0]
    return alphabet if alphabet in _ALPHABETS or _is_twin(letter) else ""


def _is_twin(letter: str) -> bool:
    """Say whether `letter` is of another alphabet, and drawn like one plain letter."""
    if letter in _TOLD_APART or _is_right_to_left(letter):
        return False
    looks = plain_letters(letter)
    return len(looks) == 1 and looks.isalpha()


def _is_right_to_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in {"R", "AL"}


def _is_foreign_number(letter: str) -> bool:
    return unicodedata.category(letter) == "Nd" and plain_letters(letter).isalnum()


@lru_cache(maxsize=4096)
def _is_dressed_up(letter: str, *, beside_plain: bool = False) -> bool:
    """Say whether `letter` is another way of writing plain ASCII letters.

    Some do so only where plain letters stand `beside` them: numerals, and the letters of phonetics.
    """
    if letter.isascii():
        return False
    category = unicodedata.category(letter)
    if category in {"Ll", "Lu"} and unicodedata.normalize("NFKC", letter).isascii():
        return True
    if not beside_plain or letter in _OF_LANGUAGES:
        return False
    is_latin = unicodedata.name(letter, "").startswith("LATIN ")
    return (is_latin or category == "Nl") and _is_twin(letter)
