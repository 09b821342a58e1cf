"""The real window in German: not one English word of ours is left in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QWidget

from app.config.settings import ConnectionSettings, LanguageSettings, Settings, SettingsFile
from app.paths import paths_under
from app.self_test.ui_driver import find, press_enter, type_into
from app.ui.widgets.labels import plain_tooltip
from tests.support.window import Person, running_program
from tests.support.words import Words, read_words

_GAP = re.compile(r"\\\{[^{}]*\\\}|%n")
# Words that are the same in both languages, or stand for themselves.
_FEWEST = 3


def _english(words: Words) -> list[re.Pattern[str]]:
    """Return the English phrases that a German window has no reason to show."""
    return [
        re.compile(_GAP.sub(".+", re.escape(phrase.text).replace("%n", ".+")))
        for phrase, forms in words.items()
        if phrase.text not in forms and len(_GAP.sub("", phrase.text)) >= _FEWEST
    ]


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


def _left_over(person: Person, english: list[re.Pattern[str]]) -> set[str]:
    texts = {re.sub("<[^>]*>", "", text).strip() for text in _shown(person.window)}
    return {text for text in texts if any(phrase.fullmatch(text) for phrase in english)}


@pytest.mark.anyio
async def test_a_german_window_has_no_english_word_of_ours_left(tmp_path: Path) -> None:
    english = _english(read_words("de"))
    paths = paths_under(tmp_path)
    paths.make()
    chosen = Settings(
        connection=ConnectionSettings(kind="local"), language=LanguageSettings(choice="de")
    )
    SettingsFile(paths.settings_file).save(chosen)

    async with running_program(tmp_path) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot.value == "good", "the service is ready")
        box = find(person.window, QPlainTextEdit, "Nachricht")
        type_into(box, "Hallo")
        press_enter(box)
        chat = person.program.chat
        await person.sees(lambda: len(chat.transcript.rows) > 1 and not chat.state.is_busy, "reply")
        left = _left_over(person, english)
        person.window.commands["settings"].action.trigger()
        left |= _left_over(person, english)
        spoken = person.window.commands["settings"].action.text()
        of_qt = QCoreApplication.translate("QWidgetTextControl", "&Copy")

    assert left == set()
    assert spoken == "Einstellungen"
    assert of_qt == "&Kopieren"
    assert QCoreApplication.translate("WindowContents", "Settings") == "Settings"
