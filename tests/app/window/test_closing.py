"""The program closed in mid-reply, and what it cannot keep or remove."""

from pathlib import Path

import pytest

from app.chat.items import Notice, UserMessage
from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.paths import paths_under
from app.self_test.ui_driver import press_enter
from app.store.records import StoredFailure
from tests.support.fake_service import FakeService
from tests.support.refused_writes import refused_writes
from tests.support.signals import emitted
from tests.support.window import (
    has_chosen_hosted,
    has_chosen_offline,
    hosted_program,
    running_program,
)

pytestmark = pytest.mark.anyio


async def test_reply_cut_by_closing_says_so_at_the_next_start(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with running_program(tmp_path) as person:
        connection = person.program.connection
        await person.sees(lambda: connection.status.dot.value == "good", "the service is ready")
        person.say("Show me some markdown")
        await person.sees(lambda: len(person.reply) > 40, "the reply streams in")
        conversation_id = person.program.chat.conversation_id
        assert person.program.chat.state.is_busy

    async with running_program(tmp_path) as person:
        chat, connection = person.program.chat, person.program.connection
        chat.open(conversation_id)
        await person.sees(
            lambda: len(person.reply) > 40, "more than 40 characters of the reply are shown"
        )
        await person.sees(lambda: connection.status.dot.value == "good", "the service is ready")
        rows = chat.transcript.rows
        words = [row.words.sentence for row in rows if isinstance(row, Notice)]
        closed = explain(StoredFailure(ErrorCode.REPLY_CLOSED)).sentence
        assert words == [f"{closed} The part that arrived was kept."]


@pytest.mark.expects_log("Cannot remove the draft of a sent message")
async def test_draft_that_cannot_be_removed_does_not_make_a_message_unsent(
    tmp_path: Path,
) -> None:
    store_file = paths_under(tmp_path).store_file
    async with FakeService() as service:
        service.holds("one")
        service.says("Here.")
        keyring = has_chosen_hosted(tmp_path, service)
        async with hosted_program(tmp_path, service) as person:
            chat, workspace = person.program.chat, person.program.connection.workspace
            assert workspace is not None
            chat.open("one")
            refused: list[ErrorMessage] = []
            chat.refused.connect(refused.append)
            person.write("Hello")
            while await workspace.draft("one") != "Hello":
                pass
            with refused_writes(store_file, "DELETE ON drafts"):
                press_enter(person.box)
                await person.sees(lambda: person.reply == "Here.", "the reply “Here.” is shown")

            assert refused == []
            assert person.box.toPlainText() == ""

        async with running_program(tmp_path, keyring) as person:
            person.program.chat.open("one")
            await person.sees(
                lambda: bool(person.program.chat.transcript.rows), "the chat shows its messages"
            )
            assert person.box.toPlainText() == ""
            rows = person.program.chat.transcript.rows
            assert [row.text for row in rows if isinstance(row, UserMessage)] == ["Hello"]


async def test_folder_that_vanishes_is_explained_and_the_message_stays_in_the_box(
    tmp_path: Path,
) -> None:
    data, elsewhere = paths_under(tmp_path).data, tmp_path / "elsewhere"
    async with FakeService() as service:
        service.holds("one")
        service.says("Here.")
        async with hosted_program(tmp_path, service) as person:
            chat, conversations = person.program.chat, person.program.conversations
            await person.sees(lambda: conversations.rowCount() == 1, "the chat is listed")
            chat.open("one")
            await person.asks("Are you there?")
            data.rename(elsewhere)
            refused = emitted(chat.refused)
            person.say("Hello")
            [words] = await refused

            assert words == explain(StoredFailure(ErrorCode.STORE_GONE))
            assert person.box.toPlainText() == "Hello"
            elsewhere.rename(data)
            service.says("Still here.")
            press_enter(person.box)
            await person.sees(
                lambda: person.reply.endswith("Still here."),
                "the reply with “Still here.” is shown",
            )
