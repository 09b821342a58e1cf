"""The words of the languages, as their files have them."""

import xml.etree.ElementTree as ET
from typing import Final

from translations import Phrase

from app.paths import resources

FOLDER: Final = resources() / "translations"
Words = dict[Phrase, list[str]]


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
