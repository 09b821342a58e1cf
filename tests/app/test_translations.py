"""The words of other languages: complete, with the same gaps to fill, and compiled."""

import re
import subprocess
from pathlib import Path

import PySide6
import pytest
import translations
from translations import Phrase, read_phrases

from local_tools.registry import ToolRegistry
from tests.support.words import FOLDER, Words, read_words

_GAP = re.compile(r"\{[^{}]*\}|%n|%\d")


@pytest.fixture(scope="module")
def phrases() -> set[Phrase]:
    return read_phrases(translations.sources()) | translations.included()


@pytest.fixture(scope="module")
def german() -> Words:
    return read_words("de")


def test_every_phrase_of_the_window_is_in_german(phrases: set[Phrase], german: Words) -> None:
    missing = sorted(phrases - german.keys())
    stale = sorted(german.keys() - phrases)

    assert (missing, stale) == ([], []), "python3 packaging/dev.py translate"


def test_every_form_says_something_and_has_the_gaps_of_the_english_one(german: Words) -> None:
    odd = [
        (phrase.text, form)
        for phrase, forms in german.items()
        for form in forms
        if not form.strip() or sorted(_GAP.findall(form)) != sorted(_GAP.findall(phrase.text))
    ]

    assert odd == []


def test_german_words_keep_our_manners(german: Words) -> None:
    forms = [form for forms in german.values() for form in forms]

    assert [form for form in forms if "!" in form] == []
    # A person is spoken to as “Sie”, or not at all.
    assert [form for form in forms if re.search(r"\b([Dd]u|[Dd]ein\w*|[Dd]ir)\b", form)] == []
    assert [form for form in forms if form != form.strip()] == []


def test_numbers_choose_between_two_english_forms(phrases: set[Phrase]) -> None:
    english = read_words("en")

    assert english.keys() == {phrase for phrase in phrases if phrase.is_plural}
    assert all(len(forms) == 2 and all(forms) for forms in english.values())


def test_words_of_the_built_in_tools_are_among_the_phrases(phrases: set[Phrase]) -> None:
    for tool in ToolRegistry.built_in().definitions():
        words = (tool.title, tool.question, tool.description)
        assert {Phrase("Tools", text) for text in words} <= phrases


@pytest.mark.parametrize("language", ["de", "en"])
def test_loaded_translation_matches_its_source_file(language: str, tmp_path: Path) -> None:
    made, program = tmp_path / "made.qm", Path(PySide6.__file__).parent / "lrelease"
    source = FOLDER / f"parley_{language}.ts"

    subprocess.run([program, "-silent", source, "-qm", made], check=True, timeout=30)

    kept = (FOLDER / f"parley_{language}.qm").read_bytes()
    assert made.read_bytes() == kept, "python3 packaging/dev.py translate"
