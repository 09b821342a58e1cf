"""What goes wrong on the way: what came is kept, and it is said in words."""

import asyncio
from pathlib import Path

import pytest

from app.chat.items import Action, SendState, Tone
from app.common.error_messages import ErrorCode, explain
from app.store.records import StoredFailure, TurnState
from tests.support.chat_fixtures import START, STOP, chat_kit, posts, stored
from tests.support.fake_service import TIME, FakeService, delta, sse

pytestmark = pytest.mark.anyio


async def test_interrupted_reply_keeps_its_text_and_the_rest_can_be_loaded(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("Half of "), delta("it"), STOP)
        service.cuts_after(2)
        chat = await kit.open()

        await chat.said("Tell me")

        assert chat.text == "Half of "
        assert chat.says(ErrorCode.REPLY_CUT)
        assert chat.notice.actions == (Action.LOAD_REST, Action.SEND_AGAIN)
        assert chat.notice.tone is Tone.BAD
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "Tell me", "created_at": TIME},
            {"id": "m1", "role": "assistant", "content": "Half of it", "created_at": TIME},
        ]
        await chat.session.act(chat.notice.key, Action.LOAD_REST)
        assert chat.text == "Half of it"
        assert chat.says(ErrorCode.REPLY_ENDS_HERE)
        assert [turn.state for turn in await kit.turns()] == [TurnState.DONE]
        assert chat.mirror == list(chat.items)


async def test_received_text_is_kept_when_the_service_stored_less_of_the_reply(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("Half of it "), delta("arrived"), STOP)
        service.cuts_after(3)
        chat = await kit.open()
        await chat.said("Tell me")
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "Tell me", "created_at": TIME},
            {"id": "m1", "role": "assistant", "content": "Half", "created_at": TIME},
        ]

        await chat.session.act(chat.notice.key, Action.LOAD_REST)

        assert chat.text == "Half of it arrived"
        assert chat.says(ErrorCode.REPLY_ENDS_HERE)
        assert chat.notice.actions == (Action.SEND_AGAIN,)


async def test_a_reply_of_which_the_service_has_no_more_says_so(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("Half"), STOP)
        service.cuts_after(2)
        chat = await kit.open()
        await chat.said("Tell me")
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "Tell me", "created_at": TIME},
            {"id": "m1", "role": "assistant", "content": "Half", "created_at": TIME},
        ]

        await chat.session.act(chat.notice.key, Action.LOAD_REST)

        assert chat.says(ErrorCode.REPLY_ENDS_HERE)
        service.says("All of it.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert [message.text for message in chat.user_messages] == ["Tell me", "Tell me"]
        assert chat.text == "HalfAll of it."
        assert not chat.notices


@pytest.mark.spec("6-message-stop")
async def test_a_reply_without_its_end_is_not_done(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("No end"))
        chat = await kit.open()

        await chat.said("Tell me")

        assert chat.says(ErrorCode.REPLY_CUT)
        assert [turn.state for turn in await kit.turns()] == [TurnState.FAILED]


@pytest.mark.spec("5-invalid", "7.1-401")
async def test_a_wrong_key_offers_the_settings_and_keeps_the_message(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(401, "invalid_api_key")
        chat = await kit.open()

        await chat.said("Hi")

        assert chat.says(ErrorCode.INVALID_KEY)
        assert chat.notice.actions == (Action.OPEN_SETTINGS, Action.SEND_AGAIN)
        assert chat.user_messages[0].state is SendState.FAILED
        service.says("Welcome.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert (chat.text, len(chat.user_messages), chat.notices) == ("Welcome.", 1, [])


@pytest.mark.spec("7.1-404", "7.2-conversation-not-found")
async def test_a_conversation_that_is_gone_says_so_and_keeps_what_is_here(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Old"), ("assistant", "Older"))
        chat = await kit.open()
        del service.conversations["c1"]

        await chat.session.load()

        assert chat.says(ErrorCode.CONVERSATION_GONE)
        assert chat.session.state.is_missing
        assert chat.text == "Older"


async def test_messages_behind_one_that_failed_wait_for_a_click(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("Half"), STOP)
        service.cuts_after(2)
        go_on = service.pauses_after(2)
        chat = await kit.open()
        await chat.send("One")
        await chat.shows("Half")
        await chat.send("Two")

        go_on.set()
        await chat.is_idle()

        held = chat.user_messages[1]
        assert held.state is SendState.HELD
        service.says("Two it is.")
        for _ in range(2):
            await chat.session.act(held.key, Action.SEND_NOW)
        await chat.is_idle()
        assert chat.text == "HalfTwo it is."


async def test_a_stream_cut_behind_a_call_is_not_whole_and_goes_on_with_it_on_a_click(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        uses = [sse("tool_use", id=id_, name="current_time", input={}) for id_ in ("a", "b")]
        service.sends(START, *uses, STOP)
        service.cuts_after(3)
        service.says("One. ")
        service.says("Two.")
        chat = await kit.open()

        await chat.said("Twice")
        assert chat.says(ErrorCode.REPLY_CUT)
        assert posts(service) == ["/v1/chat/stream"]
        service.conversations["c1"] = stored(("u1", "user", "Twice"))
        await chat.session.act(chat.notice.key, Action.LOAD_REST)
        for _ in range(2):
            await chat.allow()
        await chat.is_idle()

        assert chat.text == "One. Two."
        assert not chat.notices


async def test_a_stream_that_ends_in_order_behind_a_call_goes_on_with_it(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, sse("tool_use", id="a", name="current_time", input={}))
        service.says("Noon.")
        chat = await kit.open()

        await chat.send("When?")
        await chat.allow()
        await chat.is_idle()

        assert chat.text == "Noon."
        assert not chat.notices


async def test_a_service_that_is_gone_is_named_and_the_message_kept(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await service.stops()

            await chat.said("Hi")

            assert chat.notice.words.text == explain(StoredFailure(ErrorCode.CONNECT_REFUSED)).text
            assert chat.notice.words.sentence.endswith("Your message was kept.")
            assert chat.notice.actions == (Action.SEND_AGAIN,)
            assert [turn.text for turn in await kit.turns()] == ["Hi"]
            assert chat.user_messages[0].state is SendState.FAILED


async def test_the_chat_opens_from_this_computer_when_the_service_is_gone(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1", ("user", "Old"), ("assistant", "Older"))
        async with chat_kit(tmp_path, service) as kit:
            await kit.open()
        await service.stops()

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            assert chat.text == "Older"
            assert chat.notice.actions == (Action.CHECK_AGAIN,)


async def test_a_second_click_on_send_again_sends_nothing_twice(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("Half"), STOP)
        service.cuts_after(2)
        service.says("Whole.")
        chat = await kit.open()
        await chat.said("Tell me")
        key = chat.notice.key

        clicks = [chat.session.act(key, Action.SEND_AGAIN) for _ in range(3)]
        await asyncio.gather(*clicks)
        await chat.is_idle()

        assert len(chat.user_messages) == 2
        assert posts(service) == ["/v1/chat/stream"] * 2


async def test_a_message_refused_for_its_conversation_marks_the_chat_as_missing(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(404, "conversation_not_found")
        chat = await kit.open()

        await chat.said("Hi")

        assert chat.says(ErrorCode.CONVERSATION_GONE)
        assert chat.notice.actions == ()
        assert chat.session.state.is_missing
