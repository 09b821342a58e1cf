"""Dates of the sidebar: a caption for a group of days, and a short time for a row."""

import re
from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from app.common.clock import utc_now

_WEEK_DAYS: Final = 7
_MONTH_DAYS: Final = 30
# In either order, with whatever the locale puts between them or after the day.
_DAY_AND_MONTH: Final = re.compile(r"\bdd?\b.*M|M.*\bdd?\b")


def local_now() -> datetime:
    """Return the time with the time zone of this computer."""
    return utc_now().astimezone()


def group_of(moment: datetime, now: datetime) -> str:
    """Return the caption that a chat of `moment` stands under; `now` has the user's time zone."""
    day = moment.astimezone(now.tzinfo).date()
    age = (now.date() - day).days
    if age <= 0:
        return QCoreApplication.translate("Dates", "Today")
    if age == 1:
        return QCoreApplication.translate("Dates", "Yesterday")
    if age <= _WEEK_DAYS:
        return QCoreApplication.translate("Dates", "Previous 7 days")
    if age <= _MONTH_DAYS:
        return QCoreApplication.translate("Dates", "Previous 30 days")
    month = QLocale().standaloneMonthName(day.month)
    return month if day.year == now.year else f"{month} {day.year}"


def short_time(moment: datetime, now: datetime) -> str:
    """Return the time of today and yesterday, the weekday of this week, else the date."""
    local = moment.astimezone(now.tzinfo)
    age = (now.date() - local.date()).days
    locale = QLocale()
    if age <= 1:
        return locale.toString(QTime(local.hour, local.minute), _time_format(locale))
    date = QDate(local.year, local.month, local.day)
    if age < _WEEK_DAYS:
        return locale.toString(date, "ddd")
    return locale.toString(date, _date_format(locale, has_year=local.year != now.year))


def _date_format(locale: QLocale, *, has_year: bool) -> str:
    """Return the long form of the locale without its weekday, the month cut, as in "3. Nov"."""
    long = locale.dateFormat(QLocale.FormatType.LongFormat).replace("dddd", "").strip(" ,")
    day_and_month = _DAY_AND_MONTH.search(long)
    chosen = long if has_year or day_and_month is None else day_and_month[0]
    return chosen.replace("MMMM", "MMM")


def _time_format(locale: QLocale) -> str:
    # The C locale has no short form of its own.
    if locale.language() == QLocale.Language.C:
        return "HH:mm"
    return locale.timeFormat(QLocale.FormatType.ShortFormat)
