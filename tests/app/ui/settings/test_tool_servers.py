"""Tool servers in the settings: nothing starts before it was seen, and all of it is said."""

import asyncio
import json
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from pytestqt.qtbot import QtBot

from app.api.events import ToolUse
from app.api.network import Network, ProxySettings, Trust
from app.approvals.policy import Policy, Refusal
from app.approvals.queue import ApprovalQueue, ApprovalRequest
from app.config.key_store import KeyStore
from app.mcp_servers.servers import ToolServers
from app.mcp_servers.sign_ins import SignIns
from app.ui.approval.revealed_text import RevealedText
from app.ui.settings.mcp_servers.group import McpServersGroup
from app.ui.theme import Theme
from app.viewmodels.approval.approval import ApprovalViewModel
from app.viewmodels.mcp_servers.server_list import McpServersViewModel
from app.viewmodels.mcp_servers.server_texts import ServersView
from local_tools.mcp.registry_bridge import McpToolProvider
from local_tools.registry import ToolRegistry
from tests.support.clipping import settle
from tests.support.mcp_server_fixtures import CHAOS, around
from tests.support.plugins import LoopBackend
from tests.support.sign_in_service import Browser, SignInService
from tests.support.signals import emitted
from tests.support.widgets import is_in_view, label_texts, low_on_a_page, press

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since view models are under these tests."""
    return qt_loop


@dataclass
class Stage:
    group: McpServersGroup
    model: McpServersViewModel
    registry: ToolRegistry
    browser: Browser
    keys: KeyStore
    servers: ToolServers

    def button(self, name: str) -> QAbstractButton:
        found: list[QAbstractButton] = self.group.findChildren(QAbstractButton)
        return next(b for b in found if b.accessibleName() == name and not b.isHidden())

    def press(self, name: str) -> None:
        """Presses with the keyboard on it."""
        button = self.button(name)
        button.setFocus()
        button.click()

    @property
    def keyboard(self) -> str:
        """The name of what has the keyboard."""
        return self.group.focusWidget().accessibleName()

    def type_into(self, name: str, text: str) -> None:
        found: list[QLineEdit] = self.group.findChildren(QLineEdit)
        next(field for field in found if field.accessibleName() == name).setText(text)

    def exact_texts(self) -> str:
        found: list[RevealedText] = self.group.findChildren(RevealedText)
        return "\n".join(text.toPlainText() for text in found if text.isVisible())

    async def until(self, holds: Callable[[ServersView], object]) -> None:
        while not holds(self.model.view):
            await emitted(self.model.changed)

    async def add(self, mode: str, name: str = "chaos") -> None:
        self.button("Add server").click()
        self.type_into("Server name", name)
        argv = (sys.executable, "-I", "-S", str(CHAOS), mode)
        self.type_into("Command", shlex.join(argv))
        self.press("Save server")
        await self.until(lambda view: view.rows)


@pytest.fixture
async def stage(tmp_path: Path, theme: Theme, qtbot: QtBot) -> AsyncIterator[Stage]:
    registry = ToolRegistry()
    keys = KeyStore(lambda: None)
    browser = Browser()
    sign_ins = SignIns(keys, Network(ProxySettings, Trust()), browser.open)
    surroundings = replace(around(), client_for=sign_ins.client_for)
    servers = ToolServers(tmp_path / "servers.json", keys, McpToolProvider(registry), surroundings)
    model = McpServersViewModel(servers, sign_ins, tmp_path, {})
    group = McpServersGroup(theme, model)
    qtbot.addWidget(group)
    group.resize(720, 900)
    group.show()
    await servers.load()
    yield Stage(group, model, registry, browser, keys, servers)
    await model.aclose()
    await servers.aclose()


@pytest.mark.security(47)
async def test_on_shows_what_would_be_started_and_starts_nothing_yet(stage: Stage) -> None:
    await stage.add("good")
    assert stage.keyboard == "Details: chaos"
    stage.press("chaos")

    assert stage.keyboard == "chaos"
    settle()
    passed = []
    for _ in range(2):
        press(stage.group.focusWidget(), Qt.Key.Key_Tab)
        passed.append(stage.keyboard)
    # What would be started can be heard before anything about it is chosen.
    assert passed == ["Runs this command", "Choose a folder for chaos"]
    assert not stage.model.view.rows[0].is_on
    assert f"{CHAOS} good" in stage.exact_texts()
    unconfined = (
        "No sandbox works here. The server has all your permissions, whatever you choose below."
    )
    assert unconfined in label_texts(stage.group)
    assert stage.registry.definitions() == ()

    stage.press("Turn on: chaos")
    await stage.until(lambda view: view.rows[0].tools)

    assert stage.keyboard == "chaos"
    assert "1 tool" in stage.model.view.rows[0].words
    assert [d.name for d in stage.registry.definitions()] == ["chaos__echo"]
    assert "Give back what it is given." in stage.exact_texts()
    stage.press("echo")
    await stage.until(lambda view: not view.rows[0].tools[0].is_on)
    assert stage.keyboard == "echo"
    assert stage.registry.definitions() == ()
    stage.button("chaos").click()
    await stage.until(lambda view: not view.rows[0].is_on)
    stage.button("Remove chaos").click()
    await stage.until(lambda view: not view.rows)


@pytest.mark.security(47)
async def test_server_changed_after_it_was_shown_is_not_switched_on(
    stage: Stage, tmp_path: Path
) -> None:
    await stage.add("good")
    stage.button("chaos").click()
    file = tmp_path / "servers.json"
    file.write_text(file.read_text().replace('"good"', '"other"'))
    stage.button("Turn on: chaos").click()
    await stage.until(lambda view: view.rows[0].start_text.endswith(" other"))
    assert not stage.model.view.rows[0].is_on
    assert f"{CHAOS} other" in stage.exact_texts()
    assert f"{CHAOS} good" not in stage.exact_texts()


async def test_a_server_that_fails_says_why(stage: Stage) -> None:
    await stage.add("dies_at_start")
    stage.button("chaos").click()
    stage.button("Turn on: chaos").click()
    await stage.until(lambda view: "stopped" in view.rows[0].words)

    assert "It ended (exit code 7)." in label_texts(stage.group)
    assert "no key was given" in stage.exact_texts()
    before = stage.servers.entries[0].server
    is_other = asyncio.Event()
    stop = stage.servers.subscribe(
        lambda: is_other.set() if stage.servers.entries[0].server is not before else None
    )
    stage.button("Restart chaos").click()
    async with asyncio.timeout(20):
        await is_other.wait()
    stop()
    stage.button("chaos").click()
    await stage.until(lambda view: not view.rows[0].is_on)


async def test_a_person_signs_in_at_a_server_and_out_again(stage: Stage) -> None:
    async with SignInService() as service:
        stage.browser.idles = True
        stage.button("Add server").click()
        stage.button("Server at an address").click()
        stage.type_into("Server name", "far")
        stage.type_into("Server address", service.url)
        stage.button("Save server").click()
        await stage.until(lambda view: view.rows)
        stage.button("far").click()
        stage.button("Turn on: far").click()
        await stage.until(lambda view: view.rows[0].sign_in.kind == "wanted")
        assert "not signed in" in stage.model.view.rows[0].words

        stage.button("Sign in… far").click()
        await stage.until(lambda view: view.rows[0].sign_in.host)
        words = "waiting for you in the browser, at 127.0.0.1"
        assert stage.model.view.rows[0].words.startswith(words)
        stage.button("Cancel far").click()
        await stage.until(lambda view: view.rows[0].sign_in.kind == "wanted")

        stage.browser.idles, service.refused = False, True
        stage.button("Sign in… far").click()
        await stage.until(lambda view: view.rows[0].sign_in.problem)
        assert "The sign-in was refused: access_denied." in label_texts(stage.group)

        service.refused = False
        stage.button("Sign in… far").click()
        await stage.until(lambda view: view.rows[0].tools)
        # There is no keyring here.
        assert stage.model.view.rows[0].words.endswith("signed in until Parley closes")
        stage.button("Sign out of far").click()
        await stage.until(lambda view: view.rows[0].sign_in.kind == "wanted")
        assert stage.registry.definitions() == ()

        stage.button("Sign in… far").click()
        await stage.until(lambda view: view.rows[0].tools)
        assert await stage.keys.load(f"tool-sign-in:{service.url}")
        stage.button("Remove far").click()
        await stage.until(lambda view: not view.rows)
        assert await stage.keys.load(f"tool-sign-in:{service.url}") is None


async def test_save_error_is_shown_at_the_field(stage: Stage) -> None:
    stage.button("Add server").click()
    stage.button("Save server").click()
    assert "A server needs a command or an address." in label_texts(stage.group)
    stage.button("Server at an address").click()
    stage.type_into("Server name", "far")
    stage.type_into("Server address", "http://tools.example.com/")
    stage.button("Save server").click()
    said = "The address must begin with https://, except on this computer."
    assert said in label_texts(stage.group)


async def test_servers_of_another_program_are_shown_and_taken_over_switched_off(
    stage: Stage, tmp_path: Path
) -> None:
    entry = {"command": "npx", "args": ["--all", "two words"]}
    (tmp_path / ".claude.json").write_text(json.dumps({"mcpServers": {"theirs": entry}}))
    with low_on_a_page(stage.group, above_px=750) as scroll:
        scrolled = emitted(scroll.verticalScrollBar().valueChanged)
        stage.button("Import from another program").click()
        await stage.until(lambda view: view.found)
        await scrolled
        assert is_in_view(scroll, stage.button("Import theirs"))
        assert "npx --all 'two words'" in stage.exact_texts()

    stage.button("Import theirs").click()
    await stage.until(lambda view: view.rows)
    assert stage.model.view.rows[0].hint.startswith("npx downloads the server each")
    assert (stage.model.view.rows[0].name, stage.model.view.rows[0].is_on) == ("theirs", False)


@pytest.mark.security(15)
async def test_the_card_says_whose_tool_it_is_and_what_is_known_of_it(stage: Stage) -> None:
    await stage.add("good")
    stage.button("chaos").click()
    stage.button("Turn on: chaos").click()
    await stage.until(lambda view: view.rows[0].tools)
    (definition,) = stage.registry.definitions()
    declared = {definition.name: definition.digest}
    call = ToolUse("call-1", definition.name, {"text": "hello"})
    request = await Policy(stage.registry).judge("c1", call, declared, None)
    assert isinstance(request, ApprovalRequest)

    queue = ApprovalQueue()
    cards = ApprovalViewModel(queue)
    cards.show("c1")
    asking = asyncio.create_task(queue.ask(request))
    await emitted(cards.cards_changed)
    (card,) = cards.cards
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await cards.aclose()

    facts = dict(card.facts)
    assert card.source_words == "from the tool server chaos"
    assert facts["Server"] == "chaos"
    assert facts["“text”"] == "hello"
    assert facts["Access"] == "no sandbox; it has all your permissions"
    assert card.rules == ()
    refused = await Policy(stage.registry).judge(
        "c1", ToolUse("call-2", definition.name, {"text": 7}), declared, None
    )
    assert isinstance(refused, Refusal)
    stage.button("chaos").click()
    await stage.until(lambda view: not view.rows[0].is_on)
