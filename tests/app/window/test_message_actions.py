"""What stands under a message, in the whole window: edit it, and ask it anew."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.chat.items import Action, ReplyPart, UserMessage
from app.self_test.ui_driver import press_enter
from app.ui.composer.composer_note import ComposerNote
from app.ui.composer.context_ring import ContextRing
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.toggles import CheckBox
from tests.support.chat_fixtures import START, STOP, stored
from tests.support.fake_service import FakeService, delta, sse
from tests.support.widgets import button_named, child, click
from tests.support.window import Person, hosted_program, opened_chat

pytestmark = pytest.mark.anyio

_SAID = (("user", "Hello"), ("assistant", "Good day."))


def _keys(person: Person) -> tuple[str, str]:
    """Return the keys of the last question and the last reply."""
    rows = person.program.chat.transcript.rows
    asked = [row.key for row in rows if isinstance(row, UserMessage)]
    replied = [row.key for row in rows if isinstance(row, ReplyPart)]
    return asked[-1], replied[-1]


async def test_without_forks_the_text_goes_back_into_the_box_with_a_word_about_it(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says("Yes.")
        await person.asks("Is it so?")
        note = child(person.window, ComposerNote)
        for place, action in product((0, 1), (Action.EDIT, Action.ASK_ANEW)):
            await person.chooses(_keys(person)[place], action)
            await person.sees(
                lambda: person.box.toPlainText() == "Is it so?", f"the text for {action} at {place}"
            )
            assert note.isVisible()
            assert note.accessibleName() == "The service still has the first version."
            note.dismissed.emit()
            person.box.clear()
            await person.sees(note.isHidden, "the note is gone")


def _questions(person: Person) -> list[tuple[str, int, int]]:
    """Return what was asked, with the version that begins there and how many do."""
    rows = person.program.chat.transcript.rows
    asked = [row for row in rows if isinstance(row, UserMessage)]
    return [(row.text, row.version, row.version_count) for row in asked]


async def _is_over(person: Person, *questions: tuple[str, int, int]) -> None:
    await person.sees(
        lambda: _questions(person) == list(questions) and not person.program.chat.state.is_busy,
        f"{questions}, answered",
    )


async def test_edited_question_begins_a_version_and_a_click_shows_the_previous_one(
    tmp_path: Path,
) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        chat = person.program.chat
        first_id = chat.conversation_id
        await person.chooses(_keys(person)[1], Action.EDIT)
        await person.sees(lambda: person.box.toPlainText() == "Hello", "the text in the box")
        note = child(person.window, ComposerNote)
        assert note.accessibleName().startswith("Sending starts a new version")
        person.box.setPlainText("Good morning")
        service.says("Good morning to you.")
        press_enter(person.box)
        await _is_over(person, ("Good morning", 2, 2))
        assert chat.conversation_id != first_id
        assert person.box.toPlainText() == ""
        assert not note.isVisible()
        assert person.program.conversations.rowCount() == 1

        told = list[str]()
        chat.revisions.told.connect(told.append)
        await person.chooses(_keys(person)[0], Action.OLDER_VERSION)
        await _is_over(person, ("Hello", 1, 2))
        assert told == ["Version 1 of 2"]
        assert chat.conversation_id == first_id
        assert person.program.conversations.rowCount() == 1
        service.says("Now it is late.")
        await person.asks("And now?")
        assert [words for words, _, _ in _questions(person)] == ["Hello", "And now?"]


async def test_question_is_asked_anew_below_its_reply(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        service.says("Hello, hello.")
        key = _keys(person)[1]
        await person.chooses(key, Action.ASK_ANEW)
        # A double click.
        person.program.chat.act(key, Action.ASK_ANEW)
        await _is_over(person, ("Hello", 2, 2))
        await person.sees(lambda: _questions(person) == [("Hello", 2, 2)], "no third version")


async def test_branch_opens_as_a_chat_of_its_own(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, _):
        first_id = person.program.chat.conversation_id
        await person.chooses(_keys(person)[1], Action.BRANCH)
        await person.sees(
            lambda: person.program.chat.conversation_id != first_id, "another chat is open"
        )
        await _is_over(person, ("Hello", 0, 0))
        await person.sees(
            lambda: person.program.conversations.rowCount() == 2, "the list has two chats"
        )
        assert person.window.focusWidget() is person.box
        note = child(person.window, ComposerNote)
        assert note.accessibleName() == "This is a copy, in a separate chat."
        assert note.isVisible()

        view = child(person.window, TranscriptView)
        view.setFocus(Qt.FocusReason.MouseFocusReason)
        QTest.keyClicks(view, "Jam? Kiwi!")
        assert person.box.toPlainText() == "Jam?Kiwi!"
        assert person.window.focusWidget() is person.box


async def test_closing_the_note_makes_the_next_message_one_like_any_other(tmp_path: Path) -> None:
    async with opened_chat(tmp_path, *_SAID) as (person, service):
        first_id = person.program.chat.conversation_id
        person.write("Hello")
        await person.chooses(_keys(person)[0], Action.EDIT)
        note = child(person.window, ComposerNote)
        await person.sees(note.isVisible, "the note is shown")
        assert person.box.toPlainText() == "Hello\nHello"
        note.dismissed.emit()
        assert person.box.toPlainText() == "Hello"
        service.says("Hello again.")
        press_enter(person.box)
        await _is_over(person, ("Hello", 0, 0), ("Hello", 0, 0))
        assert person.program.chat.conversation_id == first_id


async def _writes(
    person: Person, service: FakeService, folder: Path, path: str, content: str
) -> None:
    """Have a file written in the chat's folder, and allow it."""
    approval, chat = person.program.approval, person.program.chat
    chat.chosen.choose_folder(folder)
    await person.sees(lambda: bool(chat.state.folder), "the chat has a folder")
    service.asks_tool("write_file", {"path": path, "content": content}, call_id=path)
    service.says("Written.")
    person.say(f"Write {path}")
    await person.sees(lambda: bool(approval.cards), "the approval card is shown")
    card = approval.cards[0]
    assert approval.allow(card.request_id, card.generation)
    await person.sees(
        lambda: not chat.state.is_busy and (folder / path).read_text() == content,
        "the file is written",
    )
    said = [(one["role"], one["content"]) for one in service.conversations["c1"]]
    service.holds("c1", *said, ("user", f"Write {path}"), ("assistant", "Written."))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "of the chat"
    folder.mkdir()
    (folder / "notes.txt").write_text("as it was")
    return folder


def _question_with(person: Person, words: str) -> UserMessage:
    rows = person.program.chat.transcript.rows
    return next(r for r in reversed(rows) if isinstance(r, UserMessage) and words in r.text)


async def test_edited_question_puts_back_what_tools_changed(tmp_path: Path, folder: Path) -> None:
    async with opened_chat(tmp_path / "data", *_SAID) as (person, service):
        await _writes(person, service, folder, "notes.txt", "one")
        await _writes(person, service, folder, "new.txt", "new")
        await person.chooses(_question_with(person, "notes.txt").key, Action.EDIT)
        note = child(person.window, ComposerNote)
        await person.sees(note.isVisible, "the note is shown")
        box = child(note, CheckBox)
        assert box.isVisible()
        assert box.text() == "Also undo what tools changed (2 files)"
        assert box.accessibleDescription().count("\n") == 1
        click(box)
        person.box.setPlainText("Hello again")
        service.says("Hello again.")
        press_enter(person.box)
        await person.sees(
            lambda: note.isVisible() and "restored" in note.accessibleName(),
            "the note names the restored files",
        )
        assert note.accessibleName() == "2 files were restored."
        assert not box.isVisible()
        await _is_over(person, ("Hello", 0, 0), ("Hello again", 2, 2))
        assert (folder / "notes.txt").read_text() == "as it was"
        assert not (folder / "new.txt").exists()


async def test_trying_again_asks_first_where_tools_changed_files(
    tmp_path: Path, folder: Path
) -> None:
    async with opened_chat(tmp_path / "data", *_SAID) as (person, service):
        await _writes(person, service, folder, "notes.txt", "one")
        await _writes(person, service, folder, "new.txt", "new")
        (folder / "new.txt").write_text("mine")
        question = _question_with(person, "notes.txt")
        first_id = person.program.chat.conversation_id
        service.asks_tool("write_file", {"path": "notes.txt", "content": "one"})
        await person.chooses(question.key, Action.ASK_ANEW)
        note = child(person.window, ComposerNote)
        await person.sees(note.isVisible, "the note is shown")
        assert person.program.chat.conversation_id == first_id
        box, retry = child(note, CheckBox), button_named(note, "Try again")
        assert box.text() == "Also undo what tools changed (1 file)"
        assert retry.hasFocus()
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Space)
        QTest.keyClick(retry, Qt.Key.Key_Return)
        await person.sees(
            lambda: bool(person.program.approval.cards), "the card of the new version"
        )
        assert note.accessibleName() == (
            f"1 file was restored. {folder / 'new.txt'} has changed since then, so it was left as "
            "it is."
        )
        assert person.program.chat.conversation_id != first_id
        assert (folder / "notes.txt").read_text() == "as it was"
        assert (folder / "new.txt").read_text() == "mine"
        person.program.chat.stop()
        await person.sees(lambda: not person.program.chat.state.is_busy, "the reply has ended")


async def test_another_chat_takes_away_what_was_offered_in_the_one_before(
    tmp_path: Path, folder: Path
) -> None:
    async with opened_chat(tmp_path / "data", *_SAID) as (person, service):
        await _writes(person, service, folder, "notes.txt", "one")
        await person.chooses(_question_with(person, "notes.txt").key, Action.EDIT)
        note = child(person.window, ComposerNote)
        await person.sees(note.isVisible, "the note is shown")
        person.program.chat.open("")
        assert not note.isVisible()
        service.says("Something.")
        await person.asks("Something else")
        assert (folder / "notes.txt").read_text() == "one"


def _summarises_by_keys(person: Person) -> None:
    ring = child(person.window, ContextRing)
    ring.setFocus()
    QTest.keyClick(ring, Qt.Key.Key_Return)
    (menu,) = ring.findChildren(QMenu)
    for _ in range(sum(not action.isSeparator() for action in menu.actions())):
        QTest.keyClick(menu, Qt.Key.Key_Down)
    assert menu.activeAction().text() == "Summarise and continue"
    QTest.keyClick(menu, Qt.Key.Key_Return)


def _summarises_by_mouse(person: Person) -> None:
    ring = child(person.window, ContextRing)
    click(ring)
    (menu,) = ring.findChildren(QMenu)
    action = menu.actions()[-1]
    assert action.text() == "Summarise and continue"
    spot = menu.actionGeometry(action).center()
    QTest.mouseMove(menu, spot)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=spot)


@pytest.mark.parametrize("summarises", [_summarises_by_keys, _summarises_by_mouse])
async def test_chat_goes_on_from_a_summary_where_its_window_is_full(
    tmp_path: Path, summarises: Callable[[Person], None]
) -> None:
    used = {"input_tokens": 950, "output_tokens": 10, "cached_tokens": 0, "cost_usd": None}
    full = sse("usage", **used, context_tokens=960, context_window=1000)
    async with FakeService() as service:
        service.forks = {}
        service.extensions = ("usage",)
        async with hosted_program(tmp_path, service) as person:
            await person.sees(lambda: bool(service.requests), "its agents")
            service.sends(START, delta("It opened in 1894."), full, STOP)
            await person.asks("When did the bridge open?")
            first_id = person.program.chat.conversation_id
            service.conversations[first_id] = stored(
                ("m0", "user", "When did the bridge open?"),
                ("m1", "assistant", "It opened in 1894."),
            )
            service.sends(START, delta("A bridge of 1894."), STOP)
            summarises(person)
            await person.sees(
                lambda: person.program.chat.conversation_id not in ("", first_id), "the new chat"
            )
            await person.sees(lambda: person.reply == "A bridge of 1894.", "the summary")
            note = child(person.window, ComposerNote)
            assert note.accessibleName() == "This chat continues from the summary."
            assert note.isVisible()
            assert person.window.focusWidget() is person.box
            assert person.program.conversations.rowCount() == 2
            person.program.chat.open(first_id)
            await person.sees(lambda: person.reply == "It opened in 1894.", "the one before")
