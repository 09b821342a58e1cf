"""Searching in the running program: from the sidebar and from the palette to the message."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chat.items import ReplyPart
from app.paths import Paths, paths_under
from app.store.archive import ArchivedChat
from app.store.records import StoredConversation, StoredMessage
from app.store.search import TextHit
from app.store.store import Store
from app.ui.palette.palette import Palette, PaletteInput
from app.ui.sidebar.search_pane import SearchField
from app.ui.transcript.pane import FindBar
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.menus import key_text
from tests.support.fake_service import FakeService
from tests.support.widgets import child, enter_text, label_texts, press
from tests.support.window import Person, hosted_program

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


async def _import_a_chat(paths: Paths) -> None:
    messages = tuple(
        StoredMessage(f"m{number}", "user", f"Message {number}" + " and more" * 40, NOW)
        for number in range(120)
    )
    store = Store(paths.store_file)
    await store.open()
    chat = ArchivedChat(StoredConversation("old", "Old", 120, NOW), messages, replies=())
    await store.archive.add([chat])
    await store.close()


async def test_search_shows_the_keys_that_lead_to_it(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        keys = person.window.commands["search-chats"].action.shortcut()

        field = child(person.window, SearchField)

        assert key_text(keys) in label_texts(field)


async def test_search_hit_opens_its_chat_at_the_message(tmp_path: Path) -> None:
    paths = paths_under(tmp_path)
    paths.make()
    await _import_a_chat(paths)
    async with FakeService() as service:
        service.agents = [{"name": "writer", "display_name": "Writer", "description": "Writes."}]
        async with hosted_program(tmp_path, service) as person:
            agents, loaded = person.program.catalog.agents, person.program.catalog.loaded
            await person.sees(lambda: agents.rowCount() > 1, "the agents", loaded)
            person.window.activateWindow()
            for question in ("Where do the flamingos sleep?", "And flamingos that sleep in a zoo?"):
                service.says("Flamingos sleep on one leg.")
                await person.asks(question)
            chat = person.program.chat.conversation_id

            await _opens_an_earlier_message_from_the_sidebar(person, chat)
            await _opens_a_chat_from_the_palette(person, chat)
            _does_what_the_palette_offers(person)
            await _opens_an_imported_message(person)


async def _opens_an_earlier_message_from_the_sidebar(person: Person, chat: str) -> None:
    window, program, search = person.window, person.program, person.program.search
    view, bar = child(window, TranscriptView), child(window, FindBar)
    window.commands["new-chat"].action.trigger()

    window.commands["search-chats"].action.trigger()
    field = child(window, SearchField)
    assert field.hasFocus()
    enter_text(field, "sleep flamin")
    await person.sees(
        lambda: search.results.count > 2, "the search has hits", search.results_changed
    )
    texts = search.results.found.texts
    first = next(hit for hit in texts if hit.role == "user" and "Where do" in hit.excerpt.text)
    search.choose(first)

    assert program.chat.conversation_id == chat
    assert person.box.hasFocus()
    await person.sees(bar.isVisible, "the words are marked", view.finding.changed)
    assert bar.words == "sleep flamin"
    assert view.finding.is_current(0, 0)

    # The words go with the chat that they were searched in.
    window.commands["new-chat"].action.trigger()
    assert bar.isHidden()
    program.chat.open(chat)
    assert bar.isHidden()
    press(field, Qt.Key.Key_Down)
    press(field, Qt.Key.Key_Return)
    assert program.chat.conversation_id == chat
    await person.sees(bar.isVisible, "the words again", view.finding.changed)


async def _opens_a_chat_from_the_palette(person: Person, chat: str) -> None:
    window, program = person.window, person.program
    window.commands["new-chat"].action.trigger()
    QTest.keyClick(person.box, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    enter_text(child(window, PaletteInput), "flamin sleep")
    found = program.palette_search
    await person.sees(lambda: found.results.count > 0, "the search has hits", found.results_changed)
    press(child(window, PaletteInput), Qt.Key.Key_Return)

    assert program.chat.conversation_id == chat
    assert not child(window, Palette).isVisible()


def _does_what_the_palette_offers(person: Person) -> None:
    window, box = person.window, person.box
    window.commands["palette"].action.trigger()
    enter_text(child(window, PaletteInput), "settings")
    press(child(window, PaletteInput), Qt.Key.Key_Return)
    assert not box.isVisible()

    agent = person.program.catalog.agents.rows[1]
    window.commands["palette"].action.trigger()
    enter_text(child(window, PaletteInput), agent.display_name)
    press(child(window, PaletteInput), Qt.Key.Key_Return)

    assert box.isVisible()
    assert person.program.chat.state.agent == agent


async def _opens_an_imported_message(person: Person) -> None:
    program, search = person.program, person.program.search
    transcript, view = program.chat.transcript, child(person.window, TranscriptView)
    field = child(person.window, SearchField)
    field.clear()
    enter_text(field, "message 7 ")
    await person.sees(
        lambda: _hit_of(person, "m7") is not None,
        "the search has a hit in the message",
        search.results_changed,
    )
    hit = _hit_of(person, "m7")
    assert hit
    search.choose(hit)
    await person.sees(lambda: len(transcript.rows) == 120, "the imported chat")

    assert program.chat.conversation_id == "old"
    assert not view.follows_end
    assert view.verticalScrollBar().value() < view.verticalScrollBar().maximum() // 4
    assert view.finding.is_current(7, 0)
    assert child(person.window, FindBar).words == "message 7"


async def test_words_behind_a_call_of_a_reply_are_found_at_their_place(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        search = person.program.search
        # No folder is chosen: the call does not run, and the reply goes on behind it.
        service.asks_tool("read_file", {"path": "notes.md"}, after=["I read it."])
        service.says("Choose a folder, and request it again: I try then.")
        await person.asks("read notes.md")
        enter_text(child(person.window, SearchField), "request try again")
        await person.sees(
            lambda: search.results.count > 0, "the search has hits", search.results_changed
        )

        search.choose(search.results.found.texts[0])

        rows = person.program.chat.transcript.rows
        said = [n for n, item in enumerate(rows) if isinstance(item, ReplyPart)]
        assert len(said) == 2, "a part before the call and one behind it"
        assert child(person.window, TranscriptView).finding.is_current(said[1], 0)
        assert child(person.window, FindBar).isVisible()


def _hit_of(person: Person, message_id: str) -> TextHit | None:
    hits = person.program.search.results.found.texts
    return next((hit for hit in hits if hit.message_id == message_id), None)
