"""The first day with the program, in its real window, with its real bundled service."""

from pathlib import Path

import psutil
import pytest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from app.api.errors import KeyMissing
from app.chat.items import CallState, Notice, SendState, ToolCall, UserMessage
from app.common.error_messages import ErrorMessage, explain
from app.self_test.ui_driver import answer, click, find, press_enter, type_into, until
from app.ui.approval.answer_button import InteractionDelay
from app.ui.approval.dock import ApprovalDock
from app.ui.composer.agent_picker import AgentPicker
from app.viewmodels.states import Dot
from tests.support.chat_fixtures import results
from tests.support.fake_models import KEY, FakeOpenAi
from tests.support.fake_service import FakeService
from tests.support.processes import services_of
from tests.support.service import RunningService, running_service
from tests.support.widgets import child
from tests.support.window import (
    KeyringInMemory,
    Person,
    built_program,
    has_chosen_offline,
    hosted_program,
    running_program,
)

pytestmark = pytest.mark.anyio


async def _is_ready(person: Person) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")


async def test_model_of_another_address_is_listed_chosen_and_talked_to_at_once(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi("A chat") as server, running_program(tmp_path) as person:
        server.pages["/v1/models"] = {"data": [{"id": "small"}]}
        models = person.program.setup.models
        assert not person.program.chat.state.can_send
        click(find(person.window, QAbstractButton, "Another address…"))
        assert find(person.window, QAbstractButton, "Add model").isVisible()
        address = find(person.window, QLineEdit, "Address of another model server")
        assert person.window.focusWidget() is address
        type_into(address, f"{server.base_url}/v1")
        type_into(find(person.window, QLineEdit, "Key for this server"), KEY)
        click(find(person.window, QAbstractButton, "Save other model server"))
        model_id = f"openai:small@{server.base_url}/v1"
        await person.sees(
            lambda: model_id in {model.id for model in models.view.listed},
            "the model is listed",
            models.changed,
        )

        models.choose(model_id)
        await person.sees(
            lambda: "answers" in models.view.said,
            "the settings say that the model answers",
            models.changed,
        )
        click(find(person.window, QAbstractButton, "Back to the chat"))
        # The first page is over.
        assert person.box.isVisible()

        child(person.window, AgentPicker).open_models()
        click(find(person.window, QAbstractButton, "Add a key…"))
        focus = person.window.focusWidget()
        assert focus is not None
        assert focus.accessibleName() == "OpenAI key"


async def test_message_written_before_the_service_is_ready_is_sent_once_it_is(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with built_program(tmp_path) as program:
        person = Person(program)
        program.window.show()
        person.say("Hello")
        # Nothing is open yet that it could be sent to.
        assert person.box.toPlainText() == "Hello"

        await program.start()
        await person.sees(lambda: program.chat.state.can_send, "messages are taken")
        assert program.connection.status.dot is not Dot.GOOD
        press_enter(person.box)

        await person.sees(lambda: bool(person.reply), "a reply")
        assert not person.box.toPlainText()
        assert [item.text for item in _sent(person)] == ["Hello"]


def _sent(person: Person) -> list[UserMessage]:
    rows = person.program.chat.transcript.rows
    return [row for row in rows if isinstance(row, UserMessage) and row.state is SendState.SENT]


async def test_messages_and_drafts_are_restored_in_their_chats_and_after_a_restart(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        await _is_ready(person)
        await person.asks("Hello")
        said = person.reply
        conversation_id = person.program.chat.conversation_id
        click(find(person.window, QAbstractButton, "New chat"))
        person.write("not yet sent")

        person.program.chat.open(conversation_id)
        await person.sees(lambda: person.box.toPlainText() == "", "the other chat has no draft")
        click(find(person.window, QAbstractButton, "New chat"))
        await person.sees(
            lambda: person.box.toPlainText() == "not yet sent", "the composer holds “not yet sent”"
        )

        person.program.chat.open(conversation_id)
        await person.sees(lambda: person.box.toPlainText() == "", "the chat that was said in")
        person.write("half a thou")

    async with running_program(tmp_path) as person:
        conversations = person.program.conversations
        await person.sees(lambda: conversations.rowCount() == 1, "the chat is listed")
        person.program.chat.open(conversation_id)
        await person.sees(lambda: person.reply == said, "the reply is shown again")
        await person.sees(
            lambda: person.box.toPlainText() == "half a thou", "the composer holds “half a thou”"
        )


async def test_cards_are_declined_by_a_message_allowed_and_as_high_as_they_need(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        chat, approval = person.program.chat, person.program.approval
        dock = person.window.findChildren(ApprovalDock)[0]
        service.asks_tool("current_time", {})
        service.says("Then not.")
        service.says("As you like.")
        person.say("What time is it?")
        await person.sees(lambda: bool(approval.cards), "a low card")
        low = dock.height()
        person.say("never mind")
        await person.sees(lambda: chat.state.is_asking, "the card still waits for an answer")
        click(find(person.window, QAbstractButton, "Deny and send"))
        await person.sees(lambda: not approval.cards, "the card is gone")
        await person.sees(lambda: not chat.state.is_busy, "the reply has ended")
        rows = chat.transcript.rows
        assert [row.state for row in rows if isinstance(row, ToolCall)] == [CallState.DENIED]
        assert [row.text for row in rows if isinstance(row, UserMessage)][-1] == "never mind"

        chat.chosen.choose_folder(tmp_path)
        await person.sees(lambda: bool(chat.state.folder), "the chat has a folder")
        argv = ["echo", "spoken by a tool"]
        service.asks_tool("run_command", {"argv": argv}, call_id="call-2")
        service.says("It has spoken.")
        person.say("Have it spoken")
        await person.sees(lambda: bool(approval.cards), "the card of a command")
        assert "echo" in dict(approval.cards[0].facts)["Command"]
        await answer(person.window, "Allow once")
        await person.sees(lambda: not chat.state.is_busy, "the reply ends")
        assert "spoken by a tool" in dict(results(service))["call-2"]

        content = "one\ntwo\nthree\nfour\nfive\nsix"
        service.asks_tool("write_file", {"path": "a.md", "content": content}, call_id="call-3")
        person.say("Write a.md")
        await person.sees(lambda: bool(approval.cards), "a high card")
        arming = person.window.findChildren(InteractionDelay)[0]
        await until(lambda: arming.is_armed, [arming.changed], "the card can be answered")
        assert dock.height() == dock.sizeHint().height() > low


@pytest.mark.security(64)
async def test_a_hosted_project_is_chosen_used_and_away(tmp_path: Path) -> None:
    """What is wrong is said at its field, and the key goes to the keyring; what is kept is read."""
    folder, keyring = tmp_path / "app", KeyringInMemory()
    with running_service(tmp_path / "hosted") as service:
        async with running_program(folder, keyring) as person:
            await _is_told_what_is_wrong(person, service)
            assert keyring.secrets == {}
            _fill_in(person, service.base_url, service.key)
            await _is_ready(person)
            await person.asks("Hello")
            said = person.reply

        assert list(keyring.secrets.values()) == [service.key]
        kept = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
        assert not any(service.key.encode() in content for content in kept)

        async with running_program(folder, keyring) as person:
            await _is_ready(person)
            await person.sees(
                lambda: person.program.conversations.rowCount() == 1, "the chat is in the list"
            )

    async with running_program(folder, keyring) as person:
        connection, conversations = person.program.connection, person.program.conversations
        await person.sees(
            lambda: connection.status.dot is Dot.BAD, "the connection is shown as lost"
        )
        await person.sees(lambda: conversations.rowCount() == 1, "the chat is listed")
        person.program.chat.open(conversations.rows[0].conversation_id)
        await person.sees(lambda: person.reply == said, "the reply is shown")

    async with running_program(folder, KeyringInMemory()) as person:
        await _reads_without_a_key(person, said)


async def _reads_without_a_key(person: Person, said: str) -> None:
    """Find a chat that is kept here, reads it, and is told why nothing is sent."""
    connection, conversations = person.program.connection, person.program.conversations
    await person.sees(lambda: connection.status.words == "no key", "the key is missing")
    await person.sees(lambda: conversations.rowCount() == 1, "the chat is listed")
    search = person.program.search
    search.search("Hello")
    await person.sees(
        lambda: search.results.count > 0, "the search has hits", search.results_changed
    )
    person.program.chat.open(conversations.rows[0].conversation_id)
    await person.sees(lambda: person.reply == said, "the reply is shown")
    assert connection.status.needs_key

    person.say("Are you there?")

    words = explain(KeyMissing("127.0.0.1"))
    await person.sees(lambda: words in _notices(person), "the notice says why nothing was sent")


def _notices(person: Person) -> list[ErrorMessage]:
    rows = person.program.chat.transcript.rows
    return [row.words for row in rows if isinstance(row, Notice)]


async def _is_told_what_is_wrong(person: Person, service: RunningService) -> None:
    for address, key, field, words in (
        ("http://chat.example.org", "pk_live_x", "address", "https"),
        (service.base_url, "no key", "key", "key"),
        (service.base_url, "pk_live_wrong", "key", "key"),
        ("http://127.0.0.1:9", "pk_live_x", "address", "127.0.0.1"),
    ):
        await _is_told(person, address, key)
        first_run = person.program.setup.first_run
        errors = {"address": first_run.address_error, "key": first_run.key_error}
        assert words in errors.pop(field)
        assert set(errors.values()) == {""}


async def _is_told(person: Person, address: str, key: str) -> None:
    """Try an address and a key, and wait until something is said about them."""
    _fill_in(person, address, key)
    setup = person.program.setup

    def is_told() -> bool:
        view = setup.first_run
        return bool(view.address_error or view.key_error) and view.busy is None

    await person.sees(is_told, "the notice says what is wrong")


def _fill_in(person: Person, address: str, key: str) -> None:
    """Give an address and a key, and go on."""
    for name, text in (("Address", address), ("Project key", key)):
        field = find(person.window, QLineEdit, name)
        field.clear()
        type_into(field, text)
    click(find(person.window, QAbstractButton, "Connect"))


async def test_a_message_written_during_a_reply_waits_and_can_be_taken_back(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says("Here is ", "some.")
        go_on = service.pauses_after(2)
        chat = person.program.chat
        person.say("Show me some markdown")
        await person.sees(lambda: len(person.reply) > 0, "the reply is under way")

        person.say("and then this")
        await person.sees(
            lambda: _waiting(person) == ["and then this"], "the message waits in the chat"
        )
        chat.withdraw(next(row.key for row in _queued(person)))

        await person.sees(
            lambda: person.box.toPlainText() == "and then this",
            "the composer holds “and then this”",
        )
        go_on.set()
        await person.sees(lambda: not chat.state.is_busy, "the reply ends")
        assert _waiting(person) == []
        rows = chat.transcript.rows
        assert [row.text for row in rows if isinstance(row, UserMessage)] == [
            "Show me some markdown"
        ]


def _queued(person: Person) -> list[UserMessage]:
    rows = person.program.chat.transcript.rows
    return [row for row in rows if isinstance(row, UserMessage) and row.state is SendState.QUEUED]


def _waiting(person: Person) -> list[str]:
    return [row.text for row in _queued(person)]


async def test_two_quick_choices_end_with_one_service(tmp_path: Path) -> None:
    async with running_program(tmp_path) as person:
        person.program.setup.use_offline()
        person.program.setup.use_offline()
        await person.sees(
            lambda: not person.program.setup.settings.is_checking,
            "the check of the connection has ended",
        )
        await _is_ready(person)

        assert len(services_of(psutil.Process())) == 1
