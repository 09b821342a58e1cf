"""The list of chats in the whole program: what was open comes back, and chats are dealt with."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListView

from app.chat.conversation_rows import ConversationRow
from app.ui.sidebar.delete_bar import DeleteBar
from app.viewmodels.rows import ROW_ROLE
from tests.support.fake_service import FakeService
from tests.support.widgets import button_named, child, click, label_texts, press
from tests.support.window import Person, hosted_program

pytestmark = pytest.mark.anyio


def _chats(person: Person) -> QListView:
    views = person.window.findChildren(QListView)
    return next(view for view in views if view.accessibleName() == "Chats")


def _rows(person: Person) -> list[ConversationRow]:
    model = _chats(person).model()
    return [model.index(row, 0).data(ROW_ROLE) for row in range(model.rowCount())]


def _ids(person: Person) -> list[str]:
    return [row.conversation_id for row in _rows(person)]


async def test_chat_that_was_open_comes_back_with_its_draft(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("one", ("user", "Before"), ("assistant", "Then"))
        async with hosted_program(tmp_path, service) as person:
            person.program.chat.open("one")
            await person.sees(
                lambda: len(person.program.chat.transcript.rows) == 2,
                "the chat shows its two messages",
            )
            person.write("half a thought")

        async with hosted_program(tmp_path, service) as person:
            chat = person.program.chat
            await person.sees(lambda: person.box.toPlainText() == "half a thought", "its draft")
            assert chat.conversation_id == "one"
            chat.open("")

        async with hosted_program(tmp_path, service) as person:
            await person.sees(lambda: _ids(person) == ["one"], "only the chat “one” is listed")
            assert person.program.chat.conversation_id == ""


async def test_new_chat_begins_when_the_last_one_is_gone(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("one", ("user", "Before"), ("assistant", "Then"))
        async with hosted_program(tmp_path, service) as person:
            person.program.chat.open("one")
            await person.sees(
                lambda: len(person.program.chat.transcript.rows) == 2,
                "the chat shows its two messages",
            )
        service.conversations.pop("one")

        async with hosted_program(tmp_path, service) as person:
            chat = person.program.chat
            await person.sees(lambda: chat.conversation_id == "", "a new chat", chat.opened)


async def test_chats_are_renamed_pinned_ordered_and_deleted_by_keyboard(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        for name in ("one", "two", "three"):
            service.holds(name)
        person.program.conversations.refresh()
        await person.sees(lambda: len(_ids(person)) == 3, "the list has three chats")
        view, commands = _chats(person), person.window.commands
        view.setFocus()

        press(view, Qt.Key.Key_Home)
        commands["rename-chat"].action.trigger()
        (field,) = view.findChildren(QLineEdit)
        field.setText("Warm house")
        press(field, Qt.Key.Key_Return)
        await person.sees(
            lambda: "Warm house" in [r.title for r in _rows(person)],
            "the chat is listed as “Warm house”",
        )

        person.program.conversations.pin(["two"], is_pinned=True)
        await person.sees(lambda: _ids(person)[0] == "two", "the pinned one in front")
        commands["order-chats"].action.trigger()
        assert person.program.preferences.current.chats.order == "oldest"
        assert _ids(person)[0] == "two"

        view.selectAll()
        press(view, Qt.Key.Key_Delete)
        assert "Delete 3 chats?" in label_texts(person.window)
        service.fails_with(500, method="DELETE")
        bar = child(person.window, DeleteBar)
        click(button_named(bar, "Delete permanently"))
        words = "2 of 3 chats were deleted. The others were kept."
        deletion = person.program.conversations.deletion_changed
        await person.sees(
            lambda: words in label_texts(person.window),
            "the message with the reason is shown",
            deletion,
        )
        click(button_named(bar, "Try again"))
        await person.sees(lambda: _ids(person) == [], "an empty list", deletion)


async def test_commands_open_the_next_and_previous_chat(tmp_path: Path) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        for name in ("one", "two"):
            service.holds(name)
        person.program.conversations.refresh()
        await person.sees(lambda: len(_ids(person)) == 2, "the list has two chats")
        commands, chat = person.window.commands, person.program.chat
        first, second = _ids(person)

        commands["next-chat"].action.trigger()
        assert chat.conversation_id == first
        commands["next-chat"].action.trigger()
        commands["next-chat"].action.trigger()
        assert chat.conversation_id == second
        commands["previous-chat"].action.trigger()
        assert chat.conversation_id == first

        commands["toggle-sidebar"].action.trigger()
        assert not _chats(person).isVisible()
        commands["rename-chat"].action.trigger()
        assert _chats(person).isVisible()
        assert _chats(person).findChildren(QLineEdit)
