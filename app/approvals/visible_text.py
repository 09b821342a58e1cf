"""Show untrusted text so that nothing in it is hidden or reordered, for a person who decides.

Characters that draw nothing, reorder others or look like a blank are written as ‹U+202E›, and white
space that could push words out of sight gets visible marks. Marks are runs of a kind of their own
(`RunKind`), so a list of runs stands for exactly one text.

`find_confusables` finds words with look-alike letters, such as `nаme` with a Cyrillic а: the word,
and what it can be mistaken for by UTS 39 (`local_tools.skeleton`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import groupby
from typing import Final

from local_tools.skeleton import BLANK_RANGES, plain_letters

_SPACE_MARK: Final = "·"
_TAB_MARK: Final = "→"
_BREAK_MARK: Final = "↵"
_TIMES: Final = "×"

# Up to three blanks in a row are drawn plain; in a longer run each is marked.
_PLAIN_BLANKS: Final = 3
# A longer stretch of one blank is counted instead of drawn, so that it cannot fill the view.
_DRAWN_MARKS: Final = 16
_DRAWN_BREAKS: Final = 3
# Longer pieces are not cached: those that recur are short.
_SHORT: Final = 8
# More marks than this on one letter would paint over the lines around it.
_MARKS_ON_A_LETTER: Final = 3

# Controls, formats, surrogates, private use, unassigned, and every separator but the space.
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_MARK_CATEGORIES: Final = frozenset({"Mn", "Me", "Mc"})

# U+2039 opens our own escapes, so a literal one must not be able to imitate them.
_HIDDEN_RANGES: Final = (*BLANK_RANGES, (0x2039, 0x2039))
# Strokes through letters: struck-out words read as taken back.
_STROKES: Final = ((0x0334, 0x0338), (0x20D2, 0x20D3), (0x20D8, 0x20DA), (0x20E5, 0x20EB))

# The last alternative takes in the ASCII character before it, which marks may combine with.
_PIECES: Final = re.compile(
    r"[\x21-\x7e]+(?![^\x20-\x7e\t\n\r])|[ \t]+|\n+|\r|[\x21-\x7e]?[^\x20-\x7e\t\n\r]+"
)


class RunKind(Enum):
    """What a run of shown text stands for."""

    TEXT = "text"
    BLANK = "blank"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class TextRun:
    """A stretch of shown text of one kind."""

    text: str
    kind: RunKind


def escape_invisible(text: str, *, breaks_lines: bool = True) -> str:
    """Return `text` with everything hidden made visible, as one string."""
    return "".join(run.text for run in reveal_runs(text, breaks_lines=breaks_lines))


def reveal_runs(text: str, *, breaks_lines: bool = True) -> tuple[TextRun, ...]:
    """Return `text` as runs to draw one after the other.

    Line breaks are marked; with `breaks_lines` the mark is followed by a real one, so that text
    of several lines keeps its shape.
    """
    return joined(iter_runs(text, breaks_lines=breaks_lines))


def iter_runs(text: str, *, breaks_lines: bool = True) -> Iterator[TextRun]:
    """Yield the runs of `reveal_runs` in small pieces, each made when it is asked for."""
    for match in _PIECES.finditer(text):
        piece = match[0]
        yield from (_show_again if len(piece) <= _SHORT else _show)(piece, breaks_lines)


def joined(pieces: Iterable[TextRun]) -> tuple[TextRun, ...]:
    """Return these runs with neighbours of one kind as one."""
    return tuple(
        TextRun("".join(run.text for run in runs), kind)
        for kind, runs in groupby(pieces, key=lambda run: run.kind)
    )


@lru_cache(maxsize=4096)
def is_hidden(character: str) -> bool:
    """Say whether `character` would draw nothing, a blank, or change how others are drawn."""
    code = ord(character)
    return (
        (unicodedata.category(character) in _HIDDEN_CATEGORIES and character != " ")
        or _is_within(code, _HIDDEN_RANGES)
        or _is_within(code, _STROKES)
    )


def _is_within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


@lru_cache(maxsize=4096)
def _show_again(piece: str, breaks_lines: bool) -> tuple[TextRun, ...]:
    """Return what `_show` yields, from a cache: short pieces come again and again."""
    return tuple(_show(piece, breaks_lines))


def _show(piece: str, breaks_lines: bool) -> Iterator[TextRun]:
    first = piece[0]
    if first in " \t":
        yield from _show_blanks(piece)
    elif first == "\n":
        yield from _show_breaks(len(piece), breaks_lines)
    elif first == "\r":
        yield TextRun("‹CR›", RunKind.HIDDEN)
    elif piece.isascii() and piece.isprintable():
        yield TextRun(piece, RunKind.TEXT)
    else:
        yield from _show_others(piece)


def _show_blanks(piece: str) -> Iterator[TextRun]:
    is_long = len(piece) > _PLAIN_BLANKS
    for character, group in groupby(piece):
        count = len(list(group))
        if character == " " and not is_long:
            yield TextRun(" " * count, RunKind.TEXT)
            continue
        mark = _SPACE_MARK if character == " " else _TAB_MARK
        counted = f"{mark}{_TIMES}{count}"
        yield TextRun(mark * count if count <= _DRAWN_MARKS else counted, RunKind.BLANK)


def _show_breaks(count: int, breaks_lines: bool) -> Iterator[TextRun]:
    end = "\n" if breaks_lines else ""
    if count > _DRAWN_BREAKS:
        yield TextRun(f"{_BREAK_MARK}{_TIMES}{count}{end}", RunKind.BLANK)
    else:
        yield TextRun(f"{_BREAK_MARK}{end}" * count, RunKind.BLANK)


def _show_others(piece: str) -> Iterator[TextRun]:
    marks = _MARKS_ON_A_LETTER  # A mark without a letter before it has nothing to sit on.
    for character in piece:
        marks = marks + 1 if unicodedata.category(character) in _MARK_CATEGORIES else 0
        is_written_out = is_hidden(character) or marks > _MARKS_ON_A_LETTER
        if is_written_out:
            marks = _MARKS_ON_A_LETTER
        yield _show_one(character, is_written_out)


@lru_cache(maxsize=4096)
def _show_one(character: str, is_written_out: bool) -> TextRun:
    if is_written_out:
        return TextRun(f"‹U+{ord(character):04X}›", RunKind.HIDDEN)
    return TextRun(character, RunKind.TEXT)


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


# Alphabets that look alike. Of any other, only letters drawn like a Latin one count.
_ALPHABETS: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})
# UTS 39 takes these for plain letters, too, but in running text nobody does; with them, ordinary
# Russian, Ukrainian, Greek and Armenian words would be warned about.
_TOLD_APART: Final = frozenset("гУЬүӏαγσυազհոռց")
# Look-alikes that are ordinary letters of Turkish, Ewe and Kabyle, so no warning for them.
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
        # Styled letters are reported as another kind.
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
