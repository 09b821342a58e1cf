"""The manual in the window: every page opens, links lead to pages, and the search to places."""

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings
from app.paths import resources
from app.ui.help import help_controller
from app.ui.help.help_page import HelpPage, PageList, PageText
from app.ui.link_dialog import LinkDialog
from app.ui.theme import Theme
from app.ui.transcript.hit_targets import CopyText, HitTarget, OpenLink, OpenPage
from app.viewmodels.help import Manual, ManualHit
from tests.support.diagnostics import about_section
from tests.support.names import spoken_faults
from tests.support.widgets import button_named, child

_FOLDER = resources() / "manual"
_LANGUAGES = sorted(path.name for path in _FOLDER.iterdir())
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> HelpPage:
    return _shown(theme, qtbot, "en")


def _shown(theme: Theme, qtbot: QtBot, language: str) -> HelpPage:
    widget = HelpPage(theme, Manual(_FOLDER, language))
    qtbot.addWidget(widget)
    widget.resize(1366, 768)
    with qtbot.waitActive(widget, timeout=20_000):
        widget.show()
        widget.activateWindow()
    widget.open_page("index")
    return widget


def _field(page: HelpPage) -> QLineEdit:
    return child(page, QLineEdit)


def _settle(page: HelpPage, qtbot: QtBot) -> PageText:
    text = child(page, PageText)
    qtbot.waitUntil(lambda: text.is_settled, timeout=20_000)
    return text


def _targets(text: PageText) -> list[HitTarget]:
    rows = (text._rows.row(index, 700) for index in range(text._rows.count))
    targets = []
    for row in rows:
        while row.has_more:
            row.advance()
        row.lay_out(0, row.height)
        targets += row.targets()
    return targets


@pytest.mark.parametrize("language", _LANGUAGES)
def test_every_page_is_shown_whole_and_all_its_links_can_be_pressed(
    theme: Theme, qtbot: QtBot, language: str
) -> None:
    page = _shown(theme, qtbot, language)
    manual = Manual(_FOLDER, language)
    for each in manual.pages:
        page.open_page(each.name)
        text = _settle(page, qtbot)

        source = "\n".join(section.text for section in each.sections)
        code = _CODE.findall(source)
        written = [link.removesuffix(".md") for link in _LINK.findall(_CODE.sub("", source))]
        actions = [target.action for target in _targets(text)]
        inner = [action.name for action in actions if isinstance(action, OpenPage)]
        outer = [action.address for action in actions if isinstance(action, OpenLink)]
        assert text.accessibleName() == each.title
        assert set(inner) == {link for link in written if link in manual.names}
        assert set(outer) >= {link for link in written if link.startswith("https://")}
        assert len(inner) + len(outer) >= len(written)
        assert sum(isinstance(action, CopyText) for action in actions) == len(code)
        assert text.verticalScrollBar().value() == 0


def test_a_link_leads_to_its_page_by_the_keyboard(page: HelpPage, qtbot: QtBot) -> None:
    text = _settle(page, qtbot)
    text.setFocus()

    qtbot.keyClick(text, Qt.Key.Key_Tab)
    qtbot.keyClick(text, Qt.Key.Key_Return)

    assert page.page_name == "chats"
    assert _settle(page, qtbot).verticalScrollBar().value() == 0
    [current] = child(page, PageList).selectedIndexes()
    assert current.data() == "Chats"


def test_a_link_out_is_opened_when_it_was_confirmed(page: HelpPage, qtbot: QtBot) -> None:
    page.open_page("sandbox")
    text = _settle(page, qtbot)
    outer = next(t.action for t in _targets(text) if isinstance(t.action, OpenLink))
    opened: list[str] = []
    page.link_confirmed.connect(opened.append)

    text.keyboard.pressed.emit("sandbox/0", outer)
    dialog = child(page, LinkDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert opened == []
    button_named(dialog, "Open").click()

    assert opened == [outer.address]


def test_code_is_copied(page: HelpPage, qtbot: QtBot) -> None:
    page.open_page("your-own-tools")
    text = _settle(page, qtbot)
    copy = next(t.action for t in _targets(text) if isinstance(t.action, CopyText))

    text.keyboard.pressed.emit("your-own-tools/1", copy)

    assert QGuiApplication.clipboard().text().startswith("# texts/tool.toml\nname = ")


def test_a_search_leads_to_the_place(page: HelpPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(_field(page), "placeholder")
    found = child(page, PageList)
    [first, *_] = found.rows
    assert isinstance(first, ManualHit)
    assert "laceholder" in first.excerpt.text

    qtbot.keyClick(_field(page), Qt.Key.Key_Return)
    text = _settle(page, qtbot)

    assert page.page_name == first.page.name
    assert text.hasFocus()
    assert text.finding.in_row(first.section)
    assert text.finding.is_current(first.section, 0)
    assert any(placed.index == first.section for placed in text._layout.placed)


def test_a_search_without_a_hit_says_so(page: HelpPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(_field(page), "xyzzy")

    assert child(page, PageList).rows == ()
    assert page._found.text() == "No results in the manual"
    qtbot.keyClick(_field(page), Qt.Key.Key_Return)
    assert page.page_name == "index"


def test_arrows_in_the_field_go_through_the_pages(page: HelpPage, qtbot: QtBot) -> None:
    names = [each.name for each in Manual(_FOLDER, "en").pages]

    qtbot.keyClick(_field(page), Qt.Key.Key_Down)
    qtbot.keyClick(_field(page), Qt.Key.Key_Down)
    assert page.page_name == names[2]
    qtbot.keyClick(_field(page), Qt.Key.Key_Up)
    assert page.page_name == names[1]
    assert _field(page).hasFocus()


def test_esc_ends_the_search_and_then_goes_back(page: HelpPage, qtbot: QtBot) -> None:
    closed: list[bool] = []
    page.closed.connect(lambda: closed.append(True))
    qtbot.keyClicks(_field(page), "model")
    qtbot.keyClick(_field(page), Qt.Key.Key_Return)
    text = _settle(page, qtbot)

    # First out of the section that the keyboard went to.
    qtbot.keyClick(text, Qt.Key.Key_Escape)
    qtbot.keyClick(text, Qt.Key.Key_Escape)
    assert _field(page).text() == ""
    assert _field(page).hasFocus()
    assert len(child(page, PageList).rows) == len(Manual(_FOLDER, "en").pages)
    assert not text.finding.is_searching
    assert closed == []

    qtbot.keyClick(_field(page), Qt.Key.Key_Escape)
    assert closed == [True]


def test_a_click_on_a_page_opens_it_and_the_keys_of_finding_go_back_to_the_search(
    page: HelpPage, qtbot: QtBot
) -> None:
    pages = child(page, PageList)
    row = pages.visualRect(pages.model().index(5, 0)).center()

    qtbot.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=row)
    text = _settle(page, qtbot)
    assert page.page_name == "sandbox"
    assert text.hasFocus()

    qtbot.keyClick(text, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert _field(page).hasFocus()


def test_a_screen_reader_names_the_page_and_reads_it_by_section(
    page: HelpPage, qtbot: QtBot
) -> None:
    page.open_page("updates")
    text = _settle(page, qtbot)
    shown = QAccessible.queryAccessibleInterface(text)

    assert shown.text(QAccessible.Text.Name) == "Updates"
    assert shown.child(0).text(QAccessible.Text.Name).startswith("Updates: Updates\n")
    page.open_page("index")
    _settle(page, qtbot)
    # A page may lead to another one twice.
    assert [fault for fault in spoken_faults(page) if "times Link" not in fault] == []
    link = QAccessible.queryAccessibleInterface(text).child(0).child(0)
    assert link.role() == QAccessible.Role.Link
    assert link.text(QAccessible.Text.Name) == "Chats"


def test_a_page_has_no_way_to_a_latest_message(page: HelpPage, qtbot: QtBot) -> None:
    page.open_page("chats")
    text = _settle(page, qtbot)

    assert text.verticalScrollBar().maximum() > 0
    assert not text._scroll.jump_button.isVisible()


def test_the_list_stands_above_the_text_where_there_is_no_room_beside_it(
    page: HelpPage, theme: Theme, qtbot: QtBot
) -> None:
    pages, text = child(page, PageList), child(page, PageText)

    def is_above() -> bool:
        origin = QPoint(0, 0)
        return pages.mapTo(page, origin).y() < text.mapTo(page, origin).y() == text.y() > 40

    assert not is_above()
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    qtbot.waitUntil(is_above)
    assert text.height() > page.height() // 2
    theme.wear(AppearanceSettings(theme="light"))
    qtbot.waitUntil(lambda: not is_above())


def test_the_page_for_a_place_is_that_of_the_innermost_part(theme: Theme, qtbot: QtBot) -> None:
    section = about_section(theme)
    qtbot.addWidget(section)

    assert help_controller.page_for(section.self_test.start) == "self-test"
    assert help_controller.page_for(section.log) == "index"
    assert help_controller.page_for(None) == "index"


def test_every_place_has_a_page_that_there_is() -> None:
    assert set(help_controller._PAGES.values()) <= Manual(_FOLDER, "en").names
