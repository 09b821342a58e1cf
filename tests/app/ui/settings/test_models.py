"""The section about models: cards, a model of one's own, and keys that are never shown."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.qtbot import QtBot

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.ui.settings.models import ModelsSection
from app.ui.settings.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.settings.models import CheckState, ModelRow
from tests.support.plugins import LoopBackend
from tests.support.project_fixtures import ProjectSettingsFixture, projects_desk
from tests.support.signals import emitted
from tests.support.widgets import button_named, click, enter_text, label_texts
from tests.support.window import KeyringInMemory, has_chosen_offline

pytestmark = pytest.mark.anyio

_KEY = "sk-test-0123456789abcdef"


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since view models are under these tests."""
    return qt_loop


@asynccontextmanager
async def _shown(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> AsyncIterator[tuple[ModelsSection, ProjectSettingsFixture]]:
    has_chosen_offline(tmp_path)
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        section = ModelsSection(theme, desk.models)
        qtbot.addWidget(section)
        section.resize(720, 900)
        section.show()
        yield section, desk


def _field(section: SettingsSection, name: str) -> QLineEdit:
    fields: list[QLineEdit] = section.findChildren(QLineEdit)
    return next(field for field in fields if field.accessibleName() == name)


def _buttons(section: SettingsSection) -> set[str]:
    buttons: list[QAbstractButton] = section.findChildren(QAbstractButton)
    return {button.accessibleName() for button in buttons if button.isVisible()}


async def test_model_of_a_provider_is_added_and_checked_and_removed(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as (section, desk):
        enter_text(_field(section, "Model name"), "small")
        click(button_named(section, "Add model"))
        assert _field(section, "Model name").text() == ""

        click(button_named(section, "Check: small"))
        assert any("needs a key from OpenAI" in text for text in label_texts(section))
        desk.fault = UserFacingError(ErrorCode.MODEL_SILENT, {"message": "no credit"})
        enter_text(_field(section, "OpenAI key"), _KEY)
        click(button_named(section, "Save: OpenAI"))
        while not desk.models.view.said:
            await emitted(desk.models.changed)
        click(button_named(section, "Check: small"))
        while desk.models.view.models[-1].check is not CheckState.BAD:
            await emitted(desk.models.changed)

        assert "The model did not answer: no credit" in label_texts(section)
        click(button_named(section, "Remove: small"))
        assert "small" not in label_texts(section)


@pytest.mark.security(64)
async def test_key_leaves_its_field_once_it_is_kept_and_is_never_shown(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as (section, desk):
        field = _field(section, "Anthropic key")
        assert field.echoMode() is QLineEdit.EchoMode.Password
        assert section.keys.focusProxy() is _field(section, "OpenAI key")
        assert "Remove key: Anthropic" not in _buttons(section)
        enter_text(field, _KEY)
        qtbot.keyClick(button_named(section, "Show: Anthropic key"), Qt.Key.Key_Return)
        assert field.echoMode() is QLineEdit.EchoMode.Normal
        assert field.inputMethodHints() & Qt.InputMethodHint.ImhSensitiveData
        assert "Hide: Anthropic key" in _buttons(section)
        section.hide()
        section.show()
        assert field.echoMode() is QLineEdit.EchoMode.Password
        enter_text(_field(section, "OpenAI key"), "half a k")
        click(button_named(section, "Save: Anthropic"))
        while not desk.models.view.said:
            await emitted(desk.models.changed)

        assert (field.text(), field.echoMode()) == ("", QLineEdit.EchoMode.Password)
        qtbot.keyClick(button_named(section, "Show: Anthropic key"), Qt.Key.Key_Return)
        field.undo()
        assert field.text() == ""
        assert _field(section, "OpenAI key").text() == "half a k"
        assert not any(_KEY in text for text in label_texts(section))
        assert "Remove key: Anthropic" in _buttons(section)


async def test_model_in_use_is_marked_and_cannot_be_removed(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as (section, desk):
        desk.models.add("address", "qwen3", "http://127.0.0.1:1234/v1")

        click(button_named(section, "Use: qwen3"))
        while not desk.models.view.said:
            await emitted(desk.models.changed)

        assert {"Use: Demo", "Check: qwen3"} <= _buttons(section)
        assert not {"Use: qwen3", "Remove: qwen3"} & _buttons(section)
        assert any("qwen3 answers from your next" in text for text in label_texts(section))


async def test_downloaded_file_is_measured_and_deleted_after_a_second_click(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    path = tmp_path / "models" / "own.gguf"
    own = ModelRow(f"file:{path}", "Own", "Parley", size_bytes=2_500_000_000, is_own=True)
    other = ModelRow("file:/other.gguf", "Other", "LM Studio", size_bytes=1_000_000_000)
    async with _shown(tmp_path, theme, qtbot) as (section, desk):
        desk.found = (own, other)
        found = emitted(desk.models.found)
        desk.models.refresh()
        await found
        assert "A file on this computer, from Parley: 2.5 GB." in label_texts(section)
        assert "Delete the file of Other…" not in _buttons(section)
        click(button_named(section, "Delete the file of Own…"))
        assert desk.deleted == []
        click(button_named(section, "Delete the file of Own permanently"))
        while not desk.models.view.said:
            await emitted(desk.models.changed)
        assert desk.deleted == [path]
        assert "The file of Own is deleted." in label_texts(section)
        assert "Own" not in label_texts(section)


async def test_server_whose_key_was_kept_for_one_run_says_so(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    words = "No key was found in this computer’s keyring. Add the address again."
    async with _shown(tmp_path, theme, qtbot) as (section, desk):
        desk.models.keep_address_key("https://models.example/v1", _KEY)
        while not desk.models.view.servers:
            await emitted(desk.models.changed)
        assert words not in label_texts(section)
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        section = ModelsSection(theme, desk.models)
        qtbot.addWidget(section)
        desk.models.refresh()
        while not desk.models.view.keyless:
            await emitted(desk.models.changed)
        assert words in label_texts(section)
