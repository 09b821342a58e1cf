"""Questions about days, answered: which weekday, how many days, what date then."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Final

from local_server.assistant.offline.calendar_words import (
    DateError,
    Span,
    read_date,
    read_span,
    write_date,
)
from local_server.assistant.offline.markdown import count
from local_server.assistant.offline.phrases import without_question

_LONGEST_CHARS: Final = 120
_WEEKDAY: Final = re.compile(
    r"(?:what|which)\s+(?:week\s?day|day(?: of the week)?)\s+(?:is|was|will)\s+"
    r"(?P<day>.+?)(?: be)?",
    re.IGNORECASE,
)
_HOW_LONG: Final = (
    r"(?:how (?:many (?P<unit>day|week)s?|long)(?: (?:is|are)(?: there| it)?)?"
    r"|(?P<short>day|week)s?)"
)
_UNTIL: Final = re.compile(
    rf"{_HOW_LONG}\s+(?:left )?(?P<way>until|till|to|before|since|from)\s+(?P<day>.+)",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    rf"{_HOW_LONG}\s+(?:between\s+(?P<a>.+?)\s+and\s+(?P<b>.+)"
    r"|from\s+(?P<c>.+?)\s+(?:to|until|till)\s+(?P<d>.+))",
    re.IGNORECASE,
)
_THEN: Final = (
    re.compile(r"(?P<span>.+?)\s+(?P<way>after|from|before)\s+(?P<day>.+)", re.IGNORECASE),
    re.compile(r"(?P<day>.+?)\s+(?P<way>plus|minus|\+|-|−)\s+(?P<span>.+)", re.IGNORECASE),
    re.compile(r"in\s+(?P<span>.+?)(?P<way>)(?P<day>)", re.IGNORECASE),
    re.compile(r"(?P<span>.+?)\s+(?P<way>ago)(?P<day>)", re.IGNORECASE),
)
_WHAT_DATE: Final = re.compile(
    r"^(?:what|which)\s+(?:date|day)\s+(?:is|was|will)\s+(?:it\s+)?(?:be\s+)?", re.IGNORECASE
)
_ALONE: Final = re.compile(r"(?P<day>tomorrow|yesterday)(?:['’]s date)?", re.IGNORECASE)
_BACK: Final = frozenset({"before", "ago", "minus", "-", "−"})


def answer_date(text: str, now: datetime) -> str | None:
    """Answer a question about days, seen from the service's today; None when it is none."""
    asked = " ".join(text.strip().rstrip("?!. ").split())
    if len(asked) > _LONGEST_CHARS:
        return None
    try:
        for answer in _ANSWERS:
            told = answer(asked, now.date())
            if told is not None:
                return told
    except DateError as exc:
        return f"I cannot find that date. {exc}"
    return None


def tell_now(now: datetime) -> str:
    """Tell date and time by the clock of the service."""
    zone = now.tzname() or "its own zone"
    return (
        f"By the clock of the service it is **{write_date(now.date())}**, {now:%H:%M} ({zone}). "
        "Your own clock may say something else."
    )


def _weekday(asked: str, today: date) -> str | None:
    match = _WEEKDAY.fullmatch(asked)
    if match is not None and match["day"].casefold() == "today":
        # The clock of the user's computer knows better.
        return None
    day = read_date(match["day"] if match else asked, today)
    if day is None or (match is None and not re.search(r"\d", asked)):
        return None
    verb = "was" if day < today else "is"
    told = write_date(day)
    weekday, _, rest = told.partition(", ")
    return f"{rest} {verb} a **{weekday}**{_distance(day, today)}."


def _until(asked: str, today: date) -> str | None:
    match = _UNTIL.fullmatch(asked)
    day = read_date(match["day"], today) if match else None
    if match is None or day is None:
        return None
    if match["way"].casefold() in {"since", "from"} and day > today:
        # Without a year the last one is meant.
        day = _last(match["day"], today) or day
    days = abs((day - today).days)
    verb = "is" if days == 1 else "are"
    way = "until" if day >= today else "since"
    return (
        f"There {verb} **{_days(days, match['unit'] or match['short'])}** {way} {write_date(day)}"
        f"{_seen_from(today)}"
    )


def _between(asked: str, today: date) -> str | None:
    match = _BETWEEN.fullmatch(asked)
    if match is None:
        return None
    first = read_date(match["a"] or match["c"], today)
    second = read_date(match["b"] or match["d"], today)
    if first is None or second is None:
        return None
    days = _days(abs((second - first).days), match["unit"] or match["short"])
    return (
        f"From {write_date(first)} to {write_date(second)} it is **{days}**, "
        "counting one of the two ends."
    )


def _then(asked: str, today: date) -> str | None:
    for form in _THEN:
        match = form.fullmatch(_WHAT_DATE.sub("", without_question(asked)))
        match = match or form.fullmatch(_WHAT_DATE.sub("", asked))
        span = read_span(match["span"]) if match else None
        start = read_date(match["day"] or "today", today) if match else None
        if match is None or span is None or start is None:
            continue
        way = match["way"].casefold()
        day = (span.backwards() if way in _BACK else span).after(start)
        return _told_then(span, way, start, day, today)
    return None


def _alone(asked: str, today: date) -> str | None:
    """`tomorrow`, or `what is tomorrow's date`; what is today is for the user's own clock."""
    bare = _WHAT_DATE.sub("", without_question(asked))
    match = _ALONE.fullmatch(bare)
    day = read_date(match["day"], today) if match else None
    if match is None or day is None:
        return None
    verb = "was" if day < today else "is"
    return f"{match['day'].capitalize()} {verb} **{write_date(day)}**{_seen_from(today)}"


_ANSWERS: Final[tuple[Callable[[str, date], str | None], ...]] = (
    _between,
    _until,
    _then,
    _weekday,
    _alone,
)


def _told_then(span: Span, way: str, start: date, day: date, today: date) -> str:
    stretch = count(span.count, span.unit)
    direction = "before" if way in _BACK else "after"
    told = f"{stretch} {direction} {write_date(start)} is **{write_date(day)}**"
    if span.unit in {"month", "year"} and day.day != start.day:
        told += ", the last day of a shorter month"
    return told + (_seen_from(today) if start == today else ".")


def _last(text: str, today: date) -> date | None:
    """The same day a year earlier, if no year was named."""
    coming = read_date(text, today)
    if coming is None or str(coming.year) in text:
        return None
    return Span(-1, "year").after(coming)


def _days(days: int, unit: str | None) -> str:
    weeks, rest = divmod(days, 7)
    if (unit or "").casefold() != "week":
        return count(days, "day")
    return count(weeks, "week") + (f" and {count(rest, 'day')}" if rest else "")


def _distance(day: date, today: date) -> str:
    days = (day - today).days
    if days == 0:
        return ", and it is today by the clock of the service"
    return f", {count(abs(days), 'day')} {'from now' if days > 0 else 'ago'}"


def _seen_from(today: date) -> str:
    return f". By the clock of the service today is {write_date(today)}."
