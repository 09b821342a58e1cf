"""The offline assistant answers questions about days; today is Saturday, 21 November 2026."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_server.assistant.offline.dates import answer_date
from tests.support.offline_requests import NOW, said

_21 = "Saturday, 21 November 2026"
_TODAY = f"By the clock of the service today is {_21}."


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("what day is 2026-12-24?", "24 December 2026 is a **Thursday**, 33 days from now."),
        ("2026-12-24", "24 December 2026 is a **Thursday**, 33 days from now."),
        ("Which weekday was 4 July 1776", "4 July 1776 was a **Thursday**, 91,450 days ago."),
        ("what day will May 1st, 2030 be?", "1 May 2030 is a **Wednesday**, 1,257 days from now."),
        ("what day is 24.12.2026", "24 December 2026 is a **Thursday**, 33 days from now."),
        ("what day is 12/24/2026", "24 December 2026 is a **Thursday**, 33 days from now."),
        ("what day is tomorrow", "22 November 2026 is a **Sunday**, 1 day from now."),
        ("tomorrow", f"Tomorrow is **Sunday, 22 November 2026**. {_TODAY}"),
        ("What is tomorrow's date?", f"Tomorrow is **Sunday, 22 November 2026**. {_TODAY}"),
        ("what date was yesterday", f"Yesterday was **Friday, 20 November 2026**. {_TODAY}"),
        ("days until 24 December",
         f"There are **33 days** until Thursday, 24 December 2026. {_TODAY}"),
        ("How many days are there until Christmas?",
         f"There are **34 days** until Friday, 25 December 2026. {_TODAY}"),
        ("how long until next Saturday",
         f"There are **7 days** until Saturday, 28 November 2026. {_TODAY}"),
        ("weeks until 2027-01-01",
         f"There are **5 weeks and 6 days** until Friday, 1 January 2027. {_TODAY}"),
        ("days since 1 January",
         f"There are **324 days** since Thursday, 1 January 2026. {_TODAY}"),
        ("days until 29 February",
         f"There are **465 days** until Tuesday, 29 February 2028. {_TODAY}"),
        ("in 3 weeks", f"3 weeks after {_21} is **Saturday, 12 December 2026**. {_TODAY}"),
        ("What date is it in 90 days?",
         f"90 days after {_21} is **Friday, 19 February 2027**. {_TODAY}"),
        ("two days ago", f"2 days before {_21} is **Thursday, 19 November 2026**. {_TODAY}"),
        ("today + 90 days", f"90 days after {_21} is **Friday, 19 February 2027**. {_TODAY}"),
        ("45 days after March 3, 2027",
         "45 days after Wednesday, 3 March 2027 is **Saturday, 17 April 2027**."),
        ("a week before 1 March 2028",
         "1 week before Wednesday, 1 March 2028 is **Wednesday, 23 February 2028**."),
        ("one month after 31 January 2027",
         "1 month after Sunday, 31 January 2027 is **Sunday, 28 February 2027**, the last day of a "
         "shorter month."),
        ("how many days between 2026-01-01 and 2026-12-31",
         "From Thursday, 1 January 2026 to Thursday, 31 December 2026 it is **364 days**, counting "
         "one of the two ends."),
        ("how many weeks from 2026-01-01 to 2026-02-01",
         "From Thursday, 1 January 2026 to Sunday, 1 February 2026 it is **4 weeks and 3 days**, "
         "counting one of the two ends."),
    ],
)  # fmt: skip
def test_question_about_days_is_answered(message: str, answer: str) -> None:
    assert said(message) == answer


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("what day is 2026-02-30", "There is no such day in the calendar."),
        ("what day is 31 June", "There is no such day in the calendar."),
        ("what day is 3/4/2026", "Write it as 2026-03-04 or 2026-04-03."),
        ("999999 weeks from now", "from the year 1 to the year 9999"),
        ("in 9000 years", "from the year 1 to the year 9999"),
        ("3000 years ago", "from the year 1 to the year 9999"),
        ("days until 0000-01-01", "There is no such day in the calendar."),
    ],
)
def test_date_that_cannot_be_says_why(message: str, reason: str) -> None:
    text = said(message)
    assert text.startswith("I cannot find that date.")
    assert reason in text


@pytest.mark.parametrize(
    "message",
    ["today", "tomorrow or so", "Friday", "In 3 weeks I travel", "what day is it",
     "what day is today", "how long is the Nile", "days of thunder", "a week before the match",
     "May", "1 may or 2 may"],
)  # fmt: skip
def test_other_words_are_no_date(message: str) -> None:
    assert answer_date(message, NOW) is None


def test_day_is_the_one_of_the_clocks_zone() -> None:
    late = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
    tokyo = late.astimezone(timezone(timedelta(hours=9)))
    assert "Sunday, 22 November 2026" in str(answer_date("in 0 days", tokyo))
    assert "Saturday, 21 November 2026" in str(answer_date("in 0 days", late))


@given(st.dates(), st.sampled_from(["what day is {}", "days until {}", "2 months after {}"]))
def test_every_day_of_the_calendar_gets_an_answer(day: object, question: str) -> None:
    assert answer_date(question.format(day), NOW) is not None
