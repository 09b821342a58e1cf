"""The section of notices: what is chosen there holds, and it says what this desktop lacks."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.config.settings import NoticeSettings, SettingsFile, TraySettings
from app.ui.settings.notices import NoticesSection
from app.ui.theme import Theme
from app.viewmodels.notices import NoticesViewModel
from app.viewmodels.preferences import Preferences
from app.viewmodels.states import OpenChats
from tests.support.plugins import LoopBackend
from tests.support.signals import emitted


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop."""
    return qt_loop


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(SettingsFile(tmp_path / "settings.toml"))


def _notices(preferences: Preferences, *, can_be_shown: bool) -> NoticesViewModel:
    async def look() -> bool:
        return can_be_shown

    return NoticesViewModel(preferences, OpenChats(), lambda: True, look)


def _press(section: NoticesSection, name: str) -> None:
    buttons = section.findChildren(QAbstractButton)
    [button] = [one for one in buttons if one.accessibleName() == name]
    button.click()


def _shown_words(section: NoticesSection) -> str:
    labels: list[QLabel] = section.findChildren(QLabel)
    return " ".join(label.text() for label in labels if label.isVisible())


def test_each_kind_is_turned_off_and_comes_back_by_undo(
    theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    section = NoticesSection(theme, preferences, _notices(preferences, can_be_shown=True))
    qtbot.addWidget(section)

    _press(section, "Reply finished")
    _press(section, "Waiting for your decision")

    assert preferences.current.notices == NoticeSettings(finished=False, waiting=False)
    preferences.undo()
    assert preferences.current.notices == NoticeSettings(finished=False)


def test_staying_in_the_tray_comes_and_goes_with_the_icon(
    theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    section = NoticesSection(theme, preferences, _notices(preferences, can_be_shown=True))
    qtbot.addWidget(section)

    _press(section, "Keep running in the tray")
    assert preferences.current.tray == TraySettings(is_shown=True, keeps_running=True)

    _press(section, "Tray icon")
    assert preferences.current.tray == TraySettings()


def test_a_reader_hears_what_a_setting_does(
    theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    section = NoticesSection(theme, preferences, _notices(preferences, can_be_shown=True))
    qtbot.addWidget(section)

    told = {one.accessibleDescription() for one in section.findChildren(QAbstractButton)}

    assert "Notifications may be visible on the lock screen." in told


@pytest.mark.anyio
@pytest.mark.parametrize("can_be_shown", [True, False])
async def test_section_says_where_there_are_no_notices(
    can_be_shown: bool, theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    notices = _notices(preferences, can_be_shown=can_be_shown)
    section = NoticesSection(theme, preferences, notices)
    qtbot.addWidget(section)
    section.show()
    known = emitted(notices.availability_changed)

    section.begin()
    await known

    assert ("does not show notifications" in _shown_words(section)) is not can_be_shown
    assert "no tray" in _shown_words(section)
    await notices.aclose()
