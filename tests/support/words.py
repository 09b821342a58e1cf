"""The words of the languages, as their files have them, and those that a window shows."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from typing import Final

from PySide6.QtCore import QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QWidget
from translations import Phrase

from app.paths import resources
from app.ui.widgets.labels import plain_tooltip

FOLDER: Final = resources() / "translations"
_PSEUDO_WORD: Final = re.compile(r"\{[^{}]*\}|%\w+|<[^<>]*>|&\w|(?P<word>[^\W\d_]{2,})")
Words = dict[Phrase, list[str]]
_GAP: Final = re.compile(r"\{[^{}]*\}|%n")
# Shorter words may be the same in both languages, or stand for themselves.
_FEWEST: Final = 3


class PseudoLanguage(QTranslator):
    """Makes each English word half as long again, as a language might that nobody wrote yet.

    Gaps, tags and letters for keys stay. Installed by a test, and removed at its end.
    """

    def translate(self, _context: str, text: str, _comment: str | None = None, _n: int = -1) -> str:
        """Return the text with longer words."""
        return _PSEUDO_WORD.sub(_lengthened, text)

    def isEmpty(self) -> bool:
        """Return that there are words."""
        return False


def _lengthened(match: re.Match[str]) -> str:
    word = match["word"]
    return f"{word}{word[: len(word) // 2].lower()}" if word else match[0]


def read_words(language: str) -> Words:
    """Return the finished words of a language: one form for each phrase, two for a plural."""
    tree = ET.parse(FOLDER / f"parley_{language}.ts")  # noqa: S314 - a file of our own
    found: Words = {}
    for context in tree.getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            if translation.get("type") is None:
                is_plural = message.get("numerus") == "yes"
                phrase = Phrase(_text(context, "name"), _text(message, "source"), is_plural)
                forms = [form.text or "" for form in translation.iter("numerusform")]
                found[phrase] = forms or [translation.text or ""]
    return found


def _text(element: ET.Element, name: str) -> str:
    return element.findtext(name) or ""


class Phrases:
    """Phrases that are looked for in a window; where one has a gap, anything may stand."""

    def __init__(self, texts: Iterable[str]) -> None:
        every = frozenset(texts)
        gapped = {text for text in every if _GAP.search(text)}
        self._whole: Final = every - gapped
        self._gapped: Final = [re.compile(_pattern_of(text)) for text in gapped]

    def __contains__(self, text: str) -> bool:
        return text in self._whole or any(one.fullmatch(text) for one in self._gapped)


def foreign_phrases(language: str) -> Phrases:
    """Return the English phrases that a window in `language` has no reason to show."""
    words = read_words(language)
    return Phrases(phrase.text for phrase, forms in words.items() if _differ(phrase.text, forms))


def native_phrases(language: str) -> Phrases:
    """Return the phrases of `language` that an English window has no reason to show."""
    words, english = read_words(language), {phrase.text for phrase in read_words(language)}
    return Phrases(
        form
        for phrase, forms in words.items()
        for form in forms
        if _differ(phrase.text, forms) and form not in english
    )


def left_over(window: QWidget, phrases: Phrases) -> set[str]:
    """Return what the window shows or says that is one of these phrases, hidden parts included."""
    texts = {re.sub("<[^>]*>", "", text).strip() for text in _shown(window)}
    return {text for text in texts if text in phrases}


def _differ(text: str, forms: list[str]) -> bool:
    return text not in forms and len(text.replace("%n", "")) >= _FEWEST


def _pattern_of(text: str) -> str:
    return ".+".join(map(re.escape, _GAP.split(text)))


def _shown(window: QWidget) -> Iterator[str]:
    for widget in (window, *window.findChildren(QWidget)):
        yield from (widget.accessibleName(), widget.accessibleDescription(), plain_tooltip(widget))
        yield widget.windowTitle()
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        if isinstance(widget, QLineEdit | QPlainTextEdit):
            yield widget.placeholderText()
    for action in window.findChildren(QAction):
        yield from (action.text(), action.toolTip())
