"""Questions such as “5 miles in km”, answered."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from local_server.assistant.offline.numbers import write_number
from local_server.assistant.offline.phrases import without_question
from local_server.assistant.offline.sums import SumError, evaluate
from local_server.assistant.offline.units import Unit, find_unit

_LONGEST_CHARS: Final = 120
_DIGITS: Final = 6
_DECIMALS: Final = 5
_CONVERT: Final = re.compile(r"^convert\s+", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\s+(?:in|to|into|as)\s+", re.IGNORECASE)
_HOW_MANY: Final = re.compile(
    r"^how (?:many|much)\s+(?P<unit>.+?)\s+(?:(?:is|are)(?: there)? in|is|are|in|make(?: up)?)\s+"
    r"(?P<amount>.+)$",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(
    r"^(?P<number>[-−+]?[\d.,/ \u00a0\u202f]*\d|half an?|an?|[a-z-]+(?: and [a-z]+)?)\s*"
    r"(?P<unit>[^\d\s].*?[23]?)$",
    re.IGNORECASE,
)
_FEET_AND_INCHES: Final = re.compile(
    r"^(?P<feet>\d+)\s*(?:ft|foot|feet|['’′])\s*(?P<inches>\d+(?:\.\d+)?)\s*"
    r"(?:in|inch|inches|[\"”″]|['’]{2})?$",
    re.IGNORECASE,
)
_ARTICLES: Final = {"a": "1", "an": "1", "half a": "0.5", "half an": "0.5"}


def answer_conversion(text: str) -> str | None:
    """Answer a question for an amount in another unit; None when it is none."""
    asked = without_question(_CONVERT.sub("", text.strip()))
    asked = _CONVERT.sub("", asked)
    if len(asked) > _LONGEST_CHARS:
        return None
    pairs = list(_pairs(asked))
    fitting = (pair for pair in pairs if pair[1].kind == pair[2].kind)
    found = next(fitting, None)
    if found is not None:
        return _converted(*found)
    return _mismatch(pairs[-1][1], pairs[-1][2]) if pairs else None


def _pairs(asked: str) -> Iterator[tuple[Fraction, Unit, Unit]]:
    """All that the words may mean: so many of one unit in another."""
    for amount, wanted in _readings(asked):
        for number, given in _amounts(amount):
            for target in find_unit(wanted):
                yield number, given, target


def _readings(asked: str) -> Iterator[tuple[str, str]]:
    """The ways to part the words into an amount and a unit; `in` may itself be the unit."""
    how_many = _HOW_MANY.match(asked)
    if how_many is not None:
        yield how_many["amount"], how_many["unit"]
    for between in _BETWEEN.finditer(asked):
        yield asked[: between.start()], asked[between.end() :]
        # “5 in in cm”: the signs between overlap, so that a search finds only the first.
        again = _BETWEEN.match(asked, between.end() - 1)
        if again is not None:
            yield asked[: again.start()], asked[again.end() :]


def _amounts(words: str) -> Iterator[tuple[Fraction, Unit]]:
    both = _FEET_AND_INCHES.match(words)
    if both is not None:
        (inches,) = find_unit("inches")
        yield Fraction(both["feet"]) * 12 + Fraction(both["inches"]), inches
        return
    match = _AMOUNT.match(words)
    if match is None:
        return
    number = match["number"]
    try:
        value = evaluate(_ARTICLES.get(number.casefold(), number))
    except SumError:
        return
    for unit in find_unit(match["unit"]):
        yield value, unit


def _converted(number: Fraction, given: Unit, target: Unit) -> str:
    in_base = number * given.size + given.zero
    if given.kind == "temperature" and in_base < 0:
        return "That is below absolute zero (−273.15 °C), so there is no such temperature."
    value = (in_base - target.zero) / target.size
    result = write_number(value, _DIGITS, _DECIMALS)
    notes = [note for note in dict.fromkeys((given.note, target.note)) if note]
    told = (
        f"{write_number(number).text} {given.named(number)} {result.sign} "
        f"**{result.text} {target.named(value)}**{result.note}."
    )
    return " ".join([told, *notes])


def _mismatch(given: Unit, target: Unit) -> str:
    return (
        f"{given.name[:1].upper()}{given.name[1:]} measure {given.kind} and {target.name} "
        f"{target.kind}, so one cannot become the other."
    )
