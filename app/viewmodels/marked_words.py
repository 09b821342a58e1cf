"""Words that are written down where no Qt is, as the window says them."""

import re
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication

_GAP: Final = re.compile(r"\\{(\w+)\\}")


def marked_words(context: str, text: str) -> str:
    """Returns `text` in the language of the window.

    It was marked by `QT_TRANSLATE_NOOP` with the same context. What never was, such as the title
    of somebody else's tool, comes back as it is.
    """
    return QCoreApplication.translate(context, text)


def said_words(context: str, sentences: Iterable[str], text: str) -> str:
    """Returns `text` in the language of the window, with what stands in it as it came.

    It is one of `sentences`, which were marked with this context, with its gaps (“{place}”)
    filled. What is none of them comes back as it is.
    """
    for sentence in sentences:
        if (gaps := gaps_in(sentence, text)) is not None:
            return marked_words(context, sentence).format_map(gaps)
    return text


def gaps_in(sentence: str, text: str) -> dict[str, str] | None:
    """Returns what fills the gaps of `sentence` in `text`; None if it does not say that."""
    pattern = _GAP.sub(r"(?P<\1>.+)", re.escape(sentence))
    found = re.fullmatch(pattern, text, re.DOTALL)
    return found.groupdict() if found else None
