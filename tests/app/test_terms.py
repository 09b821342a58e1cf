"""The terms of CONTRIBUTING.md: the window and the manual have one word for one thing."""

import re
from pathlib import Path
from typing import Final

import pytest
import translations
from translations import read_phrases

from tests.support.words import read_words

_ROOT: Final = Path(__file__).resolve().parents[2]
_NOT_COLUMN: Final = {"en": 2, "de": 4}
# The interface's own terms, and what stands in for words of the person or names a file.
_MEANT: Final = re.compile(
    r"\{[^{}]*\}|`[^`]*`|\]\([^)]*\)|^ .*$|^\$ .*$|project key|project[’']s service"
    r"|Projektschlüssel|Dienst eines Projekts",
    re.IGNORECASE | re.MULTILINE,
)
# For those who run a service: its projects and conversations are those of the interface.
_OPERATORS: Final = {"the-service.md", "extensions.md", "many-machines.md", "packaging.md"}


def _other_words(language: str) -> re.Pattern[str]:
    """Match what the table says not to use, in one or many."""
    text = (_ROOT / "app" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.split("## Terms")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")]
    cells = [row[_NOT_COLUMN[language]] for row in rows[1:]]
    words = [word.strip() for cell in cells for word in cell.split(",") if word.strip()]
    many = "s?" if language == "en" else "(?:e|en|s|es|n)?"
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))}){many}\b(?!\.\w)", re.IGNORECASE)


def _found(text: str, language: str) -> list[str]:
    return _other_words(language).findall(_MEANT.sub(" ", text))


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("All projects of this LLM", "en", ["projects", "LLM"]),
        ("Enter the project key of {project}.", "en", []),
        ("Alle Projekte", "de", ["Projekte"]),
    ],
)
def test_other_words_are_found(text: str, language: str, found: list[str]) -> None:
    assert _found(text, language) == found


def test_the_window_has_one_word_for_one_thing() -> None:
    english = [phrase.text for phrase in read_phrases(translations.sources())]
    german = [form for forms in read_words("de").values() for form in forms]

    odd = [(text, _found(text, "en")) for text in english if _found(text, "en")]
    odd += [(text, _found(text, "de")) for text in german if _found(text, "de")]
    assert odd == [], "app/CONTRIBUTING.md, Terms"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_manual_has_one_word_for_one_thing(language: str) -> None:
    pages = (_ROOT / "resources" / "manual" / language).glob("*.md")
    odd = {
        page.name: found
        for page in pages
        if page.name not in _OPERATORS
        and (found := _found(page.read_text(encoding="utf-8"), language))
    }
    assert odd == {}, "app/CONTRIBUTING.md, Terms"
