"""What was allowed, in the settings: shown with its use, tried, revoked, and ended visibly."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.approvals.rules import FolderScope, RuleLifetime
from app.chat.workspace import RulePermissions, Workspace
from app.config.settings import SettingsFile
from app.store.store import Store
from app.ui.settings.tools import ToolsSection
from app.ui.theme import Theme
from app.ui.widgets.chips import ChoiceChip
from app.viewmodels.approval.permissions import PermissionsViewModel
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.setting_texts import changed_text
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallKey
from local_tools.sandbox.types import SandboxState
from tests.support.clocks import ManualClock
from tests.support.rules import CHAT, REGISTRY, WHOLE, PolicyFixture, bench, reading_in, rule
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


async def whole() -> SandboxState:
    return WHOLE


@dataclass
class Page:
    bench: PolicyFixture
    permissions: PermissionsViewModel
    preferences: Preferences
    section: ToolsSection

    @property
    def words(self) -> str:
        labels = self.section.findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.isVisibleTo(self.section))

    def press(self, name: str) -> None:
        """Press the button of this name."""
        buttons = self.section.findChildren(QAbstractButton)
        found = [b for b in buttons if b.accessibleName().startswith(name) and not b.isHidden()]
        found[0].click()


@asynccontextmanager
async def page(data: Path, theme: Theme, qtbot: QtBot) -> AsyncIterator[Page]:
    clock = ManualClock()
    ledger, store = Ledger(data / "ledger.db"), Store(data / "a.db")
    await ledger.open()
    await store.open()
    async with bench(data, clock=clock) as desk:
        profile = store.profile("home")
        await profile.conversations.set_folder(CHAT, desk.folder)
        text = '{"path": "a.md"}'
        key = CallKey("home", CHAT, "t1")
        await ledger.ask(key, tool="read_file", digest="", input_text=text)
        preferences = Preferences(SettingsFile(data / "settings.toml"))
        shown = PermissionsViewModel(preferences, whole)
        permissions = RulePermissions(desk.rules, REGISTRY, profile, ledger, clock, data, whole)
        # Of a workspace nothing else is looked at.
        nothing = cast("Any", None)
        space = Workspace(nothing, nothing, nothing, nothing, nothing, permissions=permissions)
        shown.show_workspace(space)
        section = ToolsSection(theme, preferences, shown)
        qtbot.addWidget(section)
        section.begin()
        await emitted(shown.changed)
        try:
            yield Page(desk, shown, preferences, section)
        finally:
            await shown.aclose()
            await ledger.close()
            await store.close()


async def test_a_rule_is_shown_with_its_use_tried_revoked_and_put_back(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with page(tmp_path, theme, qtbot) as shown:
        assert "Every call needs your approval" in shown.words
        granted = reading_in(shown.bench.folder, "private")
        await shown.bench.add(granted)
        await shown.bench.rules.use(granted.rule_id)
        assert "List folder, Read file, Search files" in shown.words
        assert "~/notes" in shown.words
        assert "every chat · except private · used" in shown.words
        assert "restricts access to: files, network, processes" in shown.words

        shown.press("Try on past calls")
        await emitted(shown.permissions.changed)
        assert "read_file a.md" in shown.words
        shown.press("Revoke")
        await emitted(shown.permissions.changed)
        assert "read_file a.md" not in shown.words
        assert not shown.bench.rules.rules
        assert [changed_text(subject) for subject in shown.preferences.subjects] == ["Rule revoked"]
        shown.preferences.undo()
        await emitted(shown.permissions.changed)

        (kept,) = shown.bench.rules.rules
        assert (kept.rule_id, kept.use_count) == (granted.rule_id, 1)


@pytest.mark.security(13)
async def test_an_ended_rule_stays_in_sight_with_what_changed(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    async with page(tmp_path, theme, qtbot) as shown:
        granted = rule(
            "read_file", scope=FolderScope(str(shown.bench.folder)), span=RuleLifetime(CHAT)
        )
        (tool,) = granted.tools
        was = replace(tool, digest="another", definition=tool.definition + "\nwas: otherwise")
        await shown.bench.add(replace(granted, tools=(was,)))
        await shown.bench.rules.check_tools()

        assert "ended: the tool has changed" in shown.words
        shown.press("Show change")
        assert "-was: otherwise" in shown.permissions.view.rules[0].change
        shown.press("Remove")
        await emitted(shown.permissions.changed)
        assert not shown.permissions.view.rules
        assert not shown.preferences.can_undo


async def test_limits_are_chosen_and_undone(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    async with page(tmp_path, theme, qtbot) as shown:
        chips = shown.section.findChildren(ChoiceChip)
        minutes = next(c for c in chips if c.accessibleName().startswith("Ask again"))
        calls = next(c for c in chips if c.accessibleName().startswith("Pause"))

        minutes.chosen.emit("5")
        calls.chosen.emit("50")

        tools = shown.preferences.current.tools
        assert (tools.card_minutes, tools.calls_per_reply) == (5, 50)
        assert minutes.accessibleName().endswith("5 minutes")
        shown.preferences.undo()
        assert shown.preferences.current.tools.calls_per_reply == 25
