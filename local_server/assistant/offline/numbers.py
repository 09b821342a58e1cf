"""Numbers as people write them: read exactly, and written so that rounding is said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final

# A space, a comma or an apostrophe may part thousands; never anything else.
LITERAL: Final = re.compile(
    r"(?:\d{1,3}(?:[,'’\u00a0\u202f ]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[+-]?\d{1,3}(?![\w.]))?"
    r"|\.\d+",
    re.IGNORECASE,
)
_LONGEST_LITERAL: Final = 100
_SEPARATORS: Final = re.compile(r"[,'’\u00a0\u202f ]")
_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS: Final = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
PARTS: Final = {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}
SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_SMALL: Final = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: 10 * tens for tens, word in enumerate(_TENS, start=2)},
}
NUMBER_WORDS: Final = frozenset({*_SMALL, *PARTS, *SCALES, "hundred"})
_LARGEST_SHOWN: Final = 10**40
_PLAIN_BELOW: Final = Decimal("1e15")
_PLAIN_FROM: Final = Decimal("1e-6")


class NumberError(Exception):
    """Something is not a number that can be read; the message says why."""


@dataclass(frozen=True)
class WrittenNumber:
    """A number in figures.

    Attributes:
        rounded_to: How many digits are left of it; None when the figures are exact.
    """

    text: str
    rounded_to: int | None

    @property
    def note(self) -> str:
        """What has to be said about the rounding, if anything."""
        return f", rounded to {self.rounded_to} digits" if self.rounded_to else ""

    @property
    def sign(self) -> str:
        """The sign between a sum and this result."""
        return "≈" if self.rounded_to else "="


def read_literal(text: str) -> Fraction:
    """Read figures.

    Raises:
        NumberError: When there are too many of them.
    """
    if len(text) > _LONGEST_LITERAL:
        raise NumberError(f"A number of more than {_LONGEST_LITERAL} figures is too long for me.")
    return Fraction(_SEPARATORS.sub("", text))


def read_words(words: Sequence[str]) -> Fraction:
    """Read a number that is written in words, such as `three hundred and five`.

    Raises:
        NumberError: When the words do not make one number.
    """
    if len(words) == 1 and words[0] in PARTS:
        return PARTS[words[0]]
    total, current, last_scale = 0, 0, 10**12
    for word in words:
        if word in SCALES and SCALES[word] < last_scale:
            last_scale = SCALES[word]
            total, current = total + (current or 1) * last_scale, 0
        elif word == "hundred" and current < 10:
            current = (current or 1) * 100
        elif word in _SMALL and _has_room(current, _SMALL[word]):
            current += _SMALL[word]
        elif word != "and":
            raise NumberError(f"“{' '.join(words)}” is not one number.")
    return Fraction(total + current)


def _has_room(current: int, value: int) -> bool:
    tens = current % 100
    return tens == 0 or (value < 10 and tens % 10 == 0 and tens >= 20)


def write_number(
    value: Fraction, digits: int = 10, decimals: int = 15, *, is_exact: bool = True
) -> WrittenNumber:
    """Write a number: exactly if so many decimals are enough, else rounded to so many digits."""
    places = _decimal_places(value.denominator)
    if is_exact and places is not None and places <= decimals and abs(value) < _LARGEST_SHOWN:
        scaled = abs(value.numerator) * 10**places // value.denominator
        whole, rest = divmod(scaled, 10**places)
        text = f"{whole:,}" + (f".{rest:0{places}}" if places else "")
        return WrittenNumber(_minus(value) + text, None)
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    rounded = context.divide(Decimal(abs(value.numerator)), Decimal(value.denominator))
    text = _minus(value) + _figures(rounded.normalize(context))
    return WrittenNumber(text, None if is_exact and rounded == abs(value) else digits)


def _minus(value: Fraction) -> str:
    return "−" if value < 0 else ""


def _decimal_places(denominator: int) -> int | None:
    """How many decimals a fraction with this denominator has; None when they never end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None


def _figures(value: Decimal) -> str:
    if value == 0 or _PLAIN_FROM <= value < _PLAIN_BELOW:
        return f"{value:,f}"
    exponent = value.adjusted()
    return f"{value.scaleb(-exponent):f} × 10^{exponent}"
