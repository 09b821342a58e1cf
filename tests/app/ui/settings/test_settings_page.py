"""The settings: sections, theme, search, undo, and the way back."""

import sys
from functools import partial
from importlib import metadata
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings, SettingsFile, ToolSettings
from app.ui.settings.about import AboutSection
from app.ui.settings.appearance import AppearanceSection
from app.ui.settings.section import keep_in_place
from app.ui.settings.settings_page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets.surfaces import stack
from app.viewmodels.preferences import Preferences
from tests.support.clipping import settle
from tests.support.diagnostics import about_section
from tests.support.widgets import button_named, child, click, enter_text, label_texts, press


class _Page(SettingsPage):
    """The settings with the sections that these tests look at."""

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        sections = (AppearanceSection(theme, preferences), about_section(theme))
        super().__init__(theme, sections)


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(SettingsFile(tmp_path / "settings.toml"))


@pytest.fixture
def page(theme: Theme, preferences: Preferences, qtbot: QtBot) -> _Page:
    widget = _Page(theme, preferences)
    qtbot.addWidget(widget)
    widget.resize(1100, 800)
    widget.show()
    return widget


def _field(page: _Page, name: str) -> QLineEdit:
    fields: list[QLineEdit] = page.findChildren(QLineEdit)
    return next(field for field in fields if field.accessibleName() == name)


@pytest.mark.parametrize(("name", "choice"), [("Dark", "dark"), ("Light", "light")])
def test_theme_is_one_click(page: _Page, preferences: Preferences, name: str, choice: str) -> None:
    click(button_named(page, "Appearance"))
    assert button_named(page, "System").isChecked()

    click(button_named(page, name))

    assert preferences.current.appearance.theme == choice
    preferences.undo()
    assert button_named(page, "System").isChecked()


def test_what_is_used_stays_in_place_while_words_above_come_and_go(qtbot: QtBot) -> None:
    page, scroll = QWidget(), QScrollArea(widgetResizable=True)
    qtbot.addWidget(scroll)
    above, used, below = QLabel(), QPushButton(), QLabel()
    for part, height in ((above, 90), (used, 30), (below, 2000)):
        part.setFixedHeight(height)
    stack(page, 0, above, used, below)
    scroll.setWidget(page)
    scroll.resize(300, 300)
    scroll.show()
    settle()
    scroll.verticalScrollBar().setValue(100)
    place = used.mapTo(scroll, QPoint(0, 0))

    for height in (10, 90):
        keep_in_place(used)
        above.setFixedHeight(height)
        qtbot.waitUntil(partial(_is_at, used, height))
        qtbot.waitUntil(lambda: used.mapTo(scroll, QPoint(0, 0)) == place)


def _is_at(part: QWidget, y: int) -> bool:
    return part.y() == y


def test_about_names_the_version(page: _Page) -> None:
    click(button_named(page, "About and diagnostics"))

    assert f"Version {metadata.version('parley')}" in label_texts(page)
    assert any("Python" in text and "Qt" in text for text in label_texts(page))


def test_about_names_what_is_included_and_where_an_installed_program_lists_licences(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys, "executable", "/usr/lib/parley/parley")
    section = about_section(theme)
    qtbot.addWidget(section)

    (words,) = (text for text in label_texts(section) if "Apache License" in text)
    for name in ("STIX Two Math", "look-alike letters of Unicode", "Mermaid"):
        assert name in words
    assert "file /usr/lib/parley/licences.txt lists them all" in words


def test_escape_and_the_arrow_lead_back(page: _Page, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.closed, timeout=20_000):
        press(page, Qt.Key.Key_Escape)
    with qtbot.waitSignal(page.closed, timeout=20_000):
        click(button_named(page, "Back to the chat"))


def test_search_leaves_the_sections_that_have_the_words_and_marks_the_line(page: _Page) -> None:
    field = _field(page, "Search settings")

    enter_text(field, "contrast")

    appearance = child(page, AppearanceSection)
    assert appearance.isVisible()
    assert not button_named(page, "About and diagnostics").isVisible()
    marked = [card for card in appearance.findChildren(QFrame) if card.property("card") == "chosen"]
    assert [label_texts(card) for card in marked] == [{"Contrast"}]

    enter_text(field, "no such setting")
    assert "No matching settings" in label_texts(page)

    press(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert button_named(page, "About and diagnostics").isVisible()


def test_typed_letters_search_and_enter_goes_to_the_setting_that_they_name_best(
    page: _Page, preferences: Preferences
) -> None:
    QTest.keyClicks(page, "m")
    QTest.keyClicks(_field(page, "Search settings"), "otion")
    assert _field(page, "Search settings").text() == "motion"

    press(_field(page, "Search settings"), Qt.Key.Key_Return)
    assert QApplication.focusWidget() is button_named(page, "System motion")

    press(button_named(page, "System motion"), Qt.Key.Key_Right)
    assert preferences.current.appearance.motion == "full"


def test_section_that_is_named_so_is_shown_before_one_that_only_mentions_it(page: _Page) -> None:
    assert child(page, AppearanceSection).isVisible()

    # Appearance says it of its fonts.
    enter_text(_field(page, "Search settings"), "and")

    assert child(page, AboutSection).isVisible()


def test_setting_is_found_by_its_name_in_another_language(page: _Page) -> None:
    enter_text(_field(page, "Search settings"), "kontrast")

    appearance = child(page, AppearanceSection)
    assert appearance.isVisible()
    marked = [card for card in appearance.findChildren(QFrame) if card.property("card") == "chosen"]
    assert [label_texts(card) for card in marked] == [{"Contrast"}]


def test_search_has_a_magnifying_glass_before_its_words(page: _Page, theme: Theme) -> None:
    field = _field(page, "Search settings")
    enter_text(field, "theme")
    picture, ink = field.grab().toImage(), theme.color("ink-3")

    columns = [
        x
        for x in range(picture.width())
        if any(picture.pixelColor(x, y) == ink for y in range(picture.height()))
    ]

    assert columns
    assert max(columns) < theme.px(11 + 16)
    assert field.cursorRect().left() >= theme.px(11 + 16)


def test_change_is_taken_back_on_its_page_by_a_button_and_by_the_keys(
    page: _Page, preferences: Preferences
) -> None:
    """Our choice: the button says what it takes back, and stands where that was changed."""
    page.undo_requested.connect(preferences.undo)
    preferences.changed.connect(lambda _settings: page.show_changes(preferences.subjects))
    for theme in ("dark", "light"):
        preferences.change(AppearanceSettings(theme=theme))
    preferences.change(ToolSettings(card_minutes=3))

    click(button_named(page, "About and diagnostics"))
    assert not any("Undo" in button.text() for button in _seen_buttons(page))
    QTest.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert preferences.current.tools.card_minutes == 3

    click(button_named(page, "Appearance"))
    click(button_named(page, "Undo: theme"))
    taken_back = [preferences.current.appearance.theme]
    QTest.keyClick(page, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)

    assert [*taken_back, preferences.current.appearance.theme] == ["dark", "system"]
    assert preferences.current.tools.card_minutes == 3
    assert not any("Undo" in button.text() for button in _seen_buttons(page))


def _seen_buttons(page: _Page) -> list[QPushButton]:
    return [button for button in page.findChildren(QPushButton) if button.isVisible()]
