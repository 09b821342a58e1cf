"""What is read out although the keyboard is elsewhere: what is asked, and what went wrong."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.common.error_messages import ErrorMessage
from app.ui.chat_page import FolderOfferBar
from app.ui.composer.composer import Composer
from app.ui.notice_bar import NoticeBar
from app.ui.settings.section import StatusMessage
from app.ui.sidebar.sidebar import StatusFoot
from app.ui.theme import Theme
from app.ui.widgets.accessible import told_at_its_end
from app.ui.widgets.fields import Field
from app.ui.widgets.menus import make_menu
from app.viewmodels.states import BannerView, Dot, StatusView
from tests.support.announcements import announced, reader_listening
from tests.support.widgets import child

_LOST = BannerView(Dot.WARN, ErrorMessage("The service stopped. It is starting again."))


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    with reader_listening():
        yield made


def test_a_banner_is_announced_once_and_again_when_it_comes_back(
    window: QWidget, theme: Theme
) -> None:
    bar = NoticeBar(theme, window)

    bar.show_banner(_LOST)
    bar.show_banner(_LOST)
    first = announced(window)
    bar.show_banner(None)
    bar.show_banner(_LOST)

    assert first == ["The service stopped. It is starting again."]
    assert announced(window) == first * 2


def test_a_banner_is_announced_by_the_page_that_shows_it_alone(
    window: QWidget, theme: Theme
) -> None:
    shown, hidden = QWidget(window), QWidget(window)
    shown.show()
    hidden.hide()

    for page in (shown, hidden):
        NoticeBar(theme, page).show_banner(_LOST)

    assert announced(window) == ["The service stopped. It is starting again."]


def test_a_service_that_answers_again_is_announced_and_a_first_answer_is_not(
    window: QWidget, theme: Theme
) -> None:
    foot = StatusFoot(theme)
    QVBoxLayout(window).addWidget(foot)
    starting = StatusView(Dot.WARN, "Local service", "starting…")
    ready = StatusView(Dot.GOOD, "Local service", "ready")

    foot.show_status(starting)
    foot.show_status(ready)
    first = announced(window)
    foot.show_status(StatusView(Dot.WARN, "Local service", "restarting…"))
    foot.show_status(ready)
    foot.show_status(ready)

    assert first == []
    assert announced(window) == ["Local service: ready"]


def test_an_offer_of_a_folder_is_announced_once(window: QWidget, theme: Theme) -> None:
    bar = FolderOfferBar(theme)
    QVBoxLayout(window).addWidget(bar)

    bar.show_folder("~/notes")
    bar.show_folder("~/notes")
    bar.show_folder("")

    assert announced(window) == ["Tools ask before they list, read or search files in ~/notes."]


def test_a_chosen_folder_is_announced_once_the_keyboard_is_back(theme: Theme, qtbot: QtBot) -> None:
    composer = Composer(theme, QWidget())
    qtbot.addWidget(composer)

    with reader_listening():
        composer.tell_folder("~/notes")
        bar = FolderOfferBar(theme)
        bar.setParent(composer)
        bar.show_folder("~/notes")
        composer.tell_folder("")
        at_once = announced(composer)
        qtbot.waitUntil(lambda: len(announced(composer)) > 2)

    assert at_once == []
    assert announced(composer) == [
        "Folder for tools: ~/notes",
        "Tools ask before they list, read or search files in ~/notes.",
        "No folder for tools",
    ]


def test_banner_of_a_window_made_anew_is_announced_once_it_is_made(
    window: QWidget, theme: Theme, qtbot: QtBot
) -> None:
    with told_at_its_end(window):
        is_told_now = QAccessible.isActive()
        NoticeBar(theme, window).show_banner(_LOST)
    at_once = announced(window)
    qtbot.waitUntil(lambda: announced(window) != [])

    assert not is_told_now
    assert QAccessible.isActive()
    assert at_once == []
    assert announced(window) == ["The service stopped. It is starting again."]


def test_note_above_the_composer_is_announced(theme: Theme, qtbot: QtBot) -> None:
    composer = Composer(theme, QWidget())
    qtbot.addWidget(composer)

    with reader_listening():
        composer.tell("The message could not be kept.")
        composer.ask_to_decline()

    assert announced(composer) == [
        "The message could not be kept.",
        "A tool call is waiting for your decision. Sending this message denies it.",
    ]


def test_a_field_says_what_is_wrong_when_the_keyboard_comes_and_not_again(
    theme: Theme, qtbot: QtBot
) -> None:
    field = Field(theme, "Service address", hint="Ask for it.")
    qtbot.addWidget(field)
    with qtbot.waitActive(field):
        field.show()
    edit = child(field, QLineEdit)
    said: list[str] = []

    def on_focus_changed(_before: QWidget | None, now: QWidget | None) -> None:
        if now is edit:
            said.append(edit.accessibleDescription())

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.focusChanged.connect(on_focus_changed)
    edit.clearFocus()
    field.show_error("Nothing answers there.")
    application.focusChanged.disconnect(on_focus_changed)

    # A description that changed under the keyboard would be read a second time.
    assert said == ["Nothing answers there."]


@pytest.mark.parametrize("chosen", [None, "Copy"])
def test_a_menu_that_opens_leads_a_reader_to_what_is_chosen_or_first(
    chosen: str | None, window: QWidget, theme: Theme, qtbot: QtBot
) -> None:
    menu = make_menu(window, "Chat", theme)
    menu.addAction("Undo").setEnabled(False)
    for words in ("Open", "Copy"):
        action = QAction(words, menu, checkable=True)
        action.setChecked(words == chosen)
        menu.addAction(action)

    menu.popup(window.pos())
    qtbot.waitUntil(menu.isVisible, timeout=20_000)
    current = menu.activeAction()
    menu.close()

    assert current is not None
    assert current.text() == (chosen or "Open")


def test_a_menu_of_actions_leads_to_the_first_whatever_is_checked(
    window: QWidget, theme: Theme, qtbot: QtBot
) -> None:
    menu = make_menu(window, "Chat", theme)
    menu.addAction("Open")
    order = QAction("Newest first", menu, checkable=True)
    order.setChecked(True)
    menu.addAction(order)

    menu.popup(window.pos())
    qtbot.waitUntil(menu.isVisible, timeout=20_000)
    current = menu.activeAction()
    menu.close()

    assert current is not None
    assert current.text() == "Open"


def test_a_menu_marks_nothing_for_who_sees_it(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    menu = make_menu(window, "Chat", theme)
    menu.addAction("Open")

    menu.popup(window.pos())
    qtbot.waitUntil(menu.isVisible, timeout=20_000)
    current = menu.activeAction()
    qtbot.keyClick(menu, Qt.Key.Key_Escape)

    assert current is None


def test_outcome_of_a_settings_change_is_announced(window: QWidget, theme: Theme) -> None:
    outcome = StatusMessage(theme)
    QVBoxLayout(window).addWidget(outcome)

    outcome.show_words("", "", note="Nothing was tried.")
    outcome.show_words("The model answers.", "")
    outcome.show_words("The model answers.", "")
    outcome.show_words("", "Nobody answers there.")
    outcome.show_words("", "")

    assert announced(window) == ["The model answers.", "Nobody answers there."]
