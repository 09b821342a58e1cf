"""Error texts as the window says them: translated, filled in, and nothing hidden in them."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from app.error_text import ErrorText
from app.ui.parts.labels import one_line


def spoken(words: ErrorText) -> str:
    """Return the sentence for people; what the service said in it is shown escaped."""
    translated = QCoreApplication.translate("ErrorText", words.text)
    return one_line(replace(words, text=translated).sentence)
