"""A turn from the message to its end, without tools, over real connections."""

import asyncio
from pathlib import Path

import pytest

from app.chat.items import Action, Handover, ReplyPart, SendState, UserMessage
from app.common.error_messages import ErrorCode, explain
from app.store.records import StoredFailure, TurnState
from tests.support.chat_fixtures import START, STOP, chat_kit
from tests.support.fake_service import FakeService, delta, sse

pytestmark = pytest.mark.anyio


@pytest.mark.spec("1-sse-reply", "4.4-chat")
async def test_a_message_is_answered_and_both_are_kept(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Hel", "lo.")
        chat = await kit.open()

        await chat.said("Hi")

        message, reply = chat.items
        assert isinstance(message, UserMessage)
        assert (message.text, message.state) == ("Hi", SendState.SENT)
        assert isinstance(reply, ReplyPart)
        assert (reply.text, reply.is_streaming) == ("Hello.", False)
        assert chat.mirror == list(chat.items)
        (turn,) = await kit.turns()
        assert turn.state is TurnState.DONE
        assert "".join(piece.text for piece in turn.pieces) == "Hello."


@pytest.mark.spec("4.4-agent-name")
async def test_the_chosen_agent_is_named_in_the_request_and_auto_names_none(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("One", agent="writer")
        service.says("Two")
        chat = await kit.open()

        await chat.send("First", "writer")
        await chat.is_idle()
        await chat.said("Second")

        posts = [r.json for r in service.requests if r.method == "POST"]
        assert posts[0]["agent_name"] == "writer"
        assert "agent_name" not in posts[1]
        assert [item.agent_display_name for item in chat.items if isinstance(item, ReplyPart)] == [
            "Writer",
            None,
        ]


@pytest.mark.spec("6-agent-start", "6-agent-end")
async def test_another_agent_that_goes_on_is_shown_as_a_line_between(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(
            START,
            sse("agent_start", agent_name="guide", agent_display_name="Guide"),
            delta("Over to you. "),
            sse("agent_end", agent_name="guide"),
            sse("agent_start", agent_name="writer", agent_display_name="Writer"),
            delta("Here I am."),
            sse("agent_end", agent_name="writer"),
            STOP,
        )
        chat = await kit.open()

        await chat.said("Who helps me?")

        _, first, line, second = chat.items
        assert isinstance(first, ReplyPart)
        assert isinstance(second, ReplyPart)
        assert isinstance(line, Handover)
        assert (line.from_display_name, line.to_display_name) == ("Guide", "Writer")
        assert (first.agent_display_name, second.agent_display_name) == ("Guide", "Writer")
        assert first.shows_agent
        assert second.shows_agent
        assert chat.mirror == list(chat.items)


@pytest.mark.security(67)
async def test_events_in_no_order_and_unknown_ones_do_no_harm(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(
            sse("agent_end", agent_name="nobody"),
            delta("Early, "),
            sse("celebrate", level=11),
            START,
            sse("content_block_delta", delta={"type": "image_delta"}),
            START,
            delta("late."),
            STOP,
            delta(" Behind the end."),
            sse("tool_use", id="late", name="current_time", input={}),
            STOP,
        )
        chat = await kit.open()

        await chat.said("Anything")

        assert chat.text == "Early, late."
        assert not chat.tool_rows
        assert not chat.notices
        assert await kit.calls() == ()


@pytest.mark.security(68)
@pytest.mark.spec("6-message-start")
async def test_a_reply_for_another_conversation_is_a_failure_and_not_shown(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.holds("c2", ("user", "Mine"), ("assistant", "Yours"))
        service.says("For somebody else", conversation_id="c2")
        chat, other = await kit.open("c1"), await kit.open("c2")
        before = other.items

        await chat.said("Hello")

        assert chat.text == ""
        assert chat.notice.words == explain(StoredFailure(ErrorCode.STREAM_MISDIRECTED))
        assert other.items == before


@pytest.mark.spec("6-error", "7.3-stream-error")
async def test_a_failure_in_the_stream_keeps_what_came_and_says_why(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("As I was say"), sse("error", message="out of paper"))
        chat = await kit.open()

        await chat.said("Continue")

        assert chat.text == "As I was say"
        assert "out of paper" in chat.notice.words.sentence
        can_be_done = (Action.TRY_AGAIN, Action.CHOOSE_MODEL, Action.CONTINUE_REPLY)
        assert chat.notice.actions == can_be_done
        (turn,) = await kit.turns()
        assert (turn.state, turn.pieces[0].text) == (TurnState.FAILED, "As I was say")


async def test_messages_sent_meanwhile_wait_below_and_follow_in_order(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("One.")
        go_on = service.pauses_after(2)
        service.says("Two.")
        service.says("Three.")
        chat = await kit.open()

        await chat.send("First")
        await chat.shows("One.")
        await chat.send("Second")
        await chat.send("Third")

        assert [m.state for m in chat.user_messages] == [
            SendState.SENT,
            SendState.QUEUED,
            SendState.QUEUED,
        ]
        assert chat.session.state.queued == 2
        assert [turn.text for turn in await kit.turns()] == ["First", "Second", "Third"]

        go_on.set()
        await chat.is_idle()

        texts = [item.text for item in chat.items if isinstance(item, UserMessage | ReplyPart)]
        assert texts == ["First", "One.", "Second", "Two.", "Third", "Three."]
        assert chat.mirror == list(chat.items)


async def test_a_message_that_waits_can_be_taken_back(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("One.")
        go_on = service.pauses_after(2)
        chat = await kit.open()
        await chat.send("First")
        await chat.shows("One.")
        await chat.send("Not meant")

        key = chat.user_messages[-1].key
        texts = tuple(await asyncio.gather(chat.session.withdraw(key), chat.session.withdraw(key)))
        go_on.set()
        await chat.is_idle()

        assert texts == ("Not meant", "")
        assert [message.text for message in chat.user_messages] == ["First"]
        assert [turn.text for turn in await kit.turns()] == ["First"]
        assert await chat.session.withdraw(chat.user_messages[0].key) == ""


async def test_messages_that_wait_are_sent_in_the_order_they_were_moved_to(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("One.")
        go_on = service.pauses_after(2)
        for text in ("Two.", "Three.", "Four."):
            service.says(text)
        chat = await kit.open()
        await chat.send("First")
        await chat.shows("One.")
        alone = []
        for text in ("a", "b", "c"):
            await chat.send(text)
            alone.append(chat.user_messages[-1].can_move)

        keys = {message.text: message.key for message in chat.user_messages}
        up, down = Action.MOVE_UP, Action.MOVE_DOWN
        moves = [("c", up), ("c", up), ("c", up), ("b", down), ("a", down), ("First", down)]
        for text, action in moves:
            await chat.session.act(keys[text], action)
        shown = [message.text for message in chat.user_messages]
        can_move = [message.can_move for message in chat.user_messages]
        kept = [turn.text for turn in await kit.turns()]
        go_on.set()
        await chat.is_idle()

        assert alone == [False, True, True]
        assert shown == kept == ["First", "c", "b", "a"]
        assert can_move == [False, True, True, True]
        sent = [r.json["message"] for r in service.requests if r.path == "/v1/chat/stream"]
        assert sent == shown
        assert chat.mirror == list(chat.items)


async def test_messages_that_are_held_stand_behind_what_is_sent_before_them(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.sends(START, delta("One"))
        service.hangs_after(2)
        for text in ("Two.", "Three."):
            service.says(text)
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.send("First")
            await chat.shows("One")
            for text in ("a", "b", "c"):
                await chat.send(text)
            chat.session.stop()
            await chat.is_idle()
            keys = {message.text: message.key for message in chat.user_messages}

            await chat.session.act(keys["b"], Action.SEND_NOW)
            await chat.is_idle()
            await chat.said("later")

            assert [message.text for message in chat.items[-2:]] == ["a", "c"]  # type: ignore[union-attr]
            assert chat.mirror == list(chat.items)
            shown = [message.text for message in chat.user_messages]
        async with chat_kit(tmp_path, service) as kit:
            again = await kit.open()

            assert [message.text for message in again.user_messages] == shown
            assert shown == ["First", "b", "later", "a", "c"]
            assert [turn.text for turn in await kit.turns()] == shown


async def test_two_chats_stream_side_by_side(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.holds("c2")
        service.says("Slow.")
        go_on = service.pauses_after(2)
        first, second = await kit.open("c1"), await kit.open("c2")
        await first.send("One")
        await first.shows("Slow.")
        service.says("Quick.")

        await second.said("Two")

        assert second.text == "Quick."
        assert first.session.state.is_busy
        go_on.set()
        await first.is_idle()
