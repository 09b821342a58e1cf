"""At every scale, in the smallest window, in both languages: all words can be read."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from app.chat.conversation_rows import ConversationRow
from app.common.error_messages import ErrorMessage
from app.common.languages import LanguageChoice
from app.composition import Composition
from app.config.settings import (
    AppearanceSettings,
    LanguageSettings,
    Project,
    ProjectSettings,
    Settings,
    SettingsFile,
)
from app.paths import paths_under
from app.ui.approval.call_answers import CardAnswers
from app.ui.approval.dock import ApprovalDock
from app.ui.chat_page import ChatPage
from app.ui.composer.composer import Composer
from app.ui.link_dialog import LinkDialog
from app.ui.main_window import MainWindow
from app.ui.palette.palette import Palette
from app.ui.panel.right_panel import TABS, RightPanel
from app.ui.settings.first_run import FirstRun
from app.ui.settings.projects import ProjectCard
from app.ui.settings.section import SettingsSection
from app.ui.settings.settings_page import SettingsPage
from app.ui.sidebar.delete_bar import DeleteBar
from app.ui.sidebar.sidebar import Sidebar
from app.ui.transcript.view import TranscriptView
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.chat.chat import ChatViewState
from app.viewmodels.chat.model_choice import ModelOption
from app.viewmodels.settings.models import ModelRow
from app.viewmodels.settings.settings import FirstRunView
from app.viewmodels.states import BannerView, Dot
from app.viewmodels.tools.chat_tools import OfferedTool
from tests.support.cards import PAUSE, RULE, RULE_CARD, long_card
from tests.support.clipping import clipped
from tests.support.widgets import child
from tests.support.window import built_program
from tests.support.words import PseudoLanguage

_SMALLEST = (720, 480)
_CHAT = ChatViewState(
    is_open=True,
    title="A chat whose title goes on for longer than there is room in any window",
    is_busy=False,
    is_asking=False,
    can_send=True,
    placeholder="Write a reply",
    agent=AgentRow("writer", "Writer of long and careful letters", "Writes"),
    model=ModelOption(None, "A model with a long name", "The default"),
    folder="~/projects/a folder with a name/and another one",
    tools=tuple(OfferedTool(f"tool-{n}", "A tool", "It does something") for n in range(12)),
)
_FOUND = FirstRunView(
    tuple(
        ModelRow(f"llama-{n}", "Llama with a long name 3.1 70B instruct", "LM Studio", fits=n > 2)
        for n in range(6)
    ),
    model_error="This file cannot be used.",
    provider_error="The provider lists no models for this key.",
    provider="openai",
    listed=(ModelRow("openai:gpt", "A model of a provider, with a long name"),),
    address_error="This is no address.",
    key_error="The service does not know this key.",
)
_TROUBLE = BannerView(
    Dot.BAD, ErrorMessage("The service does not answer, and will be asked again.", is_in_log=True)
)
_HOSTED = Project(id="p1", name="The project at work", base_url="https://service.example.com")


def _bring(part: QWidget) -> None:
    """Show the pages that a part stands on."""
    above = part.parentWidget()
    while above:
        if isinstance(above, QStackedWidget):
            above.setCurrentWidget(part)
        part, above = above, above.parentWidget()


def _chats(window: MainWindow) -> Iterator[str]:
    composer, dock = child(window, Composer), child(window, ApprovalDock)
    _bring(child(window, ChatPage))
    child(window, ChatPage).header.show_title(_CHAT.title)
    child(window, ChatPage).header.show_open("a chat")
    composer.set_text("Something that was written")
    composer.show_state(_CHAT)
    yield "a chat"
    composer.show_state(replace(_CHAT, is_busy=True, is_asking=True))
    yield "a reply"
    composer.ask_to_decline()
    yield "a question of the composer"
    composer.accepted()
    composer.show_state(_CHAT)
    for card in (replace(RULE_CARD, total=3), long_card(60)):
        dock.show_cards([card])
        yield f"a card: {card.request_id}"
    for page in _typed_pages(dock):
        yield f"a card: {type(page).__name__}"
    dock.show_rule(RULE)
    yield "a rule"
    dock.show_rule(None)
    dock.show_cards([])
    dock.show_pause(PAUSE)
    yield "a pause"
    dock.show_pause(None)
    for action in ("retry", "settings"):
        child(window, ChatPage).banner.show_banner(replace(_TROUBLE, action=action))
        yield f"a banner: {action}"
    child(window, ChatPage).banner.show_banner(None)


def _typed_pages(dock: ApprovalDock) -> Iterator[QWidget]:
    """Yield the pages of the answers on which something is typed, one after the other on screen."""
    layout = child(dock, CardAnswers).layout()
    assert layout is not None
    items = (layout.itemAt(n) for n in range(layout.count()))
    pages = [page for item in items if item and (page := item.widget())]
    for page in pages[1:]:
        for other in pages:
            other.setVisible(other is page)
        yield page


def _sidebars(window: MainWindow) -> Iterator[str]:
    sidebar, toggle = child(window, Sidebar), window.commands["toggle-sidebar"].action
    if sidebar.isHidden():
        toggle.trigger()
    yield "the sidebar"
    child(sidebar, DeleteBar).ask([ConversationRow("c1", "Plans for the garden", 2, None)])
    yield "a deletion"
    child(sidebar, DeleteBar).hide()
    toggle.trigger()


def _each_side(window: MainWindow) -> Iterator[str]:
    """Yield what a person opens at a side of a small window leaves the chat readable."""
    for side in ("toggle-sidebar", *(f"show-{tab}" for tab in TABS)):
        window.commands[side].action.trigger()
        for name in _chats(window):
            yield f"{side}: {name}"
    child(window, RightPanel).wanted.emit(False)


def _first_runs(window: MainWindow) -> Iterator[str]:
    page = child(window, FirstRun)
    _bring(page)
    for view in (FirstRunView(is_looking=True), _FOUND, FirstRunView()):
        page.show_state(view)
        yield f"the first run: {len(view.found)} found"
    _bring(child(window, ChatPage))


def _settings(window: MainWindow) -> Iterator[str]:
    page = child(window, SettingsPage)
    _bring(page)
    page.show_changes(["appearance.text_family", "network.proxy_address"])
    for section in page.findChildren(SettingsSection):
        page.show_section(section)
        yield f"settings: {section.title}"
        for card in section.findChildren(ProjectCard):
            for button in card.findChildren(QPushButton):
                if button.isVisible() and button.text().endswith("…"):
                    button.click()
                    yield f"settings: {button.accessibleName()}"
    _bring(child(window, ChatPage))


def _link_dialogs(window: MainWindow) -> list[LinkDialog]:
    """Return the dialog of the chat, which is there once a link was opened."""
    return child(window, ChatPage).findChildren(LinkDialog)


def _overlays(window: MainWindow) -> Iterator[str]:
    palette = child(window, Palette)
    palette.open()
    yield "the palette"
    palette.shut()
    address = "https://someone@xn--80ak6aa92e.example/a/long/path?and=more"
    child(window, TranscriptView).link_activated.emit(address, "https://apple.com")
    yield "a link"
    _link_dialogs(window)[0].reject()


_States = Callable[[MainWindow], Iterator[str]]


def _unreadable(program: Composition, *all_states: _States) -> list[str]:
    window = program.window
    found = []
    for states in all_states:
        for name in states(window):
            asked = (dialog for dialog in _link_dialogs(window) if dialog.isVisible())
            shown = next(asked, window)
            found += [f"{name}: {fault}" for fault in clipped(shown)]
    assert window.size().toTuple() == _SMALLEST
    return found


_ALL: Final = (_chats, _sidebars, _first_runs, _settings, _overlays)
# Beside a side, larger letters leave too little of a small window for anything.
_WITH_SIDES: Final = (100,)


async def _look(
    folder: Path, language: LanguageChoice, scales: tuple[int, ...], sides_at: tuple[int, ...]
) -> list[str]:
    """Return what cannot be read of the pages at some scales, and of each side at others."""
    paths = paths_under(folder)
    paths.make()
    SettingsFile(paths.settings_file).save(
        Settings(
            language=LanguageSettings(choice=language), projects=ProjectSettings(hosted=(_HOSTED,))
        )
    )
    found = []
    async with built_program(folder) as program:
        program.window.resize(*_SMALLEST)
        program.window.show()
        # Both are made when they are opened first.
        program.connection.setup_needed.emit()
        program.window.commands["settings"].action.trigger()
        _bring(child(program.window, ChatPage))
        for scale in dict.fromkeys((*sides_at, *scales)):
            program.theme.wear(AppearanceSettings(theme="light", scale_percent=scale))
            states = _ALL if scale in scales else ()
            sides = (_each_side,) if scale in sides_at else ()
            found += [f"{scale} %: {fault}" for fault in _unreadable(program, *states, *sides)]
    return found


@pytest.mark.anyio
async def test_longest_labels_are_not_clipped_at_the_largest_scale(tmp_path: Path) -> None:
    found = await _look(tmp_path, "de", (200,), _WITH_SIDES)
    assert not found, "\n".join(found)


@pytest.mark.anyio
async def test_words_half_as_long_again_can_be_read(tmp_path: Path) -> None:
    pseudo = PseudoLanguage()
    QCoreApplication.installTranslator(pseudo)
    try:
        found = await _look(tmp_path, "en", (150,), _WITH_SIDES)
        spoken = QCoreApplication.translate("WindowContents", "Open in a new window")
    finally:
        QCoreApplication.removeTranslator(pseudo)
    assert spoken == "Openop ini a newn windowwin"
    assert not found, "\n".join(found)


@pytest.mark.anyio
@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
async def test_all_words_can_be_read_at_every_scale(
    language: LanguageChoice, tmp_path: Path
) -> None:
    found = await _look(tmp_path, language, (80, 100, 125, 150, 200), (80, *_WITH_SIDES))
    assert not found, "\n".join(found)


@pytest.mark.long
def test_labels_are_not_clipped_at_a_device_pixel_ratio_of_two() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--long", __file__, "-k", "at_every_scale"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "QT_SCALE_FACTOR": "2"},
    )

    assert done.returncode == 0, done.stdout
