"""The section about agents and skills: what is shown of each, and what a click does."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QScrollArea
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings, SettingsFile
from app.paths import paths_under
from app.self_test.ui_driver import find
from app.service.catalog import AgentDraft
from app.ui.settings.agent_editor import AgentEditor
from app.ui.settings.agent_trial_box import AgentTrialPane
from app.ui.settings.agents import AgentsSection, CatalogList
from app.ui.settings.settings_page import SettingsPage
from app.ui.theme import Theme
from app.ui.transcript.hit_targets import OpenLink
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.chips import ChoiceChip
from app.viewmodels.settings.agents import AgentsView, CatalogRow
from app.viewmodels.settings.trial_run import (
    AgentTrialViewModel,
    TrialRowKind,
    TrialRunRow,
    TrialView,
)
from local_server.assistant.agents import read_agent
from tests.support.agent_settings_fixtures import agents_desk, section_of, settled
from tests.support.announcements import reader_listening
from tests.support.clipping import clipped
from tests.support.fake_service import FakeService
from tests.support.plugins import LoopBackend
from tests.support.signals import emitted
from tests.support.widgets import button_named, child, click, label_texts
from tests.support.window import has_chosen_offline


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since view models are under these tests."""
    return qt_loop


def _choose(section: AgentsSection, purpose: str, words: str) -> None:
    chips: list[ChoiceChip] = section.findChildren(ChoiceChip)
    chip = next(chip for chip in chips if chip.accessibleName().startswith(purpose))
    actions: list[QAction] = chip.findChildren(QAction)
    next(action for action in actions if action.text() == words).trigger()


@pytest.mark.anyio
async def test_own_instructions_are_kept_told_without_a_restart_and_taken_back(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    has_chosen_offline(tmp_path)
    async with agents_desk(tmp_path) as (agents, desk), section_of(theme, agents) as section:
        qtbot.addWidget(section)
        text = child(section, QPlainTextEdit)
        save = button_named(section, "Save my instructions")

        text.setPlainText("x" * 16_001)
        assert not save.isEnabled()
        assert any("Shorten it" in words for words in label_texts(section))
        text.setPlainText(' Say "du".\n\nBe brief. ')
        click(save)
        told = await desk.told.get()

        kept = SettingsFile(paths_under(tmp_path).settings_file).current.agents.instructions
        assert kept == 'Say "du".\n\nBe brief.'
        assert (told, len(desk.started)) == (kept, 1)
        assert not save.isEnabled()
        desk.preferences.undo("agents.instructions")
        assert (await desk.told.get(), text.toPlainText()) == ("", "")


@pytest.mark.anyio
async def test_own_instructions_are_told_to_no_hosted_service(
    tmp_path: Path,
) -> None:
    async with FakeService() as hosted, agents_desk(tmp_path) as (agents, desk):
        await desk.connection.use_hosted(hosted.base_url, hosted.api_key)
        agents.keep_instructions("Only for here.")
        agents.refresh()
        await settled(agents)

        assert agents.view.instructions == "Only for here."
        assert (desk.started, desk.told.empty()) == ([], True)
        assert all(b"Only for here" not in one.body for one in hosted.requests)


def _names_by_tab(section: AgentsSection, count: int) -> list[str]:
    """Return what the keyboard comes to, one Tab after the other."""
    names = []
    for _ in range(count):
        QTest.keyClick(section.focusWidget(), Qt.Key.Key_Tab)
        names.append(section.focusWidget().accessibleName())
    return names


@pytest.mark.anyio
async def test_agents_are_asked_for_when_they_are_looked_at_and_switched_by_a_click(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    has_chosen_offline(tmp_path)
    async with agents_desk(tmp_path) as (agents, desk), section_of(theme, agents) as section:
        qtbot.addWidget(section)
        assert not agents.view.is_looking
        section.show()
        await settled(agents)

        texts = label_texts(section)
        fault = "agents/x.md, line 4: the line “name: …” is missing."
        assert {"Writer", "Knows about writer.", "Notes", fault} <= texts
        button_named(section, "Agent for Auto: The best agent for the message").setFocus()
        by_tab = _names_by_tab(section, 6)
        assert by_tab[:3] == ["My instructions", "New agent", "Open folder: Agents"]
        assert by_tab[3:] == ["Refresh: Agents", "Edit Broken", "Broken"]
        click(button_named(section, "Notes"))
        assert button_named(section, "Notes").isChecked()
        await settled(agents)
        assert not button_named(section, "Notes").isChecked()

        _choose(section, "Agent for new chats", "Writer")
        assert dict(desk.settings.current.agents.new_chats) == {"local": "writer"}
        _choose(section, "Agent for Auto", "Broken")
        while not agents.view.problem:
            await emitted(agents.changed)
        assert any("cannot be written" in text for text in label_texts(section))
        assert agents.view.auto_agent == ""


def test_hosted_agents_can_be_read_whole_in_a_narrow_window_and_are_not_switched(
    theme: Theme, qtbot: QtBot
) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    rows = (
        CatalogRow("a", "W" * 60, "It " + "writes " * 40, "version 1 · by somebody", is_on=False),
        CatalogRow("b", "Second", "", ""),
    )
    things = CatalogList(theme, "bot", "Agents", "None.")
    scroll = QScrollArea(widgetResizable=True)
    qtbot.addWidget(scroll)
    scroll.setWidget(things)
    things.show_rows(AgentsView(agents=rows), rows)
    scroll.resize(560, 900)
    scroll.show()

    assert clipped(scroll) == []
    assert "version 1 · by somebody · off" in label_texts(things)
    buttons: list[QAbstractButton] = things.findChildren(QAbstractButton)
    shown = [button.accessibleName() for button in buttons if button.isVisibleTo(things)]
    assert shown == ["Refresh: Agents"]
    things.show_rows(AgentsView(), ())
    assert label_texts(things) == {"None."}


@pytest.mark.anyio
async def test_try_out_shows_replies_as_a_chat_does(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with agents_desk(tmp_path) as (agents, _):
        trial = AgentTrialViewModel(agents.editor_sources(), AgentDraft)
        pane = AgentTrialPane(theme, trial)
        qtbot.addWidget(pane)
        pane.resize(376, 600)
        pane.show()
        rows = (
            TrialRunRow(TrialRowKind.QUESTION, "Go"),
            TrialRunRow(TrialRowKind.CALL, "Read file", "a.txt"),
            TrialRunRow(TrialRowKind.REPLY, "The **answer** is [here](https://a.example)."),
        )
        for shown in (rows[:2], rows, (), rows):
            trial.changed.emit(TrialView(shown))
        view = child(pane, TranscriptView)
        qtbot.waitUntil(lambda: view.is_settled)

        pressed = [target.action for row in view._layout.placed for target in row.row.targets()]
        assert OpenLink("https://a.example", "here") in pressed
        assert view.accessible_rows.name(1) == "Would ask to run: Read file a.txt"
        await trial.aclose()


@pytest.mark.anyio
async def test_agent_is_made_by_typing_and_left_by_escape(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    has_chosen_offline(tmp_path)
    async with (
        agents_desk(tmp_path, is_real=True) as (agents, _),
        section_of(theme, agents) as section,
    ):
        page = SettingsPage(theme, (section,))
        qtbot.addWidget(page)
        page.resize(1366, 700)
        page.show()
        await settled(agents)

        heard: list[bool] = []
        section.detail_shown.connect(lambda _page: heard.append(QAccessible.isActive()))
        button_named(section, "New agent").setFocus()
        with reader_listening():
            QTest.keyClick(button_named(section, "New agent"), Qt.Key.Key_Space)
            # Readers hear of the field for the name first, and of nothing that is made before.
            assert heard == [False]
            assert QAccessible.isActive()
        editor = child(page, AgentEditor)
        assert editor.isVisible()
        assert child(editor, AgentTrialPane).width() == theme.px(376)
        assert "To save, enter a name" in label_texts(editor)
        QTest.keyClicks(find(editor, QLineEdit, "Name"), "Gardener")
        assert "To save, enter when to use this agent" in label_texts(editor)
        QTest.keyClicks(find(editor, QLineEdit, "When to use this agent (read by Auto)"), "Plants")
        click(button_named(editor, "Leaf"))
        click(button_named(editor, "Violet"))
        click(button_named(editor, "Think longer"))
        find(editor, QPlainTextEdit, "Instructions").setPlainText("Be brief.")
        left = emitted(section.detail_shown, timeout_s=20)
        QTest.keyClick(editor, Qt.Key.Key_Escape)
        await left
        assert section.isVisible()
        assert QApplication.focusWidget() is button_named(section, "New agent")
        agent = read_agent(paths_under(tmp_path).service_data / "agents" / "gardener.md")
        assert (agent.display_name, agent.description) == ("Gardener", "Plants")
        assert (agent.icon, agent.colour, agent.thinking) == ("leaf", "violet", "long")
        assert agent.instruction == "Be brief."
        await settled(agents)
        assert "Edit Gardener" in {button.accessibleName() for button in _buttons(section)}

        for width, scale in ((1100, 100), (600, 100), (1100, 200)):
            theme.wear(AppearanceSettings(theme="light", scale_percent=scale))
            page.resize(width, 700)
            click(button_named(section, "Edit Gardener"))
            assert clipped(editor) == []
            QTest.keyClick(editor, Qt.Key.Key_Escape)


def _buttons(section: AgentsSection) -> list[QAbstractButton]:
    buttons: list[QAbstractButton] = section.findChildren(QAbstractButton)
    return buttons
