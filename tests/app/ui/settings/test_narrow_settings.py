"""The settings where there is no room for a list beside them, and what is made in them later."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMargins, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings, SettingsFile
from app.ui.settings.appearance import AppearanceSection
from app.ui.settings.section import SettingsSection
from app.ui.settings.settings_page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets.chips import ChoiceChip
from app.viewmodels.preferences import Preferences
from tests.support.clipping import settle
from tests.support.diagnostics import about_section
from tests.support.widgets import button_named, click, enter_text


@pytest.fixture
def page(theme: Theme, qtbot: QtBot, tmp_path: Path) -> SettingsPage:
    preferences = Preferences(SettingsFile(tmp_path / "settings.toml"))
    widget = SettingsPage(theme, (AppearanceSection(theme, preferences), about_section(theme)))
    qtbot.addWidget(widget)
    widget.resize(720, 480)
    widget.show()
    return widget


def _menu(page: SettingsPage) -> ChoiceChip:
    chips: list[ChoiceChip] = page.findChildren(ChoiceChip)
    return next(chip for chip in chips if chip.accessibleName().startswith("Section"))


def _offered(chip: ChoiceChip) -> dict[str, QAction]:
    actions: list[QAction] = chip.findChildren(QAction)
    return {action.text(): action for action in actions if action.text()}


def test_list_of_sections_becomes_a_menu_where_letters_are_large(
    page: SettingsPage, theme: Theme
) -> None:
    assert button_named(page, "Appearance").isVisible()

    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    menu = _menu(page)
    _offered(menu)["About and diagnostics"].trigger()

    assert not button_named(page, "Appearance").isVisible()
    assert menu.isVisible()
    assert page.findChildren(SettingsSection)[1].isVisible()

    theme.wear(AppearanceSettings(theme="light"))
    assert button_named(page, "About and diagnostics").isChecked()


def test_the_line_above_is_as_high_as_the_scale_has_it(page: SettingsPage, theme: Theme) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    page.resize(720, 800)
    settle()
    fields: list[QLineEdit] = page.findChildren(QLineEdit)
    search = next(field for field in fields if field.accessibleName() == "Search settings")

    above = search.mapTo(page, QPoint()).y()
    menu = _menu(page)
    between = search.mapTo(page, QPoint()).x() - menu.mapTo(page, menu.rect().topRight()).x()

    assert 16 <= above <= 24
    assert between <= 18


def test_column_stands_still_from_a_page_to_one_that_is_scrolled(page: SettingsPage) -> None:
    sections: list[SettingsSection] = page.findChildren(SettingsSection)
    low, high = sorted(section.heightForWidth(720) for section in sections)
    page.resize(1180, (low + high) // 2)
    places, scrolled = set(), []
    for section in sections:
        page.show_section(section)
        settle()
        places.add((section.mapTo(page, QPoint()).x(), section.width()))
        areas: list[QScrollArea] = page.findChildren(QScrollArea)
        area = next(area for area in areas if area.isAncestorOf(section))
        scrolled.append(area.verticalScrollBar().isEnabled())

    assert len(places) == 1
    assert sorted(scrolled) == [False, True]


def test_groups_of_a_section_are_equally_far_apart(page: SettingsPage) -> None:
    page.resize(1180, 1200)
    for section in page.findChildren(SettingsSection):
        page.show_section(section)
        settle()
        column = section.column
        parts = [part for n in range(column.count()) if (part := column.itemAt(n))]
        shown = [part for part in parts if part.spacerItem() or not part.isEmpty()]
        gaps = [
            after.geometry().top() - before.geometry().bottom()
            for before, spacer, after in zip(shown[1:], shown[2:], shown[3:], strict=False)
            if spacer.spacerItem()
        ]
        assert len(gaps) >= 2
        assert len(set(gaps)) == 1


def test_menu_names_the_section_that_was_chosen_in_the_list(
    page: SettingsPage, theme: Theme
) -> None:
    click(button_named(page, "About and diagnostics"))

    theme.wear(AppearanceSettings(theme="light", scale_percent=200))

    assert _menu(page).text() == "About and diagnostics"


def test_menu_offers_what_a_search_leaves(page: SettingsPage, theme: Theme) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    fields: list[QLineEdit] = page.findChildren(QLineEdit)
    search = next(field for field in fields if field.accessibleName() == "Search settings")

    enter_text(search, "contrast")

    assert set(_offered(_menu(page))) == {"Appearance"}


def test_widgets_added_later_have_the_margins_of_the_scale(theme: Theme, qtbot: QtBot) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    section = SettingsSection(theme, "Projects", "server")
    qtbot.addWidget(section)
    section.show()

    card = QWidget()
    column = QVBoxLayout(card)
    column.setContentsMargins(14, 9, 14, 9)
    section.column.addWidget(card)
    card.show()

    assert column.contentsMargins() == QMargins(28, 18, 28, 18)
