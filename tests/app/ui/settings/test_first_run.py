"""The first page: three choices by mouse and keyboard, and errors at their fields."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from app.ui.settings.choice_card import ChoiceCard, ModelChooser
from app.ui.settings.first_run import FirstRun
from app.ui.theme import Theme
from app.viewmodels.settings.models import ModelRow
from app.viewmodels.settings.settings import Choice, FirstRunView
from tests.support.announcements import announced, reader_listening
from tests.support.widgets import button_named, child, click, enter_text, label_texts, press

_MODELS = (ModelRow("ollama:llama3.2:3b", "llama3.2:3b"), ModelRow("ollama:qwen3:8b", "qwen3:8b"))
_FOUND = FirstRunView("Starts the bundled service. Found: Ollama with 2 models.", _MODELS)
_LOOKING = FirstRunView("Looking for models…", (), is_looking=True)
_NONE_FOUND = FirstRunView("No model was found on this computer yet.", ())


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> FirstRun:
    widget = FirstRun(theme)
    qtbot.addWidget(widget)
    widget.resize(1000, 800)
    widget.show_state(_FOUND)
    widget.show()
    return widget


def _field(page: FirstRun, name: str) -> QLineEdit:
    fields: list[QLineEdit] = page.findChildren(QLineEdit)
    return next(field for field in fields if field.accessibleName() == name)


def test_this_computer_is_chosen_at_first_with_what_was_found(page: FirstRun, qtbot: QtBot) -> None:
    assert page.choice is Choice.THIS_COMPUTER
    assert _FOUND.found_words in label_texts(page)

    with qtbot.waitSignal(page.local_chosen, timeout=20_000) as chosen:
        click(button_named(page, "Start chatting"))

    assert chosen.args == ["ollama:llama3.2:3b"]


def test_another_model_can_be_chosen(page: FirstRun, qtbot: QtBot) -> None:
    menu = child(page, QMenu)
    click(button_named(page, "Model: llama3.2:3b"))
    assert menu.isVisible()
    menu.actions()[1].trigger()
    menu.close()

    with qtbot.waitSignal(page.local_chosen, timeout=20_000) as chosen:
        click(button_named(page, "Start chatting"))

    assert chosen.args == ["ollama:qwen3:8b"]
    page.show_state(_FOUND)
    assert button_named(page, "Model: qwen3:8b").isVisible()


def test_while_models_are_looked_for_this_computer_cannot_be_started(page: FirstRun) -> None:
    page.show_state(_LOOKING)

    assert page.choice is Choice.THIS_COMPUTER
    assert not button_named(page, "Start chatting").isEnabled()
    assert not button_named(page, "Look again").isVisible()


def test_without_models_the_offline_assistant_is_chosen_and_this_computer_looks_again(
    page: FirstRun, qtbot: QtBot
) -> None:
    page.show_state(_NONE_FOUND)
    assert page.choice is Choice.OFFLINE
    assert button_named(page, "Start chatting").isEnabled()

    click(button_named(page, "On this computer"))

    assert not child(page, ModelChooser).isVisible()
    assert not button_named(page, "Start chatting").isEnabled()
    with qtbot.waitSignal(page.look_requested, timeout=20_000):
        click(button_named(page, "Look again"))
    page.show_state(_FOUND)
    assert button_named(page, "Start chatting").isEnabled()


def test_what_is_found_does_not_change_what_the_person_chose(page: FirstRun) -> None:
    page.show_state(_LOOKING)
    click(button_named(page, "A hosted project"))

    page.show_state(_NONE_FOUND)

    assert page.choice is Choice.HOSTED


def test_hosted_project_takes_address_and_key(page: FirstRun, qtbot: QtBot) -> None:
    assert not _field(page, "Project key").isVisible()
    click(button_named(page, "A hosted project"))
    assert page.choice is Choice.HOSTED
    enter_text(_field(page, "Service address"), " https://service.example.com ")
    enter_text(_field(page, "Project key"), "pk_live_1")

    with qtbot.waitSignal(page.hosted_chosen, timeout=20_000) as chosen:
        press(_field(page, "Project key"), Qt.Key.Key_Return)

    assert chosen.args == ["https://service.example.com", "pk_live_1"]


def test_key_is_never_shown(page: FirstRun) -> None:
    assert _field(page, "Project key").echoMode() is QLineEdit.EchoMode.Password
    assert any("keyring" in text for text in label_texts(page))


def test_whole_card_can_be_clicked(page: FirstRun, qtbot: QtBot) -> None:
    card = next(
        card
        for card in page.findChildren(ChoiceCard)
        if card.isAncestorOf(button_named(page, "Try it offline"))
    )

    click(card, card.rect().bottomRight() - QPoint(12, 12))
    with qtbot.waitSignal(page.offline_chosen, timeout=20_000):
        click(button_named(page, "Start chatting"))

    assert page.choice is Choice.OFFLINE


def test_keyboard_follows_the_click_to_another_card(page: FirstRun, qtbot: QtBot) -> None:
    cards = {card.title: card for card in page.findChildren(ChoiceCard)}
    page.activateWindow()
    page.take_focus()
    qtbot.waitUntil(lambda: cards["On this computer"].has_keyboard, timeout=20_000)

    click(cards["Try it offline"], QPoint(100, 40))
    assert cards["Try it offline"].has_keyboard

    title = button_named(page, "A hosted project")
    click(title, title.rect().center())
    assert cards["A hosted project"].has_keyboard


def test_arrows_go_from_card_to_card(page: FirstRun, qtbot: QtBot) -> None:
    page.activateWindow()
    first = button_named(page, "On this computer")
    first.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(first.hasFocus, timeout=20_000)

    choices = []
    for name in ("On this computer", "A hosted project", "Try it offline"):
        choices.append(page.choice)
        press(button_named(page, name), Qt.Key.Key_Down)

    assert choices == [Choice.THIS_COMPUTER, Choice.HOSTED, Choice.OFFLINE]


def test_with_the_keyboard_alone_a_card_is_chosen_and_enter_starts(
    page: FirstRun, qtbot: QtBot
) -> None:
    page.activateWindow()
    page.take_focus()
    first = button_named(page, "On this computer")
    qtbot.waitUntil(first.hasFocus, timeout=20_000)
    press(first, Qt.Key.Key_Down)
    press(button_named(page, "A hosted project"), Qt.Key.Key_Down)

    with qtbot.waitSignal(page.offline_chosen, timeout=20_000):
        press(button_named(page, "Try it offline"), Qt.Key.Key_Return)


def test_enter_on_later_starts_nothing(page: FirstRun, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(page.local_chosen):
        press(button_named(page, "Later"), Qt.Key.Key_Return)


def test_errors_stand_at_their_fields(page: FirstRun) -> None:
    page.choose(Choice.HOSTED)
    page.show_state(
        FirstRunView("", (), address_error="The address begins with https://", key_error="")
    )

    address = _field(page, "Service address")
    assert "The address begins with https://" in label_texts(page)
    assert address.property("wrong") == "true"
    assert address.accessibleDescription() == "The address begins with https://"
    assert _field(page, "Project key").property("wrong") == "false"

    page.show_state(FirstRunView("", (), key_error="Enter the project key."))
    assert "The address begins with https://" not in label_texts(page)
    assert _field(page, "Project key").property("wrong") == "true"


def test_failure_of_another_choice_is_said_below_the_cards(page: FirstRun) -> None:
    failed = FirstRunView("", _MODELS, address_error="The service could not be started.")
    with reader_listening():
        page.show_state(failed)
        page.show_state(failed)
        heard = announced(page)

    assert "The service could not be started." in label_texts(page)
    assert heard == ["The service could not be started."]

    page.choose(Choice.OFFLINE)
    assert "The service could not be started." not in label_texts(page)


def test_a_reader_hears_what_is_asked_here(page: FirstRun) -> None:
    interface = QAccessible.queryAccessibleInterface(page)

    # Of other kinds of boxes readers say no name.
    assert interface.role() == QAccessible.Role.Grouping
    assert interface.text(QAccessible.Text.Name) == "Where should Parley connect?"


def test_nothing_can_be_started_twice(page: FirstRun, qtbot: QtBot) -> None:
    page.choose(Choice.HOSTED)
    page.show_state(FirstRunView("", (), is_checking=True))

    with qtbot.assertNotEmitted(page.hosted_chosen):
        press(_field(page, "Project key"), Qt.Key.Key_Return)
        click(button_named(page, "Connecting…"))


def test_the_keyboard_stays_where_it_is_while_connecting(page: FirstRun, qtbot: QtBot) -> None:
    page.choose(Choice.OFFLINE)
    page.activateWindow()
    start = button_named(page, "Start chatting")
    start.setFocus()
    qtbot.waitUntil(start.hasFocus, timeout=20_000)

    page.show_state(FirstRunView("", (), is_checking=True))

    assert start.hasFocus()


def test_later_leaves_everything_open(page: FirstRun, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.postponed, timeout=20_000):
        click(button_named(page, "Later"))


def test_small_window_scrolls_instead_of_cutting(page: FirstRun, qtbot: QtBot) -> None:
    page.choose(Choice.HOSTED)
    page.resize(440, 420)
    start = button_named(page, "Start chatting")

    qtbot.waitUntil(lambda: start.height() >= 30, timeout=20_000)
    assert page.minimumSizeHint().height() < 420
