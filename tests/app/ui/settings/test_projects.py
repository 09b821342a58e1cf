"""The section about projects: a new one, another key for one, and what goes with a removal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import SecretStr
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.settings.projects import ProjectsSection
from app.ui.theme import Theme
from tests.support.fake_service import FakeService
from tests.support.plugins import LoopBackend
from tests.support.project_fixtures import ProjectSettingsFixture, projects_desk
from tests.support.signals import emitted
from tests.support.widgets import button_named, click, enter_text, label_texts
from tests.support.window import KeyringInMemory, has_chosen_hosted

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since view models are under these tests."""
    return qt_loop


@dataclass(frozen=True)
class _Stage:
    """The section, with one project at work."""

    section: ProjectsSection
    desk: ProjectSettingsFixture
    service: FakeService
    keyring: KeyringInMemory


@asynccontextmanager
async def _shown(tmp_path: Path, theme: Theme, qtbot: QtBot) -> AsyncIterator[_Stage]:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            await service.received(1)
            section = ProjectsSection(theme, desk.setup)
            qtbot.addWidget(section)
            section.resize(720, 900)
            section.show()
            yield _Stage(section, desk, service, keyring)


def _type(section: QWidget, name: str, text: str) -> None:
    fields: list[QLineEdit] = section.findChildren(QLineEdit)
    field = next(field for field in fields if field.accessibleName() == name)
    field.clear()
    enter_text(field, text)


async def _is_over(desk: ProjectSettingsFixture) -> None:
    while desk.setup.settings.is_checking:
        await emitted(desk.setup.settings_changed)


async def test_project_is_tested_added_and_used(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    async with _shown(tmp_path, theme, qtbot) as stage, FakeService("pk_live_second") as second:
        _type(stage.section, "Connection name", "Second")
        _type(stage.section, "Connection address", second.base_url)
        _type(stage.section, "Project key", "pk_live_second")

        click(button_named(stage.section, "Test and add"))
        await _is_over(stage.desk)

        assert [row.name for row in stage.desk.projects.rows if row.is_now] == ["Second"]
        assert "Connected. The key is stored in this computer’s keyring." in label_texts(
            stage.section
        )
        assert stage.desk.profile.startswith(f"hosted:{second.base_url}")


async def test_another_key_is_given_in_the_card_and_a_wrong_one_said_there(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as stage:
        name, before = stage.desk.projects.rows[-1].name, stage.desk.profile
        stage.service.api_key = SecretStr("pk_live_new")
        click(button_named(stage.section, f"Change…: {name}"))
        _type(stage.section, f"Key of {name}", "pk_live_wrong")
        click(button_named(stage.section, f"Test and use: {name}"))
        await _is_over(stage.desk)
        assert "The service does not accept this project key." in label_texts(stage.section)

        _type(stage.section, f"Key of {name}", "pk_live_new")
        click(button_named(stage.section, f"Test and use: {name}"))
        await _is_over(stage.desk)

        assert stage.desk.profile == before
        assert list(stage.keyring.secrets.values()) == ["pk_live_new"]
        assert "The service does not accept this project key." not in label_texts(stage.section)


@pytest.mark.security(63)
async def test_another_address_without_its_key_sends_nothing_there(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as stage:
        name = stage.desk.projects.rows[-1].name
        async with FakeService() as other:
            click(button_named(stage.section, f"Change…: {name}"))
            _type(stage.section, f"Address of {name}", other.base_url)
            click(button_named(stage.section, f"Test and use: {name}"))
            await _is_over(stage.desk)

            assert any(
                "is not in this computer’s keyring" in text for text in label_texts(stage.section)
            )
            assert other.requests == []


async def test_removal_says_what_goes_and_leaves_the_project_when_only_the_key_goes(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as stage:
        name = stage.desk.projects.rows[-1].name
        click(button_named(stage.section, f"Remove…: {name}"))
        assert any(
            "deletes its key and the local copies" in text for text in label_texts(stage.section)
        )

        at_work = emitted(stage.desk.connection.workspace_changed)
        click(button_named(stage.section, f"Remove key only: {name}"))
        await at_work
        while stage.keyring.secrets or stage.desk.profile != "local":
            await emitted(stage.desk.connection.status_changed)

        assert name in [row.name for row in stage.desk.projects.rows]


async def test_a_missing_key_has_its_field_opened_with_words_that_hold(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as stage:
        assert stage.section.open_key() is None
        stage.keyring.secrets.clear()
        await stage.desk.connection.start()

        field = stage.section.open_key()

        assert field is not None
        assert field.isVisible()
        assert "Takes effect once the service accepts it." in label_texts(field)
