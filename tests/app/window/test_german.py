"""The real window in German: not one English word of ours is left in it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPlainTextEdit

from app.config.settings import ConnectionSettings, LanguageSettings, Settings, SettingsFile
from app.paths import paths_under
from app.self_test.ui_driver import find, press_enter, type_into
from tests.support.window import running_program
from tests.support.words import foreign_phrases, left_over


@pytest.mark.anyio
async def test_a_german_window_has_no_english_word_of_ours_left(tmp_path: Path) -> None:
    english = foreign_phrases("de")
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
        said = person.reply
        left = left_over(person.window, english)
        person.window.commands["settings"].action.trigger()
        left |= left_over(person.window, english)
        spoken = person.window.commands["settings"].action.text()
        agents = [row.display_name for row in person.program.catalog.agents.rows]
        of_qt = QCoreApplication.translate("QWidgetTextControl", "&Copy")

    assert left == set()
    assert spoken == "Einstellungen"
    assert "Dateien" in agents
    assert "Files" not in agents
    assert "Das lässt sich ausprobieren" in said
    assert of_qt == "&Kopieren"
    assert QCoreApplication.translate("WindowContents", "Settings") == "Settings"
