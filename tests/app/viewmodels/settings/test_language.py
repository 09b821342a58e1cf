"""Which language a run speaks, and that it leaves none behind."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale

from app.common.languages import LanguageChoice
from app.paths import resources
from app.viewmodels.i18n import SpokenLanguage

Speak = Callable[..., SpokenLanguage]


@pytest.fixture
def speak(qapp: QCoreApplication) -> Iterator[Speak]:
    """Make runs, each on a computer of its own, and end them."""
    assert isinstance(qapp, QCoreApplication)
    made: list[SpokenLanguage] = []

    def make(choice: LanguageChoice, system: str) -> SpokenLanguage:
        made.append(SpokenLanguage(resources() / "translations", choice, QLocale(system)))
        return made[-1]

    yield make
    for language in reversed(made):
        language.close()


def _formats(code: str, place: str) -> str:
    """Return the formats of a language in a place, or the nearest that Qt knows."""
    return QLocale(f"{code}_{place}").name()


def _word() -> str:
    return QCoreApplication.translate("Dates", "Yesterday")


@pytest.mark.parametrize(
    ("choice", "system", "code", "word"),
    [
        ("system", "de_AT", "de", "Gestern"),
        ("system", "en_GB", "en", "Yesterday"),
        ("system", "fr_FR", "en", "Yesterday"),
        ("de", "en_US", "de", "Gestern"),
        ("en", "de_DE", "en", "Yesterday"),
        ("de", "C", "de", "Gestern"),
        ("system", "C", "en", "Yesterday"),
    ],
)
def test_words_are_chosen_and_formats_are_those_of_the_place(
    speak: Speak, choice: LanguageChoice, system: str, code: str, word: str
) -> None:
    language = speak(choice, system)

    assert (language.code, _word()) == (code, word)
    place = {"de": "DE", "en": "150"}[code] if system == "C" else system[-2:]
    assert QLocale().name() == _formats(code, place)
    assert QLocale().groupSeparator(), "the C locale groups no digits"


def test_end_of_a_run_takes_its_words_and_formats_away(speak: Speak) -> None:
    before = QLocale().name()
    language = speak("de", "de_DE")

    language.close()

    assert (_word(), QLocale().name()) == ("Yesterday", before)


def test_plurals_are_right_in_both_languages(speak: Speak) -> None:
    def counted() -> list[str]:
        return [QCoreApplication.translate("Chats", "%n messages", "", n) for n in (1, 2)]

    speak("en", "en_US")
    english = counted()
    speak("de", "de_DE")

    assert english == ["1 message", "2 messages"]
    assert counted() == ["1 Nachricht", "2 Nachrichten"]
