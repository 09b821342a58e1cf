"""Newer versions in the settings: what strangers wrote is text, and only a person opens a page."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.paths import resources
from app.self_test.hands import click, find, until
from app.settings import SettingsFile
from app.ui.setup.updates import UpdatesGroup
from app.ui.theme import Theme
from app.updates.release import Release
from app.updates.source import UpdateSource
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.updates import UpdateState, UpdatesViewModel

pytestmark = pytest.mark.anyio


async def _announce(source: UpdateSource, running: str) -> Release:
    assert (source.host, running) == ("updates.example.org", "0.1.0")
    day = datetime(2030, 1, 1, tzinfo=UTC)
    return Release("0.2.0", day, "<b>Faster</b>\u202e\nand more", "https://example.org/get")


async def test_newer_version_is_described_and_its_page_only_offered(
    tmp_path: Path, qtbot: QtBot
) -> None:
    hints = QGuiApplication.styleHints()
    key = base64.b64encode(b"k" * 32).decode()
    written = json.dumps({"address": "https://updates.example.org/p.json", "key": key})
    (tmp_path / "updates.json").write_text(written, encoding="utf-8")
    preferences = Preferences(SettingsFile(tmp_path / "settings.toml"))
    updates = UpdatesViewModel(preferences, tmp_path, "0.1.0", _announce)
    group, requested = UpdatesGroup(Theme(resources(), hints), updates), list[str]()
    qtbot.addWidget(group)
    group.page_requested.connect(requested.append)
    group.show()

    click(find(group, QAbstractButton, "Look for a newer version"))
    await until(lambda: updates.view.state is UpdateState.NEWER, [updates.changed], "the answer")
    click(find(group, QAbstractButton, "Look at each start: On"))
    click(find(group, QAbstractButton, "Open its page…"))

    notes = find(group, QPlainTextEdit, "What is new").toPlainText()
    assert notes == "<b>Faster</b>‹U+202E›\nand more"
    assert requested == ["https://example.org/get"]
    assert SettingsFile(tmp_path / "settings.toml").current.updates.at_start
    preferences.undo()
    assert not updates.is_at_start
    assert find(group, QAbstractButton, "Look at each start: Off").isChecked()
    await updates.aclose()


async def test_damaged_file_of_the_packager_is_said_and_asks_nobody(
    tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "updates.json").write_text("{}", encoding="utf-8")
    preferences = Preferences(SettingsFile(tmp_path / "settings.toml"))
    updates = UpdatesViewModel(preferences, tmp_path, "0.1.0", _announce)
    group = UpdatesGroup(Theme(resources(), QGuiApplication.styleHints()), updates)
    qtbot.addWidget(group)
    group.show()

    updates.look()

    assert updates.view.state is UpdateState.UNSET
    assert "damaged" in updates.view.words
    assert not [one for one in group.findChildren(QAbstractButton) if one.isVisible()]
    await updates.aclose()
