"""The file for notes is picked by the person, and no other one is ever written to."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QFileDialog
from pytestqt.qtbot import QtBot

from app.config.settings import SettingsFile
from app.ui.settings.tools import ToolsSection
from app.ui.theme import Theme
from app.viewmodels.approval.permissions import PermissionsViewModel
from app.viewmodels.preferences import Preferences
from local_tools.sandbox.types import SandboxState, nothing_holds


async def no_sandbox() -> SandboxState:
    return nothing_holds("none")


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(SettingsFile(tmp_path / "settings.toml"))


def test_a_file_for_notes_is_chosen_shown_and_forgotten(
    theme: Theme, preferences: Preferences, qtbot: QtBot, tmp_path: Path
) -> None:
    section = ToolsSection(theme, preferences, PermissionsViewModel(preferences, no_sandbox))
    qtbot.addWidget(section)
    section.show()
    buttons = {one.accessibleName(): one for one in section.findChildren(QAbstractButton)}
    choose, forget = buttons["Choose a notes file"], buttons["Use no notes file"]
    assert not forget.isVisible()

    choose.click()
    [dialog] = section.findChildren(QFileDialog)
    assert dialog.testOption(QFileDialog.Option.DontConfirmOverwrite)
    place = str(tmp_path / "my notes.md")
    dialog.fileSelected.emit(place)
    dialog.reject()

    assert preferences.current.tools.notes_file == place
    assert SettingsFile(tmp_path / "settings.toml").current.tools.notes_file == place
    assert section.mark_hits((place.casefold().split("/")[-1],))
    assert forget.isVisible()
    forget.click()
    assert preferences.current.tools.notes_file == ""
    preferences.undo()
    assert preferences.current.tools.notes_file == place
