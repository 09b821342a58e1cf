"""What a person does around a chat: drafts, titles, and a computer that cannot write."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from app.api.errors import NotFound
from app.chat.sessions import ConversationStatus
from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.store.records import StoredFailure, TurnState
from tests.support.chat_fixtures import chat_kit
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio


async def test_nothing_is_sent_when_there_is_nothing_to_send(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()

        with pytest.raises(UserFacingError) as caught:
            await chat.send(" \n ")

        assert caught.value.reason == ErrorCode.MESSAGE_EMPTY
        assert not chat.items


async def test_everybody_who_asks_gets_the_same_session(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Hello.")
        chat = await kit.open()

        assert kit.sessions.get("c1") is chat.session
        second = await kit.open()
        await chat.said("Hi")

        assert second.items == chat.items
        assert second.mirror == list(chat.items)


async def test_a_turn_goes_on_when_nobody_looks_and_is_marked_unread(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Done.")
        go_on = service.pauses_after(1)
        chat = await kit.open()
        marks: list[ConversationStatus] = []
        kit.sessions.subscribe(lambda activity: marks.append(activity.status))
        kit.sessions.subscribe(lambda _activity: kit.happened())
        await chat.send("Go")
        await service.received(2)
        chat.close()
        del chat

        go_on.set()
        await kit.until(lambda: kit.sessions.status("c1") is ConversationStatus.UNREAD)

        assert ConversationStatus.STREAMING in marks
        chat = await kit.open()
        assert chat.text == "Done."
        assert kit.sessions.status("c1") is ConversationStatus.NONE


async def test_a_card_and_a_failure_leave_their_marks(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.fails_with(500)
        chat = await kit.open()

        await chat.send("When?")
        await chat.asks()
        assert kit.sessions.status("c1") is ConversationStatus.WAITING
        await chat.allow()
        await chat.is_idle()

        assert kit.sessions.status("c1") is ConversationStatus.FAILED


@pytest.mark.expects_log("Cannot save")
async def test_a_message_that_cannot_be_kept_is_not_accepted(tmp_path: Path) -> None:
    async with (
        FakeService() as service,
        chat_kit(tmp_path, service, busy_timeout_s=0.01) as kit,
    ):
        service.holds("c1")
        chat = await kit.open()
        other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(UserFacingError) as caught:
            await chat.send("Hi")

        assert caught.value.reason == ErrorCode.STORE_LOCKED
        assert not chat.items
        other.execute("ROLLBACK")
        service.says("Hello.")
        go_on = service.pauses_after(1)
        await chat.send("Hi")
        await service.received(2)

        # From here on nothing can be written: the reply is shown all the same.
        other.execute("BEGIN IMMEDIATE")
        go_on.set()
        await chat.is_idle()
        other.execute("ROLLBACK")
        other.close()
        assert chat.text == "Hello."
        assert chat.notice.words == explain(StoredFailure(ErrorCode.REPLY_NOT_KEPT))


async def test_closing_in_mid_reply_keeps_what_came_for_the_next_start(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.says("Half", " and half")
        service.hangs_after(2)
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.send("Go")
            await chat.shows("Half")

        async with chat_kit(tmp_path, service) as kit:
            (turn,) = await kit.turns()
            assert turn.state is TurnState.STREAMING
            assert turn.pieces[0].text == "Half"


async def test_closing_while_a_card_waits_leaves_the_call_undecided(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.asks_tool("current_time", {})
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.send("When?")
            await chat.asks()
            kit.approvals.close()
            await chat.is_idle()

        async with chat_kit(tmp_path, service) as kit:
            (call,) = await kit.calls()
            assert call.details.decision is None


async def test_a_chat_is_named_after_its_first_message(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.holds("c2", ("user", "Older words\nin two lines"), ("assistant", "Yes."))
        service.says("Sure.")
        chat, other = await kit.open("c1"), await kit.open("c2")

        await chat.said("Compare three heat pumps for an old house with radiators and a cellar")

        title = chat.session.state.title
        assert title == "Compare three heat pumps for an old house with radiators…"
        assert other.session.state.title == "Older words in two lines"
        noted = await kit.store.conversations.noted()
        assert {id_: kept.title for id_, kept in noted.items()} == {
            "c1": title,
            "c2": "Older words in two lines",
        }


@pytest.mark.spec("4.3-delete", "3-delete-is-final")
async def test_deleting_a_chat_in_mid_reply_ends_it_and_forgets_every_word(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {"zone": "xylophonist"}, after=["xylophonist"])
        service.says("xylophonist")
        service.hangs_after(2)
        await kit.conversations.refresh()
        chat = await kit.open()
        await chat.send("xylophonist")
        await service.received(4)
        await chat.shows("xylophonistxylophonist")

        await kit.conversations.delete("c1")

        assert "c1" not in service.conversations
        assert not kit.conversations.rows
        assert await kit.turns() == ()
        (call,) = await kit.calls()
        assert call.input_text is None
        assert not chat.session.state.is_busy


async def test_session_of_a_deleted_chat_refuses_to_send(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Before"))
        chat = await kit.open()
        await kit.conversations.delete("c1")
        asked = len(service.requests)

        with pytest.raises(UserFacingError) as refused:
            await chat.session.send("Are you there?", None)
        with pytest.raises(UserFacingError):
            await chat.session.load()

        assert refused.value.reason == ErrorCode.CONVERSATION_GONE
        assert chat.session.state.is_missing
        assert len(service.requests) == asked
        assert await kit.turns() == ()


async def test_deleting_what_the_service_no_longer_has_forgets_it_here(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Old"))
        await kit.open()
        del service.conversations["c1"]

        await kit.conversations.delete("c1")

        assert await kit.store.messages.of_conversation("c1") == ()


async def test_a_delete_that_the_service_refuses_changes_nothing(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Old"))
        await kit.conversations.refresh()
        chat = await kit.open()
        service.fails_with(404, "not_found", method="DELETE")

        with pytest.raises(NotFound):
            await kit.conversations.delete("c1")

        assert len(kit.conversations.rows) == 1
        assert chat.user_messages[0].text == "Old"


async def test_sending_while_the_chat_still_opens_loses_nothing(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Old"), ("assistant", "Older."))
        service.says("New.")
        session = kit.sessions.get("c1")
        session.subscribe_state(lambda _state: kit.happened())

        await asyncio.gather(session.load(), session.send("Newer", None))
        await kit.until(lambda: not session.state.is_busy)

        texts = [getattr(item, "text", "") for item in session.transcript.items]
        assert texts == ["Old", "Older.", "Newer", "New."]
