"""The language changes while the program runs, and everything stays where it was."""

import gc
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMenu, QPlainTextEdit

from app.chat.items import Action, ReplyPart
from app.config.settings import LanguageSettings
from app.self_test.ui_driver import click, find, type_into
from app.ui.approval.dock import ApprovalDock
from app.ui.composer.composer_note import ComposerNote
from app.ui.settings.appearance import LanguageSection
from app.ui.settings.settings_page import SettingsPage
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.chips import ChoiceChip
from app.viewmodels.chat.chat import ChatViewModel
from app.viewmodels.settings.agent_editing import AgentEditorViewModel
from app.viewmodels.states import Dot
from tests.support.announcements import announced, reader_listening
from tests.support.chat_fixtures import START, STOP
from tests.support.fake_service import FakeService, delta, sse
from tests.support.widgets import child
from tests.support.window import Person, has_chosen_hosted, running_program
from tests.support.words import foreign_phrases, left_over, native_phrases

pytestmark = pytest.mark.anyio

_LONG = "\n\n".join(f"Line {number}" for number in range(200))


async def _is_ready(person: Person) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service answers")


async def _is_back(person: Person) -> None:
    chat = person.program.chat
    await person.sees(lambda: chat.state.can_send, "it is back", chat.state_changed)


def _throw_away() -> None:
    """Delete what waits for the next turn of the loop to be deleted."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


async def _choose(person: Person, chip: str, language: str) -> None:
    """Choose a language in the settings, which are open, as a person does."""
    button = child(child(person.window, LanguageSection), ChoiceChip)
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    click(button)
    menus = {menu.accessibleName(): menu for menu in person.window.findChildren(QMenu)}
    [action] = [each for each in menus[chip].actions() if each.text() == language]
    action.trigger()
    _throw_away()
    chat = person.program.chat
    await person.sees(lambda: chat.state.is_open, "the chat is back", chat.opened)


async def test_language_changes_at_once_and_every_thing_stays_where_it_was(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", _LONG))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            person.program.chat.open("one")
            chat = person.program.chat
            await person.sees(
                lambda: len(chat.transcript.rows) == 2, "the chat shows its two messages"
            )
            person.write("a thought")
            bar = child(person.window, TranscriptView).verticalScrollBar()
            view = child(person.window, TranscriptView)
            await person.sees(lambda: view.is_settled, "the whole reply")
            bar.setValue(bar.maximum() // 2)
            place, size = bar.value(), person.window.size()
            person.window.commands["settings"].action.trigger()
            click(find(person.window, QAbstractButton, "Language"))

            with reader_listening():
                await _choose(person, "Language", "Deutsch")
                await person.sees(
                    lambda: "Sprache geändert" in announced(person.window), "it is read out"
                )
            # What is new was told before; said before that, readers would drop it.
            assert announced(person.window).count("Sprache geändert") == 1
            page = child(person.window, SettingsPage)
            left = left_over(person.window, foreign_phrases("de"))
            focus = person.window.focusWidget()
            page.closed.emit()
            box = find(person.window, QPlainTextEdit, "Nachricht")
            await person.sees(
                lambda: box.toPlainText() == "a thought", "the composer holds “a thought”"
            )
            view = child(person.window, TranscriptView)
            await person.sees(lambda: view.is_settled, "the whole reply")
            bar = view.verticalScrollBar()

            assert left == set()
            assert isinstance(page.shown_section, LanguageSection)
            assert isinstance(focus, ChoiceChip)
            assert "Sprache" in focus.accessibleName()
            assert person.program.chat.conversation_id == "one"
            assert abs(bar.value() - place) < bar.pageStep() // 4
            assert person.window.size() == size

            person.window.commands["settings"].action.trigger()
            await _choose(person, "Sprache", "English")
            assert left_over(person.window, native_phrases("de")) == set()


async def test_place_in_a_chat_is_not_that_of_the_next(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        for name in ("one", "two"):
            service.holds(name, ("user", "First"), ("assistant", _LONG))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            chat = person.program.chat
            chat.open("one")
            await person.sees(
                lambda: len(chat.transcript.rows) == 2, "the chat shows its two messages"
            )
            view = child(person.window, TranscriptView)
            await person.sees(lambda: view.is_settled, "the whole reply")
            view.verticalScrollBar().setValue(0)
            person.window.commands["settings"].action.trigger()
            person.program.preferences.change(LanguageSettings(choice="de"))
            _throw_away()
            chat = person.program.chat
            await person.sees(lambda: chat.state.is_open, "the chat is back", chat.opened)

            chat.open("two")
            await person.sees(lambda: len(chat.transcript.rows) == 2, "the other chat")
            child(person.window, SettingsPage).closed.emit()
            view = child(person.window, TranscriptView)
            await person.sees(lambda: view.is_settled, "the whole reply")

            assert view.place is None


async def test_reply_goes_on_and_a_card_still_waits_in_another_language(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one")
        service.holds("two")
        service.sends(START, sse("tool_use", id="t1", name="current_time", input={}), STOP)
        service.sends(START, delta("Half "), delta("and half"), STOP)
        go_on = service.pauses_after(2)
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            person.program.chat.open("one")
            person.say("What time is it?")
            await person.sees(lambda: bool(person.program.approval.cards), "a card")
            person.program.windows.open_window("two")
            [_, other] = person.program.windows.all
            there = person.program.windows.models_of(other).chat
            there.send("Go on")
            changes = there.transcript.rowsInserted, there.transcript.dataChanged
            await person.sees(lambda: "Half" in _reply(there), "a half of it", *changes)

            person.program.preferences.change(LanguageSettings(choice="de"))
            _throw_away()
            await person.sees(
                lambda: bool(person.program.approval.cards), "the approval card is shown"
            )
            dock = child(person.window, ApprovalDock)
            words = [button.text() for button in dock.findChildren(QAbstractButton)]
            there = person.program.windows.models_of(other).chat
            go_on.set()
            changes = there.transcript.dataChanged, there.transcript.modelReset
            await person.sees(
                lambda: _reply(there) == "Half and half",
                "the other window shows the whole reply",
                *changes,
            )

            assert "Einmal erlauben" in words
            assert dock.isVisible()
            service.says("Noon")
            [card] = person.program.approval.cards
            dock.allowed.emit(card.request_id, card.generation)
            await person.sees(lambda: person.reply == "Noon", "the reply “Noon” is shown")


async def test_choices_for_a_new_chat_stay_after_a_change_of_language(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path / "data", service)
        async with running_program(tmp_path / "data", keyring) as person:
            await _is_ready(person)
            chat = person.program.chat
            chat.chosen.choose_folder(folder)
            chat.chosen.choose_instructions("Be short.")
            person.write("A first message")

            person.program.preferences.change(LanguageSettings(choice="de"))
            _throw_away()
            chat = person.program.chat
            box = find(person.window, QPlainTextEdit, "Nachricht")
            await person.sees(
                lambda: box.toPlainText() == "A first message",
                "the composer holds “A first message”",
            )

            assert (chat.nearest_folder, chat.state.instructions) == (folder, "Be short.")
            type_into(box, "!")
            person.program.preferences.undo()
            _throw_away()
            await person.sees(
                lambda: person.box.toPlainText().endswith("!"),
                "the composer ends with what was typed",
            )


async def test_language_that_changes_again_at_once_loses_nothing(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.holds("one", ("user", "First"), ("assistant", "A reply"))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            first = person.program.chat
            first.chosen.choose_instructions("Be short.")
            person.program.windows.open_window("one")
            [_, other] = person.program.windows.all
            there = person.program.windows.models_of(other).chat
            await person.sees(
                lambda: len(there.transcript.rows) == 2,
                "the chat shows its two messages",
                there.opened,
            )

            german, english = LanguageSettings(choice="de"), LanguageSettings(choice="en")
            for language in (german, english, german):
                person.program.preferences.change(language)
            _throw_away()
            first = person.program.chat
            there = person.program.windows.models_of(other).chat
            loaded = list[bool]()
            catalog = person.program.windows.models_of(other).catalog
            catalog.loaded.connect(lambda: loaded.append(True))
            await person.sees(lambda: bool(loaded), "both windows are loaded", catalog.loaded)
            assert first.state.instructions == "Be short."
            assert there.conversation_id == "one"


async def test_what_is_written_and_not_saved_stays_in_another_language(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.forks = {}
        service.holds("one", ("user", "First"), ("assistant", "A reply"))
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            chat = person.program.chat
            chat.open("one")
            await person.sees(lambda: len(chat.transcript.rows) == 2, "the chat")
            chat.act(chat.transcript.rows[0].key, Action.EDIT)
            await person.sees(lambda: chat.revisions.edit is not None, "it is edited")
            edit = chat.revisions.edit
            type_into(person.box, " of all")
            person.window.commands["settings"].action.trigger()
            click(find(person.window, QAbstractButton, "Models"))
            find(person.window, QLineEdit, "Model name").setText("gpt-7")

            person.program.preferences.change(LanguageSettings(choice="de"))
            _throw_away()
            chat = person.program.chat
            await person.sees(lambda: chat.revisions.edit is not None, "it is edited still")

            assert chat.revisions.edit == edit
            assert find(person.window, QLineEdit, "Modellname").text() == "gpt-7"
            child(person.window, SettingsPage).closed.emit()
            box = find(person.window, QPlainTextEdit, "Nachricht")
            await person.sees(lambda: box.toPlainText() == "First of all", "what was typed")
            assert child(person.window, ComposerNote).isVisible()


async def test_language_waits_for_a_summary_that_is_being_written(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.forks = {}
        service.holds("one", ("user", "First"), ("assistant", "A reply"))
        service.says("It was short.")
        go_on = service.pauses_after(1)
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            chat = person.program.chat
            chat.open("one")
            await person.sees(lambda: len(chat.transcript.rows) == 2, "the chat")
            chat.summarise()
            windows, renewed = person.program.windows, list[bool]()
            windows.renewed.connect(lambda: renewed.append(True))

            person.program.preferences.change(LanguageSettings(choice="de"))
            assert renewed == []
            go_on.set()
            await person.sees(lambda: renewed == [True], "the language", windows.renewed)
            _throw_away()

            made = person.program.chat
            await person.sees(lambda: made.conversation_id not in ("", "one"), "the summary")
            assert find(person.window, QPlainTextEdit, "Nachricht").isVisible()


async def test_sections_of_the_settings_end_with_their_window(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with running_program(tmp_path, keyring) as person:
            await _is_ready(person)
            # Other tests' programs may still be in memory.
            before = _count(AgentEditorViewModel)
            for language in ("de", "en"):
                person.window.commands["settings"].action.trigger()
                choice = LanguageSettings.model_validate({"choice": language})
                person.program.preferences.change(choice)
                _throw_away()
                await _is_back(person)
            # Those of the last window may be ending still.
            await person.sees(
                lambda: _count(AgentEditorViewModel) <= before + 1, "only one of them is left"
            )


def _count(kind: type[object]) -> int:
    gc.collect()
    return sum(isinstance(one, kind) for one in gc.get_objects())


def _reply(chat: ChatViewModel) -> str:
    return "".join(row.text for row in chat.transcript.rows if isinstance(row, ReplyPart))
