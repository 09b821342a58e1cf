"""The settings: sections, connection with its test, theme, and the way back."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from app.settings import SettingsFile
from app.ui.setup.about import AboutSection
from app.ui.setup.appearance import AppearanceSection
from app.ui.setup.choice_card import ChoiceCard
from app.ui.setup.connection import ConnectionSection
from app.ui.setup.settings_page import SettingsPage
from app.ui.theme import Theme
from app.viewmodels.preferences import Preferences
from app.viewmodels.states import ModelRow, SettingsView
from tests.support.widgets import button_named, child, click, enter_text, label_texts, press

_LOCAL = SettingsView(
    is_local=True,
    is_hosted=False,
    address="",
    key_words="",
    models=(ModelRow("offline", "Offline demonstration"), ModelRow("m", "llama3.2:3b")),
    model_id="offline",
    version="0.1.0",
)
_HOSTED = replace(
    _LOCAL,
    is_local=False,
    is_hosted=True,
    address="https://service.example.com",
    key_words="Kept in this computer’s keyring",
)


class _Page(SettingsPage):
    """The settings with the sections that these tests look at."""

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        self.connection = ConnectionSection(theme)
        super().__init__(
            theme,
            (
                self.connection,
                AppearanceSection(theme, preferences),
                AboutSection(theme, "0.1.0"),
            ),
        )
        self.show_state = self.connection.show_state
        self.local_chosen = self.connection.local_chosen
        self.hosted_chosen = self.connection.hosted_chosen


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(SettingsFile(tmp_path / "settings.toml"))


@pytest.fixture
def page(theme: Theme, preferences: Preferences, qtbot: QtBot) -> _Page:
    widget = _Page(theme, preferences)
    qtbot.addWidget(widget)
    widget.resize(1100, 800)
    widget.show_state(_LOCAL)
    widget.show()
    return widget


def _field(page: _Page, name: str) -> QLineEdit:
    fields: list[QLineEdit] = page.findChildren(QLineEdit)
    return next(field for field in fields if field.accessibleName() == name)


def test_model_counts_as_soon_as_it_is_chosen(page: _Page, qtbot: QtBot) -> None:
    assert button_named(page, "Model: Offline demonstration").isVisible()

    with qtbot.waitSignal(page.local_chosen, timeout=5000) as chosen:
        child(page.connection, QMenu).actions()[1].trigger()

    assert chosen.args == ["m"]


def test_model_in_use_is_shown_also_when_it_was_not_found_now(page: _Page) -> None:
    page.show_state(replace(_LOCAL, model_id="ollama:gone"))

    assert button_named(page, "Model: ollama:gone").isVisible()


def test_hosted_project_is_tested_and_used(page: _Page, qtbot: QtBot) -> None:
    click(button_named(page, "A hosted project"))
    enter_text(_field(page, "Service address"), "https://service.example.com")
    enter_text(_field(page, "Project key"), "pk_live_1")

    with qtbot.waitSignal(page.hosted_chosen, timeout=5000) as chosen:
        click(button_named(page, "Test and use"))

    assert chosen.args == ["https://service.example.com", "pk_live_1"]


def test_result_of_the_test_is_shown_and_the_key_is_gone(page: _Page) -> None:
    click(button_named(page, "A hosted project"))
    enter_text(_field(page, "Project key"), "pk_live_1")
    page.show_state(replace(_LOCAL, is_checking=True))
    assert not button_named(page, "Testing…").isEnabled()
    assert _field(page, "Project key").text() == "pk_live_1"

    page.show_state(replace(_HOSTED, is_checking=True, check_words="Connected."))
    page.show_state(replace(_HOSTED, check_words="Connected."))

    assert "Connected." in label_texts(page)
    assert _field(page, "Project key").text() == ""
    assert "Kept in this computer’s keyring" in label_texts(page)


def test_failed_test_keeps_what_was_typed_and_says_why(page: _Page) -> None:
    click(button_named(page, "A hosted project"))
    enter_text(_field(page, "Service address"), "https://nowhere.example.com")

    page.show_state(replace(_LOCAL, address_error="The address could not be found."))

    assert "The address could not be found." in label_texts(page)
    assert _field(page, "Service address").text() == "https://nowhere.example.com"


def test_from_a_hosted_project_one_click_leads_back_to_this_computer(
    page: _Page, qtbot: QtBot
) -> None:
    page.show_state(_HOSTED)
    assert _field(page, "Service address").text() == "https://service.example.com"
    click(button_named(page, "On this computer"))
    with qtbot.assertNotEmitted(page.local_chosen):
        child(page.connection, QMenu).actions()[1].trigger()

    with qtbot.waitSignal(page.local_chosen, timeout=5000) as chosen:
        click(button_named(page, "Use this computer"))

    assert chosen.args == ["m"]


def _ticked(page: _Page) -> list[str]:
    """The titles of the cards that carry a tick beside their icon."""
    cards: list[ChoiceCard] = page.findChildren(ChoiceCard)
    return [card.title for card in cards if card.is_ticked]


def test_tick_marks_what_is_connected_and_not_what_was_looked_at(page: _Page) -> None:
    click(button_named(page, "A hosted project"))
    assert _ticked(page) == ["On this computer"]

    page.hide()
    page.show()

    assert button_named(page, "On this computer").isChecked()


def test_while_nothing_is_decided_no_card_is_ticked_and_both_can_be_taken(
    page: _Page, qtbot: QtBot
) -> None:
    page.show_state(replace(_LOCAL, is_local=False))

    assert _ticked(page) == []
    with qtbot.waitSignal(page.local_chosen, timeout=5000):
        click(button_named(page, "Use this computer"))
    click(button_named(page, "A hosted project"))
    assert button_named(page, "Test and use").isVisible()


def test_service_on_this_computer_that_fails_is_said_in_words(page: _Page) -> None:
    page.show_state(replace(_LOCAL, address_error="The service keeps stopping."))

    assert "The service keeps stopping." in label_texts(page)


@pytest.mark.parametrize(("name", "choice"), [("Dark", "dark"), ("Light", "light")])
def test_theme_is_one_click(page: _Page, preferences: Preferences, name: str, choice: str) -> None:
    click(button_named(page, "Appearance"))
    assert button_named(page, "System").isChecked()

    click(button_named(page, name))

    assert preferences.current.appearance.theme == choice
    preferences.undo()
    assert button_named(page, "System").isChecked()


def test_about_names_the_version(page: _Page) -> None:
    click(button_named(page, "About"))

    assert "Version 0.1.0" in label_texts(page)


def test_escape_and_the_arrow_lead_back(page: _Page, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.closed, timeout=5000):
        press(page, Qt.Key.Key_Escape)
    with qtbot.waitSignal(page.closed, timeout=5000):
        click(button_named(page, "Back to the chat"))


def test_search_leaves_the_sections_that_have_the_words_and_marks_the_line(page: _Page) -> None:
    field = _field(page, "Search settings")

    enter_text(field, "contrast")

    appearance = child(page, AppearanceSection)
    assert appearance.isVisible()
    assert not button_named(page, "About").isVisible()
    marked = [card for card in appearance.findChildren(QFrame) if card.property("card") == "chosen"]
    assert [label_texts(card) for card in marked] == [{"Contrast"}]

    enter_text(field, "no such setting")
    assert "No setting has these words." in label_texts(page)

    press(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert button_named(page, "About").isVisible()


def test_change_is_taken_back_by_a_button_and_by_the_keys(page: _Page, qtbot: QtBot) -> None:
    page.show_undo(can_undo=True)

    with qtbot.waitSignal(page.undo_requested, timeout=5000):
        click(button_named(page, "Undo last change"))
    with qtbot.waitSignal(page.undo_requested, timeout=5000):
        QTest.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    page.show_undo(can_undo=False)
    assert not button_named(page, "Undo last change").isVisible()
