"""Text from elsewhere, made fit to be parsed and laid out, without changing what it says."""

import re
import unicodedata
from typing import Final

from app.approvals.reveal import is_hidden

RUN_LIMIT: Final = 512
"""After so many characters without a blank a line may be broken: layout is quadratic otherwise."""

BREAK_MARK: Final = "\u200b"
"""What allows a break. It draws nothing, and is left out when text is copied."""

# Controls; characters that stand for objects and frames inside Qt's documents; non-characters.
_UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffc\ufffe\uffff]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_SEPARATORS: Final = re.compile("\r\n?|[\u2028\u2029\x85]")
# Marks beyond this on one letter would paint over the lines above.
_STORM: Final = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})[\u0300-\u036f\u0483-\u0489\u0591-\u05bd"
    "\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
_LONG_RUN: Final = re.compile(rf"\S{{{RUN_LIMIT}}}(?=\S)")
_RUN: Final = re.compile(r"\s")
_NOT_ASCII: Final = re.compile(r"[^\n\t\x20-\x7e]+")
_PICTURE_JOINERS: Final = frozenset("\u200d\ufe0f")


def clean_source(text: str) -> str:
    """Return `text` with one kind of line break and without characters that no text has.

    Works line by line: cleaning the lines one by one gives the same as cleaning them together.
    """
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _SEPARATORS.sub("\n", text)
    return _STORM.sub(r"\1", _UNFIT.sub("\ufffd", text))


def show_hidden(text: str) -> str:
    """Return code or output with what would draw nothing, or turn text around, written out.

    Tabs and line breaks stay; the joiners inside a picture made of several stay too.
    """
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _NOT_ASCII.sub(lambda found: _write_out(found[0]), _SEPARATORS.sub("\n", text))


def break_runs(text: str) -> str:
    """Return `text` with places to break in every long run without blanks."""
    return _LONG_RUN.sub(lambda found: found[0] + BREAK_MARK, text)


class RunBreaker:
    """Breaks runs that go on over several pieces of one line."""

    def __init__(self) -> None:
        self._run = 0

    def feed(self, piece: str) -> str:
        """Return `piece` with places to break, seen as the continuation of the pieces before."""
        words = _RUN.split(piece)
        if len(words[0]) + self._run > RUN_LIMIT:
            piece = BREAK_MARK + piece
            self._run = 0
        self._run = len(words[-1]) % RUN_LIMIT + (self._run if len(words) == 1 else 0)
        return break_runs(piece)


def _write_out(text: str) -> str:
    shown: list[str] = []
    before = ""
    for character in text:
        joins = character in _PICTURE_JOINERS and before and _is_picture(before)
        hides = is_hidden(character) and not joins
        shown.append(f"‹U+{ord(character):04X}›" if hides else character)
        before = character
    return _STORM.sub(r"\1", "".join(shown))


def _is_picture(character: str) -> bool:
    return character in _PICTURE_JOINERS or unicodedata.category(character) in {"So", "Sk"}
