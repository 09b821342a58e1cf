"""The right panel: tabs, the tools of the chat, and what tools did."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit, QScrollArea
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.chat.items import CallState, Replaced
from app.common.errors import ErrorRoute
from app.config.settings import AppearanceSettings
from app.ui.commands import Commands
from app.ui.panel.details_page import CallDetailsPage
from app.ui.panel.right_panel import PanelTabs, RightPanel
from app.ui.panel.row_list import RowList
from app.ui.panel.tools_page import ToolDelegate
from app.ui.theme import Theme
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.fields import FilterField
from app.viewmodels.chat.catalog import CatalogViewModel
from app.viewmodels.tools.activity import ActivityFilter, ActivityViewModel
from app.viewmodels.tools.activity_texts import ActivityRow, CallDetailsView
from app.viewmodels.tools.chat_tools import ChatTools
from local_tools.ledger.steps import CallKey
from local_tools.registry import ToolRegistry
from tests.support.announcements import announced, reader_listening
from tests.support.clipping import clipped, settle
from tests.support.widgets import button_named, child, click, label_texts, press

_KEY = CallKey("home", "c1", "call-1")
_ROW = ActivityRow(_KEY, "read_file", "Read file", "~/a", "allowed", CallState.DONE, "2026")


@pytest.fixture
def tools() -> ChatTools:
    route = ErrorRoute(lambda error: pytest.fail(str(error)), pytest.fail)
    made = ChatTools(ToolRegistry.built_in(), Path("/home/ada"), route)
    made.follow(None)
    return made


@pytest.fixture
def activity() -> ActivityViewModel:
    return ActivityViewModel()


@pytest.fixture
def panel(tools: ChatTools, activity: ActivityViewModel, theme: Theme, qtbot: QtBot) -> RightPanel:
    made = RightPanel(CatalogViewModel(), tools, activity, theme)
    qtbot.addWidget(made)
    made.resize(300, 800)
    with qtbot.waitActive(made, timeout=20_000):
        made.show()
        made.activateWindow()
    return made


def _list(panel: RightPanel, name: str) -> RowList:
    return next(part for part in panel.findChildren(RowList) if part.accessibleName() == name)


def _filter(panel: RightPanel, name: str) -> FilterField:
    fields = panel.findChildren(FilterField)
    return next(part for part in fields if part.accessibleName() == name)


def test_arrow_keys_choose_what_is_shown(panel: RightPanel) -> None:
    tabs = child(panel, PanelTabs)
    tabs.take_focus()
    shown = []
    for _ in range(3):
        shown.append(panel.tab)
        tab = panel.window().focusWidget()
        assert tab is not None
        press(tab, Qt.Key.Key_Right)

    assert shown == ["skills", "tools", "activity"]
    assert _list(panel, "Calls").accessibleName()


def test_an_unknown_tab_changes_nothing(panel: RightPanel) -> None:
    panel.show_tab("tools")
    panel.show_tab("None")
    assert panel.tab == "tools"


def test_each_page_has_a_command(panel: RightPanel, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = Commands(window)
    panel.add_to(commands)
    for tab in ("skills", "tools", "activity"):
        with qtbot.waitSignal(panel.wanted, timeout=20_000):
            commands[f"show-{tab}"].action.trigger()
        assert panel.tab == tab


def test_tools_are_listed_by_the_titles_that_are_read(tools: ChatTools) -> None:
    titles = [row.title for row in tools.rows.rows]
    assert titles[3] == "Copy to clipboard"
    assert titles == sorted(titles, key=str.casefold)


def test_a_tool_has_its_own_icon_and_one_that_is_gone_the_icon_of_any(tools: ChatTools) -> None:
    assert tools.icon_of("read_file") == "file-text"
    assert tools.icon_of("gone") == "wrench"


def test_a_tool_is_switched_by_a_click_on_its_switch_or_by_space(
    panel: RightPanel, tools: ChatTools, qtmodeltester: ModelTester
) -> None:
    panel.show_tab("tools")
    view = _list(panel, "Tools of this chat")
    first, second = tools.rows.rows[:2]
    delegate = view.itemDelegate()
    assert isinstance(delegate, ToolDelegate)
    switch = delegate.switch_of(QRectF(view.visualRect(view.model().index(0, 0))))
    click(view.viewport(), switch.center().toPoint())
    view.setCurrentIndex(view.model().index(1, 0))
    press(view, Qt.Key.Key_Space)

    on = {tool.name for tool in tools.on}
    assert not on & {first.name, second.name}
    assert len(on) == tools.rows.rowCount() - 2
    qtmodeltester.check(tools.rows)


def test_attached_files_are_said_to_be_read_without_asking(
    panel: RightPanel, tools: ChatTools
) -> None:
    panel.show_tab("tools")
    view = _list(panel, "Tools of this chat")
    at = next(n for n, row in enumerate(tools.rows.rows) if row.name == "read_attachment")
    view.setCurrentIndex(view.model().index(at, 0))
    press(view, Qt.Key.Key_Return)

    said = label_texts(panel)
    assert "Files that you attach to the chat. Attaching a file allows this." in said
    assert "None. Every call needs your approval." not in said


def test_everything_about_a_tool_is_reported_and_esc_leads_back(
    panel: RightPanel, tools: ChatTools
) -> None:
    panel.show_tab("tools")
    view = _list(panel, "Tools of this chat")
    at = next(n for n, row in enumerate(tools.rows.rows) if row.name == "fetch_page")
    view.setCurrentIndex(view.model().index(at, 0))
    press(view, Qt.Key.Key_Return)

    said = label_texts(panel)
    assert "None. Every call needs your approval." in said
    assert "Only reads, from the internet." in said
    assert "It uses the internet; each card shows the address." in said
    button_named(panel, "Turn off: Fetch page").setFocus()
    press(button_named(panel, "Turn off: Fetch page"), Qt.Key.Key_Space)
    assert "fetch_page" not in {tool.name for tool in tools.on}
    assert button_named(panel, "Turn on: Fetch page").hasFocus()
    press(button_named(panel, "Turn on: Fetch page"), Qt.Key.Key_Space)
    press(button_named(panel, "Back to the list of tools"), Qt.Key.Key_Escape)
    assert view.isVisible()
    assert view.hasFocus()


def test_tools_are_narrowed_to_those_with_the_words_until_esc(
    panel: RightPanel, tools: ChatTools, qtmodeltester: ModelTester
) -> None:
    panel.show_tab("tools")
    view, field = _list(panel, "Tools of this chat"), _filter(panel, "Filter tools")
    field.setFocus()
    QTest.keyClicks(field, "FILE chang")
    shown = [view.model().index(row, 0).data() for row in range(view.model().rowCount())]
    assert "Edit file" in shown
    assert "Calculate" not in shown
    qtmodeltester.check(view.model())
    press(field, Qt.Key.Key_Down)
    assert view.hasFocus()
    press(view, Qt.Key.Key_Space)
    assert [row.title for row in tools.rows.rows if not row.is_on] == shown[:1]

    QTest.keyClicks(field, " nonsense")
    assert "No matching tools" in label_texts(panel)
    qtmodeltester.check(view.model())
    press(field, Qt.Key.Key_Escape)
    assert view.model().rowCount() == tools.rows.rowCount()


def test_few_tools_need_no_filter(panel: RightPanel, tools: ChatTools) -> None:
    panel.show_tab("tools")
    field, rows = _filter(panel, "Filter tools"), tools.rows.rows
    assert field.isVisible()
    field.setText("no such tool")
    tools.rows.replace_all(rows[:3])
    assert not field.isVisible()
    assert _list(panel, "Tools of this chat").model().rowCount() == 3
    tools.rows.replace_all(())
    assert "No tools" in label_texts(panel)


def test_a_filter_is_applied_once_typing_pauses(
    panel: RightPanel, activity: ActivityViewModel, qtbot: QtBot
) -> None:
    panel.show_tab("activity")
    assert "No tool calls yet" in label_texts(panel)

    QTest.keyClicks(_filter(panel, "Filter calls"), "notes")
    qtbot.waitUntil(lambda: activity.filter == ActivityFilter(text="notes"), timeout=20_000)

    assert "No matching calls" in label_texts(panel)


@pytest.mark.security(7)
def test_panel_shows_a_result_with_invisible_characters_written_out(
    panel: RightPanel, activity: ActivityViewModel
) -> None:
    panel.show_tab("activity")
    hostile = "red \x1b[31m, link \x1b]8;;http://x\x07, tag \U000e0041, rtl \u202e"
    steps = (("Asked", "2026-11-22 06:00:00.000"),)
    activity.details_changed.emit(
        CallDetailsView(_ROW, '{"path":"~/a"}', hostile, "", (), steps, True, "")
    )

    fields = [field.toPlainText() for field in panel.findChildren(QPlainTextEdit)]
    assert fields[0] == '{"path":"~/a"}'
    assert not any(sign in fields[1] for sign in ("\x1b", "\x07", "\U000e0041", "\u202e"))
    assert "‹U+001B›[31m" in fields[1]
    assert button_named(panel, "Undo").isVisible()


def test_another_call_of_the_same_tool_is_shown_from_its_beginning(
    panel: RightPanel, activity: ActivityViewModel
) -> None:
    panel.show_tab("activity")
    panel.resize(300, 300)
    other = replace(_ROW, key=CallKey("home", "c1", "call-2"))
    places, last = [], 0
    for row in (_ROW, _ROW, other):
        activity.details_changed.emit(
            CallDetailsView(row, "{}", "x" * 999, "y" * 999, (), (), True, "")
        )
        settle()
        bar = child(child(panel, CallDetailsPage), QScrollArea).verticalScrollBar()
        places.append(bar.value())
        last = bar.maximum()
        bar.setValue(last)

    assert last > 0
    assert places == [0, last, 0]


def test_check_says_at_once_that_it_runs_and_its_verdict_is_not_kept(
    panel: RightPanel, activity: ActivityViewModel
) -> None:
    panel.show_tab("activity")
    click(button_named(panel, "Verify record"))
    assert "Verifying…" in label_texts(panel)

    with reader_listening():
        activity.reported.emit("The record is whole: 1 call.", False)
        assert announced(panel.window()) == ["The record is whole: 1 call."]
    assert "The record is whole: 1 call." in label_texts(panel)
    panel.show_tab("tools")
    panel.show_tab("activity")
    assert "The record is whole: 1 call." not in label_texts(panel)


def test_long_words_break_in_a_narrow_panel_with_large_letters(
    panel: RightPanel, activity: ActivityViewModel, theme: Theme
) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    panel.show_tab("activity")
    long = replace(_ROW, target="/home/ada/" + "a_name_without_a_blank" * 4)
    remarks = ("Your reason: " + "no" * 60,)
    told = CallDetailsView(
        long, "{}", "x", "y", remarks, (("Asked", "2026-11-22"),), True, long.target
    )
    activity.details_changed.emit(told)
    settle()

    area = child(child(panel, CallDetailsPage), QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0
    assert clipped(child(panel, CallDetailsPage)) == []


def test_call_with_a_remark_has_a_further_line(
    panel: RightPanel, activity: ActivityViewModel
) -> None:
    panel.show_tab("activity")
    activity.rows.replace_all([_ROW, replace(_ROW, key=replace(_KEY, call_id="call-2"))])
    settle()
    calls = _list(panel, "Calls")
    before = calls.visualRect(calls.model().index(1, 0))
    words = "allowed by you · sent with 2 secrets masked · 224 ms · 16:07"
    rows = [replace(_ROW, words=words), activity.rows.rows[1]]
    activity.rows.mirror(Replaced(0), rows)
    settle()

    higher, after = (calls.visualRect(calls.model().index(row, 0)) for row in range(2))
    assert higher.height() > before.height() == after.height()
    assert after.top() > before.top()


def test_panel_is_never_too_narrow_to_be_read(panel: RightPanel) -> None:
    assert panel.minimumWidth() >= 220


def test_buttons_wrap_to_the_next_line_before_they_are_cut(panel: RightPanel, theme: Theme) -> None:
    panel.show_tab("activity")
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    panel.resize(360, 800)
    settle()
    for name in ("Verify record", "Export…"):
        button = button_named(panel, name)
        assert button.width() >= button.sizeHint().width()
    assert _filter(panel, "Filter calls").width() > 300
    theme.wear(AppearanceSettings(theme="light"))
    panel.resize(300, 800)
    chips = [chip for chip in panel.findChildren(ChoiceChip) if chip.isVisible()]
    for chip in chips:
        chip.offer((("", "Every call, whoever decided"),))
    settle()

    assert len(chips) == 3
    assert [chip.width() >= chip.whole_width for chip in chips] == [True] * 3
    assert len({chip.y() for chip in chips}) > 1
