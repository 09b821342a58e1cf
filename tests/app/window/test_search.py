"""Searching in the running program: from the sidebar and from the palette to the message."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.store.archive import ArchivedChat
from app.store.rows import KeptConversation, KeptMessage
from app.store.store import Store
from app.ui.palette.key_line import KeyLine
from app.ui.palette.palette import Palette
from app.ui.sidebar.search_field import SearchField
from app.ui.transcript.view import TranscriptView
from app.viewmodels.states import Dot
from tests.support.widgets import child, enter_text, press
from tests.support.window import Person, has_chosen_offline, running_program

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


async def _is_ready(person: Person) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")


async def test_what_was_said_is_found_and_opened_from_sidebar_and_palette(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        await _is_ready(person)
        window, program = person.window, person.program
        window.activateWindow()
        await person.asks("Where do the flamingos sleep?")
        chat = program.chat.conversation_id
        window.commands["new-chat"].action.trigger()

        window.commands["search-chats"].action.trigger()
        field = child(window, SearchField)
        assert field.hasFocus()
        enter_text(field, "flamin")
        search = program.search
        await person.sees(lambda: search.results.count > 1, "the hits", search.results_changed)
        press(field, Qt.Key.Key_Return)
        assert program.chat.conversation_id == chat
        assert person.box.hasFocus()

        window.commands["new-chat"].action.trigger()
        QTest.keyClick(person.box, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        enter_text(child(window, KeyLine), "flamin sleep")
        found = program.palette_search
        await person.sees(lambda: found.results.count > 0, "the hits", found.results_changed)
        press(child(window, KeyLine), Qt.Key.Key_Return)
        assert program.chat.conversation_id == chat
        assert not child(window, Palette).isVisible()


async def test_palette_does_what_it_offers_and_opens_no_settings_over_a_chat(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        await _is_ready(person)
        window = person.window
        window.activateWindow()
        agents, loaded = person.program.catalog.agents, person.program.catalog.loaded
        await person.sees(lambda: agents.rowCount() > 1, "the agents", loaded)
        box = person.box

        window.commands["palette"].action.trigger()
        enter_text(child(window, KeyLine), "settings")
        press(child(window, KeyLine), Qt.Key.Key_Return)
        assert not box.isVisible()

        agent = agents.rows[1]
        window.commands["palette"].action.trigger()
        enter_text(child(window, KeyLine), agent.display_name)
        press(child(window, KeyLine), Qt.Key.Key_Return)

        assert box.isVisible()
        assert person.program.chat.state.agent == agent


async def test_hit_in_an_imported_chat_brings_its_message_into_view(tmp_path: Path) -> None:
    paths = has_chosen_offline(tmp_path)
    messages = tuple(
        KeptMessage(f"m{number}", "user", f"Message {number}" + " and more" * 40, NOW)
        for number in range(120)
    )
    store = Store(paths.store_file)
    await store.open()
    chat = ArchivedChat(KeptConversation("old", "Old", 120, NOW), messages, replies=())
    await store.archive.add([chat])
    await store.close()
    async with running_program(tmp_path) as person:
        await _is_ready(person)
        program = person.program
        search, transcript = program.search, program.chat.transcript
        view = child(person.window, TranscriptView)

        enter_text(child(person.window, SearchField), "message 7 ")
        await person.sees(lambda: search.results.count > 0, "the hits", search.results_changed)
        hit = next(hit for hit in search.results.found.texts if hit.message_id == "m7")
        search.choose(hit)
        await person.sees(lambda: len(transcript.rows) == 120, "the imported chat")

        assert program.chat.conversation_id == "old"
        assert not view.follows_end
        assert view.verticalScrollBar().value() < view.verticalScrollBar().maximum() // 4
