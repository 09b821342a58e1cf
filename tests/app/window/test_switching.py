"""Chats and profiles changed while something is under way: nothing goes to the wrong place."""

from pathlib import Path

import pytest
from pydantic import SecretStr
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton

from app.chat.items import Action, UserMessage
from app.config.settings import Project
from app.ui.composer.composer_note import ComposerNote
from app.ui.sidebar.sidebar import ProjectMenu
from app.viewmodels.states import Dot
from tests.support.fake_service import FakeService
from tests.support.widgets import button_named, child, click, label_texts
from tests.support.window import has_chosen_hosted, hosted_program, running_program

pytestmark = pytest.mark.anyio


async def test_switching_away_from_a_new_chat_while_it_is_created_stays_there(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.holds("other", ("user", "Before"), ("assistant", "Then"))
        chat = person.program.chat
        chat.open("other")
        await person.sees(lambda: len(chat.transcript.rows) == 2, "the other chat")
        person.write("a thought for the other chat")
        chat.open("")
        await person.sees(lambda: person.box.toPlainText() == "", "an empty box")
        go_on = service.creates_slowly()
        service.says("Good day.")
        person.say("Hello")
        await service.was_asked("POST", "/v1/conversations")

        chat.open("other")
        await person.sees(lambda: len(chat.transcript.rows) == 2, "the other chat again")
        go_on.set()

        draft = "a thought for the other chat"
        await person.sees(lambda: person.box.toPlainText() == draft, "its draft")
        assert chat.conversation_id == "other"
        chat.open("conversation-2")
        await person.sees(lambda: person.reply == "Good day.", "the reply in the new chat")
        assert person.box.toPlainText() == ""
        chat.open("other")
        await person.sees(lambda: person.box.toPlainText() == draft, "the draft, still there")
        chat.open("")
        await person.sees(lambda: person.box.toPlainText() == "", "the composer is empty")


async def test_a_message_goes_to_the_chat_it_was_written_in(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.holds("one")
        service.holds("two")
        service.says("Here.")
        chat = person.program.chat
        chat.open("one")
        person.say("for one")
        # Both keys and clicks may be waiting in the same turn of the loop.
        chat.open("two")

        await service.was_asked("POST", "/v1/chat/stream")
        chat.open("one")
        await person.sees(lambda: person.reply == "Here.", "the reply “Here.” is shown")
        rows = chat.transcript.rows
        assert [row.text for row in rows if isinstance(row, UserMessage)] == ["for one"]


async def test_a_deleted_chat_leaves_no_draft_behind(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.holds("one", ("user", "Before"), ("assistant", "Then"))
        chat, conversations = person.program.chat, person.program.conversations
        conversations.refresh()
        await person.sees(lambda: conversations.rowCount() == 1, "the chat is listed")
        chat.open("one")
        await person.sees(lambda: len(chat.transcript.rows) == 2, "the chat shows its two messages")

        conversations.delete_all(["one"])
        person.write("a secret thought")
        await person.sees(lambda: chat.conversation_id == "", "a new chat", conversations.deleted)

        await person.sees(lambda: person.box.toPlainText() == "", "an empty box")
    assert not _is_kept(b"a secret thought", tmp_path)


def _is_kept(words: bytes, folder: Path) -> bool:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return any(words in path.read_bytes() for path in files)


async def test_unexpected_error_while_storing_a_message_does_not_leave_it_in_the_box(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        chat = person.program.chat
        go_on = service.creates_slowly()
        service.says("Good day.")
        person.say("Hello")
        await service.was_asked("POST", "/v1/conversations")

        chat.attach([tmp_path / "nothing.txt"])
        await person.sees(
            lambda: any("nothing.txt" in text for text in label_texts(person.window)),
            "what could not be attached",
        )
        go_on.set()

        await person.sees(lambda: person.reply == "Good day.", "the reply “Good day.” is shown")
        assert person.box.toPlainText() == ""


async def test_copy_that_arrives_in_another_connection_is_not_shown_there(tmp_path: Path) -> None:
    async with FakeService() as service, FakeService() as theirs:
        service.forks = {}
        service.holds("c1", ("user", "One"), ("assistant", "Yes"))
        theirs.holds("d1", ("user", "Theirs"), ("assistant", "No"))
        keyring = has_chosen_hosted(tmp_path, service)
        keyring.set_password("parley", *theirs.address)
        async with running_program(tmp_path, keyring) as person:
            chat, preferences = person.program.chat, person.program.preferences
            other = Project(id=f"hosted:{theirs.base_url}", name="Theirs", base_url=theirs.base_url)
            preferences.change(preferences.current.projects.with_project(other))
            chat.open("c1")
            await person.sees(lambda: person.reply == "Yes", "the chat")
            go_on = service.creates_slowly()
            await person.chooses(chat.transcript.rows[-1].key, Action.BRANCH)
            await service.was_asked("POST", "/v1/conversations")

            menu = child(person.window, ProjectMenu)
            click(button_named(menu, "Switch connection"))
            (action,) = [one for one in menu.findChildren(QAction) if one.text() == "Theirs"]
            action.trigger()
            listed = person.program.conversations
            await person.sees(
                lambda: [row.conversation_id for row in listed.rows] == ["d1"], "their chat"
            )
            chat.open("d1")
            await person.sees(lambda: person.reply == "No", "its chat")
            go_on.set()
            # Their service cannot copy, and knows nothing of the first one's chats.
            await person.chooses(chat.transcript.rows[-1].key, Action.EDIT)
            await person.sees(lambda: person.box.toPlainText() == "Theirs", "the question")
            note = child(person.window, ComposerNote)
            await person.sees(
                lambda: note.accessibleName() == "The service still has the first version.",
                "what their service still has",
            )
            assert chat.conversation_id == "d1"
            assert [row.conversation_id for row in listed.rows] == ["d1"]
            assert not [one for one in theirs.requests if "c1" in one.target]


async def test_a_wrong_key_is_named_where_the_connection_is_shown(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.api_key = SecretStr("pk_test_another")
        async with running_program(tmp_path, keyring) as person:
            connection = person.program.connection
            await person.sees(
                lambda: connection.status.dot is Dot.BAD, "the connection is shown as lost"
            )

            assert connection.status.words == "key not accepted"
            assert "Open settings" in {
                button.text()
                for button in person.window.findChildren(QAbstractButton)
                if button.isVisible()
            }


async def test_a_service_that_was_left_says_nothing_more(tmp_path: Path) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        service.hangs("GET")
        async with running_program(tmp_path, keyring) as person:
            await service.received(1)
            connection, dots = person.program.connection, list[Dot]()
            connection.status_changed.connect(lambda status: dots.append(status.dot))

            person.program.setup.use_offline()
            await person.sees(lambda: connection.status.dot is Dot.GOOD, "the other is ready")

            assert connection.status.name == "Local service"
            assert Dot.BAD not in dots
