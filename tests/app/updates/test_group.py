"""Newer versions in the settings: what strangers wrote is text, and only a person opens a page."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.api.errors import ConnectCause, ConnectFailed
from app.config.settings import SettingsFile
from app.paths import resources
from app.self_test.ui_driver import click, find, until
from app.ui.settings.about import UpdatesGroup
from app.ui.theme import Theme
from app.updates.release import Release, UpdateSource
from app.updates.update_check import LastTrustedRelease, Look
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.updates import UpdateState, UpdatesViewModel
from tests.support.diagnostics import about_section

pytestmark = pytest.mark.anyio


async def _announce(source: UpdateSource, running: str) -> Release:
    assert (source.host, running) == ("updates.example.org", "0.1.0")
    day = datetime(2030, 1, 1, tzinfo=UTC)
    return Release("0.2.0", day, "<b>Faster</b>\u202e\nand more", "https://example.org/get")


def _updates(folder: Path, preferences: Preferences, look: Look) -> UpdatesViewModel:
    """Return what asks the address that a packager has set in this folder."""
    key = base64.b64encode(b"k" * 32).decode()
    written = json.dumps({"address": "https://updates.example.org/p.json", "key": key})
    (folder / "updates.json").write_text(written, encoding="utf-8")
    trusted = LastTrustedRelease(folder / "release.json")
    return UpdatesViewModel(preferences, folder, lambda: "0.1.0", look, trusted)


async def test_newer_version_is_described_and_its_page_only_offered(
    tmp_path: Path, qtbot: QtBot
) -> None:
    hints = QGuiApplication.styleHints()
    preferences = Preferences(SettingsFile(tmp_path / "settings.toml"))
    updates = _updates(tmp_path, preferences, _announce)
    group, requested = UpdatesGroup(Theme(resources(), hints), updates), list[str]()
    qtbot.addWidget(group)
    group.page_requested.connect(requested.append)
    group.show()

    click(find(group, QAbstractButton, "Check for updates"))
    await until(lambda: updates.view.state is UpdateState.NEWER, [updates.changed], "the answer")
    click(find(group, QAbstractButton, "Check at startup"))
    click(find(group, QAbstractButton, "Open download page…"))

    notes = find(group, QPlainTextEdit, "What’s new").toPlainText()
    assert notes == "<b>Faster</b>‹U+202E›\nand more"
    assert requested == ["https://example.org/get"]
    assert SettingsFile(tmp_path / "settings.toml").current.updates.at_start
    preferences.undo()
    assert not updates.is_at_start
    assert not find(group, QAbstractButton, "Check at startup").isChecked()
    await updates.aclose()


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [
        ("updates.json", "included with Parley is damaged", "does not check"),
        ("none.json", "No update address is set", "damaged"),
    ],
)
async def test_damaged_file_of_the_packager_is_told_from_none_and_asks_nobody(
    tmp_path: Path, qtbot: QtBot, name: str, said: str, unsaid: str
) -> None:
    (tmp_path / name).write_text("{}", encoding="utf-8")
    section = about_section(Theme(resources(), QGuiApplication.styleHints()), tmp_path)
    qtbot.addWidget(section)
    section.show()
    (group,) = section.findChildren(UpdatesGroup)

    words = " ".join(label.text() for label in section.findChildren(QLabel) if label.isVisible())
    assert (said in words, unsaid in words) == (True, False)
    assert not [one for one in group.findChildren(QAbstractButton) if one.isVisible()]


@pytest.mark.parametrize("cause", [ConnectCause.DNS, ConnectCause.REFUSED])
async def test_address_that_is_not_theirs_is_not_given_to_a_person_to_check(
    tmp_path: Path, cause: ConnectCause
) -> None:
    async def fail(source: UpdateSource, _running: str) -> Release:
        raise ConnectFailed(cause, source.host)

    preferences = Preferences(SettingsFile(tmp_path / "settings.toml"))
    updates = _updates(tmp_path, preferences, fail)
    updates.check()
    await until(lambda: updates.view.state is UpdateState.FAILED, [updates.changed], "the answer")

    assert "updates.example.org" in updates.view.words
    assert "Check the address" not in updates.view.words
    await updates.aclose()
