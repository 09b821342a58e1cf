"""Translate words that are written down where no Qt is, and sort names as the language has it.

`translate_marked` and `translate_formatted` give marked words as the window says them,
`error_handler` turns a task's failure into the words that the window shows, and `name_key` gives
the order in which people look for names.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QCollator, QCollatorSortKey, QCoreApplication, QLocale, Qt

from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import ErrorRoute, UserFacingError

_GAP: Final = re.compile(r"\\{(\w+)\\}")


def translate_marked(context: str, text: str) -> str:
    """Return `text` in the language of the window.

    It was marked by `QT_TRANSLATE_NOOP` with the same context. What never was, such as the title
    of somebody else's tool, comes back as it is.
    """
    return QCoreApplication.translate(context, text)


def translate_formatted(context: str, sentences: Iterable[str], text: str) -> str:
    """Return `text` in the language of the window, with what stands in it as it came.

    It is one of `sentences`, which were marked with this context, with its gaps (“{place}”)
    filled. What is none of them comes back as it is.
    """
    for sentence in sentences:
        if (gaps := gaps_in(sentence, text)) is not None:
            return translate_marked(context, sentence).format_map(gaps)
    return text


def gaps_in(sentence: str, text: str) -> dict[str, str] | None:
    """Return what fills the gaps of `sentence` in `text`; None if it does not say that."""
    pattern = _GAP.sub(r"(?P<\1>.+)", re.escape(sentence))
    found = re.fullmatch(pattern, text, re.DOTALL)
    return found.groupdict() if found else None


def error_handler(show: Callable[[ErrorMessage], None]) -> ErrorRoute:
    """Make the `on_error` of a view model's tasks: each failure becomes words for `show`."""

    def show_unexpected(_task_name: str) -> None:
        show(explain(UserFacingError(ErrorCode.UNEXPECTED)))

    return ErrorRoute(lambda error: show(explain(error)), show_unexpected)


def localized(words: ErrorMessage) -> str:
    """Return the sentence in the language of the window; values in it are as they came."""
    text = translate_marked("ErrorMessage", words.text)
    return replace(words, text=text).sentence


def name_key(name: str) -> QCollatorSortKey:
    """Return what a list is sorted by in which people see these names.

    Small letters stand beside capital ones, letters with marks where the language of the window
    has them, and numbers by their value.
    """
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        # It knows bytes only.
        locale = QLocale(QLocale.Language.English)
    collator = QCollator(locale)
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    return collator.sortKey(name)
