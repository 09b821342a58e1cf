"""Sums, computed exactly: 0.1 + 0.2 is 0.3, and 15 % of 240 is 36.

Nothing is ever run as code, and every size has a bound: no sum can hold up the service.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Final

from local_server.assistant.offline.markdown import echo
from local_server.assistant.offline.numbers import write_number
from local_server.assistant.offline.phrases import is_asking, without_asking, without_question
from local_server.assistant.offline.sum_tokens import (
    Sign,
    Token,
    TokenError,
    read_tokens,
    show_tokens,
)

_DEEPEST: Final = 40
_LONGEST_CHARS: Final = 1000
_LARGEST_BITS: Final = 4096
_LARGEST_EXPONENT: Final = 10_000
_LARGEST_FACTORIAL: Final = 500
_ROOT_DIGITS: Final = Context(prec=40)
_PI: Final = Fraction("3.1415926535897932384626433832795028841972")
_FACTORIAL: Final = re.compile(r"(?P<number>\d{1,6})\s?!\s*=?\s*\??")
_LOOKS_LIKE_SUM: Final = re.compile(r"(?=.*\d)(?=.*[+*/^%=()√×÷·−–-])[\d\s.,'+*/^%=()√×÷·−–x$€£-]+")
_HOLDS_SUM: Final = re.compile(r"\d\s*(?:[+*/^%×÷−–-]|plus|minus|times)\s*\d")
_SHARE: Final = (
    re.compile(r"(?:what\s+)?percent(?:age)?\s+of\s+(?P<whole>.+?)\s+(?:is|are)\s+(?P<part>.+)"),
    re.compile(
        r"(?P<part>.+?)\s+(?:is|are)\s+what\s+(?:percent(?:age)?|%)\s+of\s+(?P<whole>.+)"
    ),
)  # fmt: skip


class SumError(Exception):
    """A sum that has no result here; the message says why."""


@dataclass(frozen=True)
class Value:
    """A number on the way through a sum.

    Attributes:
        is_exact: No root that never ends was cut on the way.
        is_share: It was just written as a percentage, so that adding it adds a share.
    """

    number: Fraction
    is_exact: bool = True
    is_share: bool = False


def answer_sum(text: str) -> str | None:
    """Answer what is a sum, or looks like one; None when it is neither."""
    asked = without_question(text)[:_LONGEST_CHARS]
    told = _factorial(without_asking(text)) or _share(asked)
    if told is not None:
        return told
    looks_like_one = _LOOKS_LIKE_SUM.fullmatch(asked) or (
        is_asking(text) and _HOLDS_SUM.search(asked.casefold())
    )
    try:
        tokens = read_tokens(asked)
        if not _has_sign(tokens) and not (looks_like_one and _breaks_off(tokens)):
            return None
        return _worked_out(tokens)
    except TokenError as exc:
        return _unread(asked, str(exc)) if looks_like_one else None
    except SumError as exc:
        return f"I read this as a sum, and it has no result here. {exc}"
    except _ShapeError as exc:
        return _unread(asked, str(exc)) if looks_like_one else None


def evaluate(text: str) -> Fraction:
    """Work out a sum that stands for a number.

    Raises:
        SumError: When it has no result, or cannot be read.
    """
    try:
        return _Parser(read_tokens(text)).result().number
    except (TokenError, _ShapeError) as exc:
        raise SumError(str(exc)) from exc


def _worked_out(tokens: list[Token]) -> str:
    value = _Parser(tokens).result()
    result = write_number(value.number, is_exact=value.is_exact)
    return f"{show_tokens(tokens)} {result.sign} **{result.text}**{result.note}"


def _share(asked: str) -> str | None:
    match = next((found for form in _SHARE if (found := form.fullmatch(asked.casefold()))), None)
    if match is None:
        return None
    try:
        part, whole = evaluate(match["part"]), evaluate(match["whole"])
        if whole == 0:
            return "Nothing is a percentage of zero, so I cannot say."
    except SumError:
        return None
    result = write_number(100 * part / whole)
    about = "about " if result.rounded_to else ""
    return (
        f"{write_number(part).text} is {about}**{result.text} %** of "
        f"{write_number(whole).text}{result.note}"
    )


def _factorial(asked: str) -> str | None:
    """The product of all numbers up to one, for a message that is nothing but `5!`."""
    match = _FACTORIAL.fullmatch(asked)
    if match is None:
        return None
    number = int(match["number"])
    if number > _LARGEST_FACTORIAL:
        return "I read this as a sum, and it has no result here. The result is too large for me."
    result = write_number(Fraction(math.factorial(number)))
    return f"{number}! {result.sign} **{result.text}**{result.note}"


def _has_sign(tokens: list[Token]) -> bool:
    """Whether there is anything to work out; a lone number, or a minus before it, is not."""
    return sum(isinstance(token.value, Fraction) for token in tokens) > 1 or any(
        token.value in {"root", "%", "pi"} for token in tokens
    )


def _breaks_off(tokens: list[Token]) -> bool:
    return bool(tokens) and tokens[-1].value in {"+", "-", "*", "/", "^"}


def _unread(asked: str, reason: str) -> str:
    return f"That looks like a sum, but I cannot read it: “{echo(asked)}”. {reason}"


class _ShapeError(Exception):
    """The parts are known, but do not make a sum; the message says what is wrong."""


class _Parser:
    """Works out one sum by recursive descent. Made for each."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def result(self) -> Value:
        """Work it out to its last part.

        Raises:
            SumError: When there is no result.
            _ShapeError: When it is not a sum.
        """
        value = self._sum()
        if self._place < len(self._tokens):
            raise _ShapeError("There is something left after its end.")
        return value

    def _sum(self) -> Value:
        left = self._product()
        while sign := self._take("+", "-"):
            right = self._product()
            number = right.number * (left.number if right.is_share else 1)
            added = left.number + (number if sign == "+" else -number)
            left = _bounded(added, is_exact=left.is_exact and right.is_exact)
        return left

    def _product(self) -> Value:
        left = self._signed()
        while True:
            sign = self._take("*", "/", "mod", "of", "off")
            if sign is None and not self._begins_operand():
                return left
            if sign in {"of", "off"} and not left.is_share and left.number >= 1:
                raise _ShapeError(
                    f"Only a percentage or a fraction can be taken “{sign}” something."
                )
            right = self._signed()
            number = _OPERATIONS[sign or "*"](left.number, right.number)
            left = _bounded(number, is_exact=left.is_exact and right.is_exact)

    def _signed(self) -> Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise SumError(f"It is nested more than {_DEEPEST} deep, which is too deep for me.")
        try:
            sign = self._take("+", "-")
            if sign is None:
                return self._power()
            value = self._signed()
            return Value(-value.number if sign == "-" else value.number, value.is_exact)
        finally:
            self._depth -= 1

    def _power(self) -> Value:
        base = self._operand()
        while self._take("%"):
            base = Value(base.number / 100, base.is_exact, is_share=True)
        if not self._take("^"):
            return base
        exponent = self._signed()
        return _raise_to(base, exponent)

    def _operand(self) -> Value:
        if self._take("pi"):
            return Value(_PI, is_exact=False)
        if self._take("root"):
            return _square_root(self._signed())
        if self._take("("):
            value = self._sum()
            if not self._take(")"):
                raise _ShapeError("A parenthesis is opened and not closed.")
            return Value(value.number, value.is_exact)
        if self._place == len(self._tokens):
            raise _ShapeError("It ends where a number should be.")
        value_or_sign = self._tokens[self._place].value
        if not isinstance(value_or_sign, Fraction):
            raise _ShapeError(f"There is “{value_or_sign}” where a number should be.")
        self._place += 1
        return Value(value_or_sign)

    def _take(self, *signs: Sign) -> Sign | None:
        if self._place == len(self._tokens):
            return None
        value = self._tokens[self._place].value
        if isinstance(value, Fraction) or value not in signs:
            return None
        self._place += 1
        return value

    def _begins_operand(self) -> bool:
        """Whether a value follows without a sign, as in `2(3 + 4)`; two numbers do not."""
        if self._place == len(self._tokens):
            return False
        return self._tokens[self._place].value in {"(", "root", "pi"}


def _divide(left: Fraction, right: Fraction) -> Fraction:
    if right == 0:
        raise SumError("Nothing can be divided by zero.")
    return left / right


def _remainder(left: Fraction, right: Fraction) -> Fraction:
    if right == 0:
        raise SumError("Nothing can be divided by zero.")
    return left % right


_OPERATIONS: Final[dict[str, Callable[[Fraction, Fraction], Fraction]]] = {
    "*": lambda left, right: left * right,
    "of": lambda left, right: left * right,
    "off": lambda left, right: (1 - left) * right,
    "/": _divide,
    "mod": _remainder,
}


def _bounded(number: Fraction, *, is_exact: bool) -> Value:
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _LARGEST_BITS:
        raise SumError("The numbers on the way become too large for me.")
    return Value(number, is_exact)


def _raise_to(base: Value, exponent: Value) -> Value:
    is_exact = base.is_exact and exponent.is_exact
    if abs(exponent.number) > _LARGEST_EXPONENT:
        raise SumError(f"An exponent over {_LARGEST_EXPONENT:,} is too large for me.")
    if base.number == 0 and exponent.number < 0:
        raise SumError("Nothing can be divided by zero.")
    if exponent.number.denominator == 1:
        power = int(exponent.number)
        bits = max(base.number.numerator.bit_length(), base.number.denominator.bit_length())
        if (bits - 1) * abs(power) > _LARGEST_BITS:
            raise SumError("The result is too large for me.")
        return _bounded(base.number**power, is_exact=is_exact)
    if base.number < 0:
        raise SumError("A fractional power of a negative number is not a real number.")
    return _fractional_power(base, exponent)


def _fractional_power(base: Value, exponent: Value) -> Value:
    if exponent.number == Fraction(1, 2):
        return _square_root(base)
    if base.number == 0:
        return base
    digits = base.number.numerator.bit_length() - base.number.denominator.bit_length()
    if abs(digits * exponent.number) > _LARGEST_BITS:
        raise SumError("The result is too large for me.")
    power = _ROOT_DIGITS.power(_decimal(base.number), _decimal(exponent.number))
    return _bounded(Fraction(power), is_exact=False)


def _square_root(value: Value) -> Value:
    number = value.number
    if number < 0:
        raise SumError("The square root of a negative number is not a real number.")
    top, bottom = math.isqrt(number.numerator), math.isqrt(number.denominator)
    if (top**2, bottom**2) == (number.numerator, number.denominator):
        return Value(Fraction(top, bottom), value.is_exact)
    return _bounded(Fraction(_ROOT_DIGITS.sqrt(_decimal(number))), is_exact=False)


def _decimal(number: Fraction) -> Decimal:
    return _ROOT_DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))
