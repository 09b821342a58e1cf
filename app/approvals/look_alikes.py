"""Words that are not what they look like: letters of other alphabets and dressed-up letters.

These characters are visible, so `app.approvals.reveal` leaves them alone; a person still cannot
tell `nаme` with a Cyrillic а from `name`. A finding names the word, so that it can be warned about.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final


class Doubt(Enum):
    """Why a word may not be what it looks like."""

    MIXED_ALPHABETS = "mixed_alphabets"
    OTHER_ALPHABET = "other_alphabet"
    DRESSED_UP = "dressed_up"
    RIGHT_TO_LEFT = "right_to_left"


@dataclass(frozen=True, slots=True)
class Finding:
    """A word in doubt, as it came."""

    doubt: Doubt
    word: str


# Alphabets whose letters are drawn like those of another.
_ALPHABETS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})
# Cyrillic and Greek letters that are drawn like Latin ones.
_LATIN_TWINS: Final = frozenset(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u0501\u051b\u051d"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408"
    "\u03bf\u03bd\u03c1\u03b9\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f"
    "\u03a1\u03a4\u03a5\u03a7"
)
_WORD: Final = re.compile(r"\w+")


def find_look_alikes(text: str, *, is_name: bool = False) -> tuple[Finding, ...]:
    """Return each word in doubt once, in order.

    With `is_name` (a path, a command, a host) more is doubted than in prose: a whole word in
    another alphabet that reads as Latin, and any right-to-left word, since it changes the order
    in which its neighbours are drawn.
    """
    found = (
        Finding(doubt, match[0])
        for match in _WORD.finditer(text)
        if not match[0].isascii()
        for doubt in _doubts(match[0], is_name)
    )
    return tuple(dict.fromkeys(found))


def _doubts(word: str, is_name: bool) -> Iterator[Doubt]:
    alphabets = {alphabet for letter in word if (alphabet := _alphabet(letter)) in _ALPHABETS}
    if len(alphabets) > 1:
        yield Doubt.MIXED_ALPHABETS
    elif is_name and alphabets and all(_is_twin(letter) for letter in word):
        yield Doubt.OTHER_ALPHABET
    if any(_is_dressed_up(letter) for letter in word):
        yield Doubt.DRESSED_UP
    if is_name and any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in word):
        yield Doubt.RIGHT_TO_LEFT


@lru_cache(maxsize=4096)
def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _is_twin(letter: str) -> bool:
    return letter in _LATIN_TWINS


@lru_cache(maxsize=4096)
def _is_dressed_up(letter: str) -> bool:
    """Say whether `letter` is another way of writing plain ASCII letters."""
    is_letter = unicodedata.category(letter) in {"Ll", "Lu"}
    return is_letter and not letter.isascii() and unicodedata.normalize("NFKC", letter).isascii()
