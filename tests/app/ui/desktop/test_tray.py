"""The icon in the tray, and notices where it speaks for the program."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QImage

from app.config.settings import Settings, TraySettings
from app.platform.desktop_notifications import DesktopNotification
from app.ui.desktop.notifications import TrayNotifications
from app.ui.desktop.tray_icon import TrayIcon
from app.ui.theme import Theme

# Qt's platform for tests has no tray, and says so.
pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged")

_NOTE = DesktopNotification("Reply finished", "Plans", "Show chat")


@pytest.fixture
def tray(theme: Theme) -> Iterator[TrayIcon]:
    made = TrayIcon(theme)
    yield made
    made.close()


def _picture(tray: TrayIcon) -> QImage:
    return tray.icon.icon().pixmap(22, 22).toImage()


def test_tray_is_empty_until_an_icon_is_wanted(tray: TrayIcon) -> None:
    assert not tray.icon.isVisible()

    tray.show_settings(Settings(tray=TraySettings(is_shown=True)))

    assert tray.icon.isVisible()
    assert not tray.keeps_running


def test_icon_shows_that_chats_have_news_until_they_are_seen(tray: TrayIcon) -> None:
    before = _picture(tray)

    tray.show_count(3)
    marked = _picture(tray)
    tray.show_count(0)

    assert marked != before
    assert _picture(tray) == before
    assert tray.icon.toolTip() == "Parley"


def test_menu_of_the_icon_opens_begins_a_chat_and_quits(tray: TrayIcon) -> None:
    told = list[str]()
    tray.opened.connect(lambda: told.append("open"))
    tray.chat_begun.connect(lambda: told.append("chat"))
    tray.quit_chosen.connect(lambda: told.append("quit"))

    for action in tray.icon.contextMenu().actions():
        action.trigger()

    assert told == ["open", "chat", "quit"]


def test_icon_that_only_speaks_goes_away_with_its_last_notice(tray: TrayIcon) -> None:
    board = TrayNotifications(tray.icon)
    chosen = list[str]()
    board.follow(lambda subject, _token: chosen.append(subject))

    board.show("one", _NOTE)
    board.show("two", _NOTE)
    tray.icon.messageClicked.emit()
    board.withdraw("one")
    was_there = tray.icon.isVisible()
    board.withdraw("two")

    assert chosen == ["two"]
    assert was_there
    assert not tray.icon.isVisible()


def test_icon_that_the_person_wants_stays_when_notices_end(tray: TrayIcon) -> None:
    tray.show_settings(Settings(tray=TraySettings(is_shown=True)))
    board = TrayNotifications(tray.icon)

    board.show("one", _NOTE)
    board.withdraw("one")

    assert tray.icon.isVisible()
