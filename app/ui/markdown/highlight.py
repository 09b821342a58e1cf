"""`highlight_lines` finds the keywords, strings, numbers, comments and names in code."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

from app.ui.markdown.blocks import HighlightRange
from app.ui.widgets.stylesheet import Token

_LONGEST_LINE: Final = 500
"""In longer lines nothing is coloured: they are data, and costly to read."""

_INKS: Final[dict[_TokenType, Token]] = {
    Keyword: "code-keyword",
    Keyword.Constant: "code-number",
    Operator.Word: "code-keyword",
    String: "code-string",
    Number: "code-number",
    Comment: "code-comment",
    Name.Function: "code-name",
    Name.Class: "code-name",
    Name.Builtin: "code-name",
    Name.Decorator: "code-name",
    Name.Tag: "code-name",
    Name.Exception: "code-name",
}


# What Pygments does not know by this name.
_ALIASES: Final = {"svg": "xml"}


def highlight_lines(text: str, language: str) -> Iterator[list[HighlightRange]]:
    """Yield the ranges of each line, first line first; the work is done line by line.

    Nothing is yielded for a language that is not known.
    """
    lexer = _find_lexer(language)
    if lexer is None:
        return
    line: list[HighlightRange] = []
    column = 0
    for _, kind, value in lexer.get_tokens_unprocessed(text + "\n"):
        ink = _ink_of(kind)
        first, *others = value.split("\n")
        for part, is_next in [(first, False), *((other, True) for other in others)]:
            if is_next:
                yield line if column <= _LONGEST_LINE else []
                line, column = [], 0
            if part and ink:
                line.append(HighlightRange(column, len(part), ink))
            column += len(part)


def _find_lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(
            _ALIASES.get(language.lower(), language.lower()), stripnl=False, ensurenl=False
        )
    except ClassNotFound:
        return None


@lru_cache
def _ink_of(kind: _TokenType) -> Token | None:
    groups = reversed(kind.split())
    return next((_INKS[group] for group in groups if group in _INKS), None)
