"""Untrusted text of any length as it can be shown: nothing hidden in it, and not endless."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from app.ui.markdown.source import show_hidden

_SIZE_LIMIT: Final = 32 * 1024
_LINE_LIMIT: Final = 400


def shown_text(text: str) -> str:
    """Return the beginning of a text with what is hidden in it escaped, and what is left out."""
    cut = text[:_SIZE_LIMIT]
    lines = cut.split("\n", _LINE_LIMIT)
    cut = "\n".join(lines[:_LINE_LIMIT])
    shown = show_hidden(cut)
    if len(cut) == len(text):
        return shown.removesuffix("\n")
    words = QCoreApplication.translate("Transcript", "{count} more characters are not shown here.")
    return f"{shown}\n… {words.format(count=f'{len(text) - len(cut):,}')}"
