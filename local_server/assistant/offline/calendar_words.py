"""Dates as people write them, and stretches of time."""

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from local_server.assistant.offline.numbers import NumberError, read_words

_MONTHS: Final = {
    **{name.casefold(): number for number, name in enumerate(calendar.month_name) if name},
    **{name.casefold(): number for number, name in enumerate(calendar.month_abbr) if name},
    "sept": 9,
}
_WEEKDAYS: Final = {name.casefold(): number for number, name in enumerate(calendar.day_name)}
_FEASTS: Final = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24),
    "new year": (1, 1), "new year's day": (1, 1), "new year's eve": (12, 31),
    "valentine's day": (2, 14), "halloween": (10, 31),
}  # fmt: skip
_RELATIVE: Final = {"today": 0, "now": 0, "tomorrow": 1, "yesterday": -1}
_MONTH: Final = r"(?P<month>[a-z]{3,9})\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,?\s+(?P<year>\d{4}))?"
_ISO: Final = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_IN_WORDS: Final = (
    re.compile(rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}"),
    re.compile(rf"{_MONTH}\s+{_DAY}{_YEAR}"),
)
_POINTS: Final = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})")
_SLASHES: Final = re.compile(r"(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>\d{4})")
_SPAN: Final = re.compile(
    r"(?P<count>\d{1,6}|[a-z]+(?:[ -][a-z]+)?) (?P<unit>day|week|month|year)s?"
)
_ARTICLES: Final = frozenset({"a", "an"})


class DateError(Exception):
    """It is meant as a date and is none; the message says why."""


@dataclass(frozen=True)
class Span:
    """A stretch of time in days or in months, as the calendar counts."""

    count: int
    unit: str

    def after(self, day: date) -> date:
        """Find the day so much later; a month that is too short ends it on its last day.

        Raises:
            DateError: When the calendar does not reach so far.
        """
        try:
            if self.unit in {"month", "year"}:
                return _months_later(day, self.count * (12 if self.unit == "year" else 1))
            return day + timedelta(days=self.count * (7 if self.unit == "week" else 1))
        except (OverflowError, ValueError) as exc:
            raise DateError("My calendar goes from the year 1 to the year 9999.") from exc

    def backwards(self) -> "Span":
        """Make the same stretch into the past."""
        return Span(-self.count, self.unit)


def read_date(text: str, today: date) -> date | None:
    """Read a date; without a year it is the next one that comes. None when it is no date.

    Raises:
        DateError: When it is meant as one, but there is no such day or it is not clear.
    """
    said = " ".join(text.casefold().replace("’", "'").split())
    said = re.sub(r"^(?:(?:on|the date)\s+)+", "", said)
    if said in _RELATIVE:
        return today + timedelta(days=_RELATIVE[said])
    weekday = _WEEKDAYS.get(said.removeprefix("next ").removeprefix("this "))
    if weekday is not None:
        return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    if said in _FEASTS:
        return _coming(*_FEASTS[said], today)
    return next((day for form in _FORMS if (day := form(said, today))), None)


def read_span(text: str) -> Span | None:
    """Read a stretch of time such as `3 weeks` or `a month`; None when it is none."""
    match = _SPAN.fullmatch(" ".join(text.casefold().split()))
    if match is None:
        return None
    count = match["count"]
    if count.isdigit() or count in _ARTICLES:
        return Span(int(count) if count.isdigit() else 1, match["unit"])
    try:
        number = read_words(count.replace("-", " ").split())
    except NumberError:
        return None
    return Span(int(number), match["unit"]) if number.denominator == 1 else None


def write_date(day: date) -> str:
    """Write a date so that no country reads it in another way."""
    return (
        f"{calendar.day_name[day.weekday()]}, {day.day} {calendar.month_name[day.month]} {day.year}"
    )


def _iso(said: str, _today: date) -> date | None:
    match = _ISO.fullmatch(said)
    return _day(int(match["year"]), int(match["month"]), int(match["day"])) if match else None


def _in_words(said: str, today: date) -> date | None:
    match = next((found for form in _IN_WORDS if (found := form.fullmatch(said))), None)
    month = _MONTHS.get(match["month"]) if match else None
    if match is None or month is None:
        return None
    if match["year"] is None:
        return _coming(month, int(match["day"]), today)
    return _day(int(match["year"]), month, int(match["day"]))


def _points(said: str, _today: date) -> date | None:
    match = _POINTS.fullmatch(said)
    return _day(int(match["year"]), int(match["month"]), int(match["day"])) if match else None


def _slashes(said: str, _today: date) -> date | None:
    match = _SLASHES.fullmatch(said)
    if match is None:
        return None
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if first <= 12 and second <= 12 and first != second:
        raise DateError(
            f"{said} is one day in America and another one elsewhere. Write it as "
            f"{year:04}-{first:02}-{second:02} or {year:04}-{second:02}-{first:02}."
        )
    return _day(year, second, first) if first > 12 else _day(year, first, second)


_FORMS: Final[tuple[Callable[[str, date], date | None], ...]] = (_iso, _in_words, _points, _slashes)


def _day(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as exc:
        raise DateError("There is no such day in the calendar.") from exc


def _coming(month: int, day: int, today: date) -> date:
    """The next such day from today on; 29 February may be some years away."""
    if day > calendar.monthrange(2024, month)[1] or day == 0:
        raise DateError("There is no such day in the calendar.")
    years = range(today.year, today.year + 9)
    days = (date(year, month, day) for year in years if day <= calendar.monthrange(year, month)[1])
    return next(found for found in days if found >= today)


def _months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))
