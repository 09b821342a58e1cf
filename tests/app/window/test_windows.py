"""Several windows of one program: each with its own chat, and its own card."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget

from app.common.error_messages import ErrorMessage
from app.config.settings import AppearanceSettings
from app.self_test.ui_driver import click, find, type_into
from app.ui.approval.dock import ApprovalDock
from app.ui.main_window import MainWindow
from app.ui.settings.appearance import AppearanceSection
from app.ui.settings.settings_page import SettingsPage
from app.ui.sidebar.conversation_list import ConversationList
from app.ui.transcript.view import TranscriptView
from app.viewmodels.states import BannerView, Dot
from tests.support.chat_fixtures import START, STOP
from tests.support.fake_service import FakeService, sse
from tests.support.widgets import button_named, child, label_texts, press
from tests.support.window import Person, has_chosen_hosted, running_program

pytestmark = pytest.mark.anyio


async def _is_ready(person: Person) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service answers")


def _other(person: Person) -> MainWindow:
    [other] = [window for window in person.program.windows.all if window is not person.window]
    return other


def _do(window: MainWindow, command: str) -> None:
    window.commands[command].action.trigger()


class _Opened(QObject):
    """Keeps the kinds of widgets that were shown as windows of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look only."""
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.kinds.append(type(watched).__name__)
        return False


async def test_no_window_but_the_programs_comes_and_goes(
    qapp: QApplication, tmp_path: Path
) -> None:
    opened = _Opened()
    qapp.installEventFilter(opened)
    try:
        async with FakeService() as service:
            keyring = has_chosen_hosted(tmp_path, service)
            async with running_program(tmp_path, keyring) as person:
                await _is_ready(person)
                _do(person.window, "new-window")
                _do(person.window, "settings")
    finally:
        qapp.removeEventFilter(opened)
    assert opened.kinds == ["MainWindow", "MainWindow"]


async def test_open_chat_opens_in_another_window_and_the_first_stays_as_it_was(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", "Then\n\n" * 200))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            chat = person.program.chat
            chat.open("one")
            await person.sees(
                lambda: len(chat.transcript.rows) == 2, "the chat shows its two messages"
            )
            person.write("a thought")
            view = child(person.window, TranscriptView)
            view.keyboard.go_to_message(1)
            view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
            view.clipboard.select_all(1)
            before = view.verticalScrollBar().value(), view._selection.cursor
            assert before[0]
            assert before[1]

            _do(person.window, "open-in-new-window")
            other = _other(person)
            there = find(other, QPlainTextEdit, "Message")
            await person.sees(
                lambda: person.program.windows.shown_chats == ["one", "one"],
                "both windows show the chat",
            )

            assert other.isVisible()
            assert (view.verticalScrollBar().value(), view._selection.cursor) == before
            assert person.box.toPlainText() == "a thought"
            assert there.toPlainText() == ""
            # From there it comes forward, and no third one opens.
            person.program.windows.open_window("one")
            assert len(person.program.windows.all) == 2


async def test_card_is_answered_in_either_of_the_windows_of_its_chat(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one")
        service.sends(START, sse("tool_use", id="t1", name="current_time", input={}), STOP)
        service.says("Noon")
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            person.program.chat.open("one")
            _do(person.window, "open-in-new-window")
            person.say("What time is it?")
            await person.sees(lambda: bool(person.program.approval.cards), "a card")
            docks = [child(window, ApprovalDock) for window in person.program.windows.all]
            shown = [dock.isVisible() for dock in docks]

            [card] = person.program.approval.cards
            docks[1].allowed.emit(card.request_id, card.generation)
            docks[0].denied.emit(card.request_id, card.generation, "too late")
            await person.sees(lambda: person.reply == "Noon", "the reply “Noon” is shown")

            assert shown == [True, True]
            assert [dock.isVisible() for dock in docks] == [False, False]


async def test_chat_that_another_window_shows_is_not_opened_twice(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", "Then"))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            person.program.windows.open_window("one")

            person.program.chat.open("one")

            assert person.program.chat.conversation_id == ""
            assert person.program.windows.shown_chats == ["", "one"]


async def test_card_of_one_chat_is_never_in_the_window_of_another(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one")
        service.holds("two")
        service.sends(START, sse("tool_use", id="t1", name="current_time", input={}), STOP)
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            person.program.chat.open("one")
            person.program.windows.open_window("two")
            person.say("What time is it?")
            await person.sees(lambda: bool(person.program.approval.cards), "a card")

            [here] = person.window.findChildren(ApprovalDock)
            [there] = _other(person).findChildren(ApprovalDock)
            assert here.isVisible()
            assert not there.isVisible()


async def test_chat_deleted_in_another_window_leaves_what_was_typed_for_a_new_one(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", "Then"))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            chat = person.program.chat
            chat.open("one")
            person.program.windows.open_window()
            await person.sees(
                lambda: len(chat.transcript.rows) == 2, "the chat shows its two messages"
            )
            person.write("a thought")
            chats = child(_other(person), ConversationList)
            for key in (Qt.Key.Key_Home, Qt.Key.Key_Delete):
                press(chats, key)

            click(find(_other(person), QPushButton, "Delete permanently"))
            await person.sees(lambda: chat.conversation_id == "", "a new chat", chat.opened)

            words = "This chat was deleted in another window."
            assert words in label_texts(person.window)
            await person.sees(
                lambda: person.box.toPlainText() == "a thought", "the composer holds “a thought”"
            )
            assert chat.state.can_send


async def test_windows_live_on_without_the_first_and_the_program_ends_with_the_last(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", "Then"))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            program, ended = person.program, list[bool]()
            program.windows.closed.connect(lambda: ended.append(True))
            program.chat.open("one")
            program.windows.show_banner(BannerView(Dot.WARN, ErrorMessage("Mind the gap.")))

            light = person.window.styleSheet()
            program.preferences.change(AppearanceSettings(theme="dark"))

            _do(person.window, "new-window")
            other = _other(person)
            assert light != person.window.styleSheet() == other.styleSheet() != ""
            assert "Mind the gap." in label_texts(other)
            _do(other, "settings")
            page = child(other, SettingsPage)
            page.show_section(child(page, AppearanceSection))
            assert not button_named(other, "Undo: theme").isHidden()
            await person.sees(
                lambda: len(program.chat.transcript.rows) == 2, "the chat shows its two messages"
            )
            person.window.close()
            program.setup.projects.switch("local")
            restart = other.commands["restart-service"].action
            await person.sees(restart.isEnabled, "the service on this computer")
            await _is_ready(person)
            await person.sees(
                lambda: not child(other, ConversationList).model().rowCount(),
                "its chats in the window that is left",
            )
            assert program.chat.conversation_id == ""
            assert "Mind the gap." not in label_texts(other)
            after_one = list(ended)
            other.close()
            assert (after_one, ended) == ([], [True])


async def test_windows_that_were_open_at_the_end_are_open_again(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", "Then"))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            person.program.windows.open_window("one")
            _do(person.window, "quit")
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)

            assert person.program.windows.shown_chats == ["", "one"]


async def test_draft_of_a_closed_window_is_kept(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", "Then"))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            person.program.windows.open_window("one")
            other = _other(person)
            type_into(find(other, QPlainTextEdit, "Message"), "a thought")
            other.close()

            person.program.chat.open("one")
            await person.sees(
                lambda: person.box.toPlainText() == "a thought", "the composer holds “a thought”"
            )
