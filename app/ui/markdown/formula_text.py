"""A formula as text that can be read: α ≤ x², where there are characters for it."""

import re
from typing import Final

from app.ui.markdown.formula_words import (
    ACCENTS,
    DOUBLE_STRUCK,
    FRACTIONS,
    LETTERS,
    LOWERED,
    RAISED,
    SIZES,
    SPACES,
    SYMBOLS,
)

_TOKEN: Final = re.compile(r"\\([A-Za-z]+\*?|.)\s*|\s+|.", re.DOTALL)
_DEEPEST: Final = 8
_SIMPLE: Final = re.compile(r"[^\W_]+|.")


class _UnreadableError(Exception):
    """There are no characters for this."""


def readable(source: str) -> str | None:
    """Return the formula in characters, or None if only its source says what it means."""
    reader = _Reader(source)
    try:
        words = reader.read(0)
    except _UnreadableError:
        return None
    return re.sub(r"\s+", " ", words).strip() if reader.is_at_end else None


class _Reader:
    """Reads one formula. Made for it."""

    def __init__(self, source: str) -> None:
        self._tokens = [found[0] for found in _TOKEN.finditer(source)]
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self._at == len(self._tokens)

    def read(self, depth: int) -> str:
        """Read to the end of the group."""
        if depth > _DEEPEST:
            raise _UnreadableError
        parts: list[str] = []
        while not self.is_at_end and self._tokens[self._at] != "}":
            parts.append(self._one(depth))
        return "".join(parts)

    def _one(self, depth: int) -> str:
        token = self._tokens[self._at]
        self._at += 1
        match token[0]:
            case "{":
                words = self.read(depth + 1)
                self._at += 1
                if self._at > len(self._tokens):
                    raise _UnreadableError
                return words
            case "^":
                return _moved(self._argument(depth), RAISED, "^")
            case "_":
                return _moved(self._argument(depth), LOWERED, "_")
            case "\\":
                return self._command(token[1:].strip() or " ", depth)
            case "&" | "~" | "#" | "%" | "$":
                raise _UnreadableError
        return token

    def _argument(self, depth: int) -> str:
        while not self.is_at_end and self._tokens[self._at].isspace():
            self._at += 1
        if self.is_at_end or self._tokens[self._at] in {"}", "^", "_"}:
            raise _UnreadableError
        if depth > _DEEPEST:
            raise _UnreadableError
        return self._one(depth + 1)

    def _command(self, name: str, depth: int) -> str:
        if name in SYMBOLS:
            return self._apart(SYMBOLS[name], name)
        if name in SPACES:
            return " "
        if name in SIZES:
            return self._sized(name)
        if name in FRACTIONS:
            return f"{_grouped(self._argument(depth))}/{_grouped(self._argument(depth))}"
        return self._dressed(name, depth)

    def _dressed(self, name: str, depth: int) -> str:
        has_option = self._tokens[self._at : self._at + 1] == ["["]
        if has_option or name not in LETTERS | ACCENTS.keys() | {"sqrt", "mathbb"}:
            raise _UnreadableError
        words = self._argument(depth)
        if name == "sqrt":
            return f"√{_grouped(words)}"
        if name == "mathbb":
            return _double_struck(words)
        return _accented(words, ACCENTS[name]) if name in ACCENTS else words

    def _apart(self, words: str, name: str) -> str:
        """Keep a sign as far from what follows it as it was written."""
        return words if self._tokens[self._at - 1] == f"\\{name}" else f"{words} "

    def _sized(self, name: str) -> str:
        has_empty = name in {"left", "right"} and self._tokens[self._at : self._at + 1] == ["."]
        self._at += has_empty
        return ""


def _moved(words: str, characters: dict[str, str], mark: str) -> str:
    if all(letter in characters for letter in words):
        return "".join(characters[letter] for letter in words)
    return f"{mark}{_grouped(words)}"


def _grouped(words: str) -> str:
    return words if _SIMPLE.fullmatch(words) else f"({words})"


def _accented(words: str, accent: str) -> str:
    if len(words) != 1:
        raise _UnreadableError
    return words + accent


def _double_struck(words: str) -> str:
    if any(letter not in DOUBLE_STRUCK for letter in words):
        raise _UnreadableError
    return "".join(DOUBLE_STRUCK[letter] for letter in words)
