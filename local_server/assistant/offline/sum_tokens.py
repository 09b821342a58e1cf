"""The parts of a sum: numbers, signs and the words that stand for them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Final, Literal

from local_server.assistant.offline.numbers import (
    LITERAL,
    NUMBER_WORDS,
    PARTS,
    SCALES,
    NumberError,
    read_literal,
    read_words,
    write_number,
)

Sign = Literal["+", "-", "*", "/", "^", "%", "mod", "of", "off", "root", "pi", "(", ")"]
_MOST_TOKENS: Final = 200
_SIGNS: Final[dict[str, Sign]] = {
    "+": "+", "plus": "+",
    "-": "-", "−": "-", "–": "-", "minus": "-",
    "*": "*", "×": "*", "·": "*", "x": "*", "times": "*", "multiplied by": "*",
    "/": "/", "÷": "/", "over": "/", "divided by": "/",
    "^": "^", "**": "^", "to the power of": "^",
    "%": "%", "percent": "%", "per cent": "%",
    "mod": "mod", "modulo": "mod",
    "of": "of", "off": "off", "off of": "off",
    "pi": "pi", "π": "pi",
    "√": "root", "sqrt of": "root", "sqrt": "root",
    "the square root of": "root", "square root of": "root",
    "(": "(", ")": ")",
}  # fmt: skip
_POWERS: Final = {"²": 2, "squared": 2, "³": 3, "cubed": 3}
_SHOWN: Final[dict[Sign, str]] = {
    "+": " + ", "-": " − ", "*": " × ", "/": " ÷ ", "^": "^", "%": " %",
    "mod": " mod ", "of": " of ", "off": " off ", "root": "√", "pi": "π", "(": "(",
    ")": ")",
}  # fmt: skip
_CURRENCY: Final = re.compile(r"[$€£]")
_WORDS: Final = sorted((*_SIGNS, *_POWERS), key=len, reverse=True)
_SIGN: Final = re.compile(
    "|".join(re.escape(word) + (r"(?![a-z])" if word[-1].isalpha() else "") for word in _WORDS)
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_IN_NUMBER: Final = NUMBER_WORDS | {"and"}


class TokenError(Exception):
    """Something in a sum cannot be read; the message says what."""


@dataclass(frozen=True)
class Token:
    """A number or a sign.

    Attributes:
        said: The word that a number was written as, if it is shown so.
    """

    value: Fraction | Sign
    said: str = ""

    @property
    def is_operand(self) -> bool:
        """Whether a value begins here."""
        return isinstance(self.value, Fraction) or self.value in {"(", "root", "pi"}


def read_tokens(text: str) -> list[Token]:
    """Take a sum apart.

    Raises:
        TokenError: When a part of it is neither a number nor a sign.
    """
    tokens: list[Token] = []
    lowered = _CURRENCY.sub("", text.casefold())
    for token in _told_apart(lowered):
        tokens.append(token)
        if len(tokens) > _MOST_TOKENS:
            raise TokenError(f"It has more than {_MOST_TOKENS} parts, which is too long for me.")
    return [_with_meaning(token, following) for token, following in zip_longest(tokens, tokens[1:])]


def show_tokens(tokens: list[Token]) -> str:
    """Write a sum as it was read."""
    shown = ""
    before: Token | None = None
    for token in tokens:
        shown += _shown(token, before)
        before = token
    return shown.replace("  ", " ").strip()


def _told_apart(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        found, place = _next(text, place)
        yield from found


def _next(text: str, place: int) -> tuple[list[Token], int]:
    literal = LITERAL.match(text, place)
    if literal is not None:
        return _number(text, literal)
    sign = _SIGN.match(text, place)
    if sign is not None:
        word = sign[0]
        if word in _POWERS:
            return [Token("^"), Token(Fraction(_POWERS[word]))], sign.end()
        return [Token(_SIGNS[word])], sign.end()
    return _number_in_words(text, place)


def _number(text: str, literal: re.Match[str]) -> tuple[list[Token], int]:
    end = literal.end()
    if re.match(r"[.,]\d", text[end:]):
        raise TokenError(
            f"In “{text[literal.start() :][:30]}” I cannot tell decimals from thousands: I read a "
            "point before decimals, and a comma between groups of three figures."
        )
    try:
        value = read_literal(literal[0])
    except NumberError as exc:
        raise TokenError(str(exc)) from exc
    scale = _WORD.match(text, end + 1) if text[end : end + 1] == " " else None
    if scale is not None and scale[0] in SCALES:
        return [Token(value * SCALES[scale[0]])], scale.end()
    return [Token(value)], end


def _number_in_words(text: str, place: int) -> tuple[list[Token], int]:
    words: list[str] = []
    end = place
    while match := _WORD.match(text, end):
        if match[0] not in (_IN_NUMBER if words else NUMBER_WORDS):
            break
        words.append(match[0])
        end = match.end()
        if text[end : end + 1] in {" ", "-"} and _WORD.match(text, end + 1):
            end += 1
    if not words:
        unknown = _WORD.match(text, place)
        raise TokenError(f"I do not know what “{unknown[0] if unknown else text[place]}” is in it.")
    try:
        said = words[0] if words[0] in PARTS else ""
        return [Token(read_words(words), said)], end
    except NumberError as exc:
        raise TokenError(str(exc)) from exc


def _with_meaning(token: Token, following: Token | None) -> Token:
    """Tell the two meanings of % apart: between two values it is the remainder."""
    is_remainder = token.value == "%" and following is not None and following.is_operand
    return Token("mod") if is_remainder else token


def _shown(token: Token, before: Token | None) -> str:
    if isinstance(token.value, Fraction):
        return token.said or write_number(token.value).text
    is_first = before is None or not (
        isinstance(before.value, Fraction) or before.value in {")", "%", "pi"}
    )
    if token.value in {"-", "+"} and is_first:
        return _SHOWN[token.value].strip()
    return _SHOWN[token.value]
