"""The captions and times of the sidebar, in the user's time zone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from PySide6.QtCore import QLocale

from app.viewmodels.dates import group_of, short_time

_NOW = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "caption"),
    [
        (-1, "Today"),
        (0, "Today"),
        (1, "Yesterday"),
        (2, "Previous 7 days"),
        (7, "Previous 7 days"),
        (8, "Previous 30 days"),
        (30, "Previous 30 days"),
        (31, "April"),
        (200, "November 2025"),
    ],
)
def test_chats_are_grouped_by_their_age_in_days(days: int, caption: str) -> None:
    assert group_of(_NOW - timedelta(days=days), _NOW) == caption


def test_day_begins_at_midnight_where_the_user_is() -> None:
    tokyo = timezone(timedelta(hours=9))
    now = datetime(2026, 5, 20, 0, 30, tzinfo=tokyo)

    assert group_of(datetime(2026, 5, 19, 15, 10, tzinfo=UTC), now) == "Today"
    assert group_of(datetime(2026, 5, 19, 14, 50, tzinfo=UTC), now) == "Yesterday"


@pytest.mark.parametrize(
    ("days", "shown"), [(0, "14:30"), (1, "14:30"), (2, "Mon"), (7, "13 May"), (365, "20 May 2025")]
)
def test_older_chats_show_coarser_times(days: int, shown: str) -> None:
    QLocale.setDefault(QLocale.c())
    try:
        assert short_time(_NOW - timedelta(days=days), _NOW) == shown
    finally:
        QLocale.setDefault(QLocale.system())


def test_time_of_day_is_written_as_the_user_writes_it() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    try:
        assert short_time(_NOW, _NOW).replace("\u202f", " ") == "2:30 PM"
    finally:
        QLocale.setDefault(QLocale.system())


@pytest.mark.parametrize(
    ("locale", "shown"),
    [
        ("de_DE", ("13. Mai", "20. Mai 2025")),
        ("en_GB", ("13 May", "20 May 2025")),
        ("en_US", ("May 13", "May 20, 2025")),
        ("en_ZA", ("13 May", "20 May 2025")),
    ],
)
def test_dates_are_written_as_the_locale_writes_them(locale: str, shown: tuple[str, str]) -> None:
    QLocale.setDefault(QLocale(locale))
    try:
        assert tuple(short_time(_NOW - timedelta(days=age), _NOW) for age in (7, 365)) == shown
    finally:
        QLocale.setDefault(QLocale.system())
