"""The sections of appearance and language: what is chosen there holds, and is shown again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings, SettingsFile
from app.paths import resources
from app.ui.commands import Commands
from app.ui.settings.appearance import AppearanceSection, TextSize
from app.ui.settings.section import SettingsSection
from app.ui.theme import Theme
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.choice_list import ChoicePopup
from app.ui.widgets.fields import FilterField
from app.viewmodels.i18n import SpokenLanguage
from app.viewmodels.preferences import Preferences
from tests.support.widgets import child, click, enter_text, press

_AMERICAN = QLocale("en_US")


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(SettingsFile(tmp_path / "settings.toml"))


@pytest.fixture
def language() -> Iterator[SpokenLanguage]:
    """Yield a run that speaks English, on an American computer."""
    made = SpokenLanguage(resources() / "translations", "system", _AMERICAN)
    yield made
    made.close()


def _named(page: QWidget, name: str) -> QAbstractButton:
    [button] = [one for one in page.findChildren(QAbstractButton) if one.accessibleName() == name]
    return button


def _choose(page: QWidget, purpose: str, words: str) -> None:
    [chip] = [
        one for one in page.findChildren(ChoiceChip) if one.accessibleName().startswith(purpose)
    ]
    [menu] = [one for one in page.findChildren(QMenu) if one.accessibleName() == purpose]
    if actions := [one for one in menu.actions() if one.text() == words]:
        actions[0].trigger()
        return
    # A computer may have more typefaces than a menu holds.
    click(chip)
    field = child(child(page, ChoicePopup), FilterField)
    enter_text(field, words)
    press(field, Qt.Key.Key_Return)


def _chip_text(page: QWidget, purpose: str) -> str:
    [chip] = [
        one for one in page.findChildren(ChoiceChip) if one.accessibleName().startswith(purpose)
    ]
    return chip.accessibleName().removeprefix(f"{purpose}: ")


def _shown(section: SettingsSection, qtbot: QtBot) -> SettingsSection:
    qtbot.addWidget(section)
    section.show()
    section.begin()
    return section


def test_contrast_and_theme_are_chosen_by_their_buttons(
    theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    section = _shown(AppearanceSection(theme, preferences), qtbot)

    _named(section, "High contrast").click()
    _named(section, "Dark").click()

    assert preferences.current.appearance == AppearanceSettings(theme="dark", contrast="high")


def test_size_and_typefaces_are_chosen_and_taken_back(
    theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    section = _shown(AppearanceSection(theme, preferences), qtbot)

    _choose(section, "Zoom", "150 %")
    # One that ships: a computer may have no others.
    _choose(section, "Text font", "JetBrains Mono")
    chosen = preferences.current.appearance
    preferences.undo()
    preferences.undo()

    assert chosen == AppearanceSettings(scale_percent=150, text_family="JetBrains Mono")
    assert _chip_text(section, "Zoom") == "100 %"
    assert _chip_text(section, "Text font") == "Inter (included)"
    assert _chip_text(section, "Code font") == "JetBrains Mono (included)"


def test_size_goes_by_steps_and_stops_at_both_ends(preferences: Preferences, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    commands = Commands(window)
    TextSize(preferences, commands)
    sizes: list[int] = []

    for name in (*["text-larger"] * 6, *["text-smaller"] * 8, "text-usual"):
        commands[name].action.trigger()
        sizes.append(preferences.current.appearance.scale_percent)

    assert sizes == [110, 125, 150, 175, 200, 200, 175, 150, 125, 110, 100, 90, 80, 80, 100]
