"""Parse the words of a search and find them in a text, ignoring case and accents.

`fold` folds letters as the index of the store does (unicode61 without diacritics), so that every
hit of the index is also found, and marked, here.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.store.database import storable
from app.store.plain_text import without_markdown

Marks = tuple[tuple[int, int], ...]
"""Where words stand in a text: pairs of start and end, in order, without overlap."""

_MOST_WORDS: Final = 8
_MOST_CHARS: Final = 64
# Hits are looked for in this much of a text; one behind it is found, but not marked.
_LOOKED_AT_CHARS: Final = 200_000
_MOST_MARKS: Final = 100
_EXCERPT_CHARS: Final = 160
_BEFORE_CHARS: Final = 36
# Lines that name to the model what goes with a message: a person knows the name alone.
_ATTACHED: Final = re.compile(r"^\[(?:image|attachment): (.+?)(?: \([^()\n]*\))?\]$", re.MULTILINE)
# So much is seen of an excerpt in a narrow list; words further apart have a piece each.
_TOGETHER_CHARS: Final = 72
_PIECE_BEFORE_CHARS, _PIECE_CHARS = 10, 36
_CODE_SIGNS: Final = re.compile(r"```+[^\s`]*(?=\n)|`+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
# Stands for a combining mark, so that folded text is as long as it was; a letter to `\w`.
_COMBINING: Final = "\u10fc"
_GAP: Final = r"[\W_]+"
_LIKE_SIGNS: Final = re.compile(r"([%_\\])")
_ESCAPED: Final = r"\\\1"
# Scripts that put no blank between words: the index sees a whole sentence of them as one word.
_UNBROKEN: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3100-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)


class _Folded(dict[int, str]):
    """What each character becomes; characters are worked out as they come."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        parts = unicodedata.normalize("NFD", character)
        # Only Latin letters lose their accents: elsewhere a mark makes another letter.
        is_accented = parts[0].isascii() and all(map(_ACCENTS.match, parts[1:]))
        bare = parts[0] if is_accented else character
        lower = bare.lower()
        # `İ` has two characters in lower case; places in the text are right only with one for each.
        self[code] = _COMBINING if _ACCENTS.match(character) else lower[0]
        return self[code]


_FOLDED: Final = _Folded()


def fold(text: str) -> str:
    """Return the text without case and accents, and exactly as long."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text on one line, with the places of the words in it."""

    text: str
    marks: Marks = ()


@dataclass(frozen=True)
class SearchTerms:
    """What somebody looks for: every word has to be there, at the beginning of a word.

    A word of a script without blanks, a single letter or a sign may stand anywhere.
    """

    indexed: tuple[str, ...]
    anywhere: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.indexed or self.anywhere)

    @property
    def match(self) -> str:
        """The words in the index's own language, each quoted; empty when none is in the index."""
        return " AND ".join(f'"{word.replace(chr(34), chr(34) * 2)}"*' for word in self.indexed)

    @property
    def likes(self) -> tuple[str, ...]:
        r"""Patterns for LIKE with the escape `\`, for what the index does not know as a word."""
        return tuple(f"%{_LIKE_SIGNS.sub(_ESCAPED, word)}%" for word in self.anywhere)

    def are_in(self, text: str) -> bool:
        """Return whether every word stands in the text."""
        folded = fold(text)
        return all(pattern.search(folded) for pattern in self._patterns)

    def marks_in(self, text: str) -> Marks:
        """Return where the words stand; what overlaps is one place."""
        folded = fold(text[:_LOOKED_AT_CHARS])
        places: list[tuple[int, int]] = []
        for pattern in self._patterns:
            for number, found in enumerate(pattern.finditer(folded)):
                if number == _MOST_MARKS:
                    break
                places.append(found.span())
        return _joined(places)

    def excerpt(self, text: str) -> Snippet:
        """Return the surroundings of the words, without the signs of Markdown.

        Words that stand far apart have a piece each; where there is none, it is the beginning.
        """
        plain = without_markdown(_ATTACHED.sub(r"\1", text[:_LOOKED_AT_CHARS]))
        # A word may occur only in the address of a link, which plain text leaves out.
        if self.are_in(plain):
            text = plain
        together, apart = self._places_to_show(text)
        if apart:
            shown = " ".join(_piece(text, place) for place in apart)
        else:
            start = _word_start(text, max(0, together - _BEFORE_CHARS), together)
            line = _one_line(text[start : start + 4 * _EXCERPT_CHARS])
            tail = "…" if len(line) > _EXCERPT_CHARS else ""
            shown = f"{'…' if start else ''}{line[:_EXCERPT_CHARS].rstrip()}{tail}"
        return Snippet(shown, self.marks_in(shown))

    def _places_to_show(self, text: str) -> tuple[int, list[int]]:
        """Return where the words stand together, or else the first place of each of them."""
        folded = fold(text[:_LOOKED_AT_CHARS])
        found = [pattern.search(folded) for pattern in self._patterns]
        firsts = sorted(match.start() for match in found if match)
        for place, _ in self.marks_in(text):
            near = folded[max(0, place - 1) : place + _TOGETHER_CHARS]
            if sum(bool(pattern.search(near)) for pattern in self._patterns) == len(firsts):
                return place, []
        return (0, firsts) if firsts else (0, [])

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return (
            *(re.compile(rf"(?<![^\W_]){_pattern_of(word)}") for word in self.indexed),
            *(re.compile(_loose(fold(word))) for word in self.anywhere),
        )


def parse_terms(query: str) -> SearchTerms:
    """Take what was typed apart: white space divides, everything else is text.

    More than a few words, and what is very long, is left out.
    """
    typed = storable(query[: _MOST_WORDS * _MOST_CHARS * 2]).replace("\0", " ").split()
    words = dict.fromkeys(fold(word[:_MOST_CHARS]) for word in typed[:_MOST_WORDS])
    indexed = tuple(word for word in words if _is_indexed(word))
    return SearchTerms(indexed, tuple(word for word in words if not _is_indexed(word)))


def _is_indexed(word: str) -> bool:
    letters = sum(character.isalnum() for character in word)
    return letters > 1 and not _UNBROKEN.search(word)


def _pattern_of(word: str) -> str:
    # The index, too, divides `a-b` at its sign, and finds it wherever `b` comes after `a`.
    return _GAP.join(_loose(token) for token in re.split(_GAP, word) if token)


def _loose(word: str) -> str:
    """Return a pattern that finds a folded word also where accents stand apart from letters."""
    return f"{_COMBINING}*".join(re.escape(character) for character in word)


def _one_line(text: str) -> str:
    """Return a text without signs of code; of a long stretch of blanks, one stays."""
    return " ".join(_CODE_SIGNS.sub("", text).split())


def _piece(text: str, place: int) -> str:
    start = _word_start(text, max(0, place - _PIECE_BEFORE_CHARS), place)
    line = _one_line(text[start : place + 4 * _PIECE_CHARS])
    return f"{'…' if start else ''}{line[:_PIECE_CHARS].rstrip()}…"


def _word_start(text: str, start: int, end: int) -> int:
    """Return where the first whole word after `start` begins; `start` if there is no blank."""
    if start == 0:
        return 0
    blank = re.search(r"\s+", text[start:end])
    return start + blank.end() if blank else start


def _joined(places: list[tuple[int, int]]) -> Marks:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(places):
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)
