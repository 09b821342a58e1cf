"""The group about model files: a repository's files, the window, and another llama-server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from app.ui.settings.model_files import ModelFilesGroup
from app.ui.theme import Theme
from app.viewmodels.settings.model_download import ModelDownloadViewModel
from app.viewmodels.settings.model_files import ModelFilesViewModel
from tests.support.model_downloads import LARGE, OFFER, HandHub
from tests.support.plugins import LoopBackend
from tests.support.project_fixtures import ProjectSettingsFixture, projects_desk
from tests.support.signals import emitted
from tests.support.widgets import button_named, click, enter_text, label_texts
from tests.support.window import KeyringInMemory, has_chosen_offline

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since view models are under these tests."""
    return qt_loop


@asynccontextmanager
async def _shown(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> AsyncIterator[tuple[ModelFilesGroup, ProjectSettingsFixture, ModelDownloadViewModel]]:
    has_chosen_offline(tmp_path)
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        download = ModelDownloadViewModel(HandHub().sources)
        files = ModelFilesViewModel(desk.preferences, desk.models)
        group = ModelFilesGroup(theme, files, download)
        qtbot.addWidget(group)
        group.resize(720, 600)
        group.show()
        yield group, desk, download
        await download.aclose()


def _choose(group: ModelFilesGroup, words: str) -> None:
    menus: list[QMenu] = group.findChildren(QMenu)
    actions = [action for menu in menus for action in menu.actions()]
    next(action for action in actions if action.text() == words).trigger()


async def test_files_of_a_repository_are_listed_with_size_and_whether_they_fit(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as (group, _desk, download):
        [field] = [
            one for one in group.findChildren(QLineEdit) if one.accessibleName() == "Repository"
        ]
        enter_text(field, OFFER.repository)
        click(button_named(group, "List files"))
        while not download.view.files:
            await emitted(download.changed)
        _choose(group, f"{LARGE.name} · 900.0 GB · larger than this computer’s memory")
        assert download.view.offer == LARGE
        assert button_named(group, "Accept and download").isVisible()


async def test_window_and_program_are_kept_and_taken_back(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with _shown(tmp_path, theme, qtbot) as (group, desk, _download):
        _choose(group, dict(ModelFilesViewModel(desk.preferences, desk.models).view.windows)[8192])
        click(button_named(group, "Choose another llama-server"))
        [dialog] = group.findChildren(QFileDialog)
        dialog.fileSelected.emit("/opt/llama/llama-server")
        dialog.reject()
        chosen = desk.preferences.current.models
        shown = any("llama-server" in text.replace("\u200b", "") for text in label_texts(group))
        click(button_named(group, "Use the bundled engine"))
        desk.preferences.undo()
        assert (chosen.window, chosen.engine) == (8192, "/opt/llama/llama-server")
        assert shown
        assert desk.preferences.current.models.engine == "/opt/llama/llama-server"
        assert button_named(group, "Use the bundled engine").isVisible()
