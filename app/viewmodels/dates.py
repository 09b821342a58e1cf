"""Dates as the sidebar says them: a caption for a group of days, and a short time for a row."""

from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

_WEEK_DAYS: Final = 7
_MONTH_DAYS: Final = 30


def local_now() -> datetime:
    """Return the time with the time zone of this computer."""
    return datetime.now().astimezone()


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
    """Return day and month in the order of the locale, which has no such form of its own."""
    whole = locale.dateFormat(QLocale.FormatType.ShortFormat)
    if whole.startswith("M"):
        return "MMM d, yyyy" if has_year else "MMM d"
    if whole.startswith("y"):
        return whole
    return "d MMM yyyy" if has_year else "d MMM"


def _time_format(locale: QLocale) -> str:
    # The C locale has no short form of its own.
    if locale.language() == QLocale.Language.C:
        return "HH:mm"
    return locale.timeFormat(QLocale.FormatType.ShortFormat)
