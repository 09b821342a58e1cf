"""The pages of the window: what each lets through, and what it leaves as it was."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from app.common.error_messages import ErrorMessage
from app.config.settings import Settings, SettingsFile, UpdateSettings
from app.paths import paths_under
from app.self_test.ui_driver import click, find, type_into
from app.ui.notice_bar import NoticeBar
from app.ui.sidebar.sidebar import StatusFoot
from app.ui.skills_panel import SkillsPanel
from app.updates.release import Release, UpdateSource
from app.viewmodels.settings import about
from app.viewmodels.states import BannerView, Dot
from tests.support.fake_service import FakeService
from tests.support.widgets import label_texts
from tests.support.window import (
    KeyringInMemory,
    Person,
    has_chosen_offline,
    hosted_program,
    running_program,
)

pytestmark = pytest.mark.anyio


class _NoKeyring(KeyringInMemory):
    """A keyring that keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Forgets at once."""


async def _is_ready(person: Person) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")


def _panel(person: Person) -> SkillsPanel:
    [panel] = person.window.findChildren(SkillsPanel)
    return panel


def _press_new_chat(person: Person) -> None:
    person.window.commands["new-chat"].action.trigger()


async def test_skills_that_were_closed_stay_closed_after_a_check_in_the_settings(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        await _is_ready(person)
        for words in ("Show right panel", "Hide right panel"):
            click(find(person.window, QAbstractButton, words))

        setup = person.program.setup
        setup.use_offline()
        await person.sees(
            lambda: setup.first_run.busy is None,
            "the first-run page has finished its check",
            setup.first_run_changed,
        )
        await _is_ready(person)

        assert not _panel(person).isVisible()


async def test_short_cut_of_a_new_chat_does_nothing_behind_the_settings(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says("Hello.")
        await person.asks("Hello")
        conversation_id = person.program.chat.conversation_id

        click(find(person.window, QAbstractButton, "Settings"))
        _press_new_chat(person)
        behind = person.program.chat.conversation_id
        click(find(person.window, QAbstractButton, "Back to the chat"))
        _press_new_chat(person)

        assert behind == conversation_id
        assert person.program.chat.conversation_id == ""


async def test_first_page_has_the_keyboard_on_what_is_always_there(tmp_path: Path) -> None:
    async with running_program(tmp_path) as person:
        card = find(person.window, QAbstractButton, "Open a model file…")

        assert person.window.focusWidget() is card


async def test_key_that_no_keyring_takes_is_said_to_be_kept_until_the_end(tmp_path: Path) -> None:
    async with (
        FakeService() as service,
        running_program(tmp_path / "app", _NoKeyring()) as person,
    ):
        type_into(find(person.window, QLineEdit, "Address"), service.base_url)
        key = service.api_key.get_secret_value()
        type_into(find(person.window, QLineEdit, "Project key"), key)
        click(find(person.window, QAbstractButton, "Connect"))
        setup = person.program.setup
        await person.sees(
            lambda: bool(setup.settings.check_words),
            "the settings say that the connection works",
        )

        [bar] = [bar for bar in person.window.findChildren(NoticeBar) if bar.isVisible()]
        assert "stored only until Parley closes" in bar.accessibleName()
        assert "until Parley closes" in setup.projects.rows[-1].key_words

        setup.projects.rename(setup.projects.rows[-1].project_id, "Workshop")
        [foot] = person.window.findChildren(StatusFoot)
        assert foot.accessibleName() == "Workshop: connected"


async def test_window_says_once_which_newer_version_the_start_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def announce(_source: UpdateSource, _running: str) -> Release:
        return Release("90.2", datetime(2030, 1, 1, tzinfo=UTC), "", "https://example.org/get")

    paths = paths_under(tmp_path)
    paths.make()
    SettingsFile(paths.settings_file).save(Settings(updates=UpdateSettings(at_start=True)))
    key = base64.b64encode(b"k" * 32).decode()
    written = json.dumps({"address": "https://updates.example.org/p.json", "key": key})
    (tmp_path / "updates.json").write_text(written, encoding="utf-8")
    monkeypatch.setattr(about, "resources", lambda: tmp_path)
    monkeypatch.setattr(about, "make_update_checker", lambda *_: announce)
    async with running_program(tmp_path) as person:
        updates, window = person.program.about.updates, person.window
        updates.begin()
        await person.sees(
            lambda: "Version 90.2 is available." in label_texts(window),
            "the window tells of the version",
            updates.notice_changed,
        )

        click(find(window, QAbstractButton, "Show update"))
        assert window.focusWidget() is find(window, QAbstractButton, "Open download page…")
        click(find(window, QAbstractButton, "Back to the chat"))
        click(find(window, QAbstractButton, "Dismiss"))

        assert "Version 90.2 is available." not in label_texts(window)
        assert updates.notice is None

        changed = person.program.connection.banner_changed
        trouble = BannerView(Dot.WARN, ErrorMessage("Starting again."))
        changed.emit(trouble)
        assert "Starting again." in label_texts(window)
        # As another window does.
        person.program.dismiss(trouble)
        changed.emit(trouble)
        assert "Starting again." not in label_texts(window)
        changed.emit(None)
        changed.emit(trouble)
        assert "Starting again." in label_texts(window)

        # What is found later does not take the place of why nothing could be opened.
        person.program._on_opening_failed(ErrorMessage("It failed."))
        updates.notice_changed.emit(None)
        assert "It failed." in label_texts(window)
