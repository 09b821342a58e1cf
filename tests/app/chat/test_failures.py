"""What goes wrong on the way: nothing is lost, nothing is sent twice, and it is said in words."""

import asyncio
from pathlib import Path

import pytest

from app.chat.items import Action, SendState, Tone
from app.error_text import Reason, explain
from app.store.rows import KeptFailure, TurnState
from local_tools.ledger import Step
from tests.support.chat import Chat, chat_kit
from tests.support.fake_service import TIME, FakeService, delta, sse

pytestmark = pytest.mark.anyio

START = sse("message_start", message_id="m1", conversation_id="$conversation")
STOP = sse("message_stop")


def says(chat: Chat, reason: str, **values: str | int) -> bool:
    return chat.notice.words.sentence == explain(KeptFailure(reason, values)).sentence


def posts(service: FakeService) -> list[str]:
    return [request.path for request in service.requests if request.method == "POST"]


@pytest.mark.spec("7.1-429", "8-exceeded")
async def test_a_rate_limit_is_waited_for_with_a_countdown_and_then_sent(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(429, "rate_limited", retry_after=12)
        service.says("At last.")
        chat = await kit.open()

        await chat.send("Hi")
        await chat.until(lambda: chat.session.state.turn is TurnState.WAITING)
        await chat.until(lambda: bool(chat.notices))

        assert says(chat, Reason.RATE_LIMITED, seconds=12)
        assert chat.notice.until == kit.clock.now() + 12
        assert chat.notice.actions == (Action.CANCEL,)
        assert chat.user_messages[0].state is SendState.SENDING
        kit.clock.advance(12)
        await chat.is_idle()
        assert chat.text == "At last."
        assert not chat.notices
        assert len(posts(service)) == 2


@pytest.mark.parametrize(("told", "least", "most"), [("0", 1, 1), ("3600", 120, 120), (None, 2, 3)])
async def test_the_wait_is_kept_within_bounds_and_guessed_when_it_is_not_told(
    tmp_path: Path, told: str | None, least: float, most: float
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(429, retry_after=told)
        service.says("Good.")
        chat = await kit.open()

        await chat.send("Hi")
        await chat.until(lambda: bool(chat.notices))

        until = chat.notice.until
        assert until is not None
        assert least <= until - kit.clock.now() <= most
        kit.clock.advance(most)
        await chat.is_idle()


async def test_after_five_waits_the_message_waits_for_a_click(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        for _ in range(6):
            service.fails_with(429, retry_after=1)
        chat = await kit.open()

        await chat.send("Hi")
        for _ in range(5):
            await chat.until(lambda: any(n.until for n in chat.notices))
            kit.clock.advance(1)
            await chat.until(lambda: not any(n.until for n in chat.notices))
        await chat.is_idle()

        assert chat.user_messages[0].state is SendState.FAILED
        assert chat.notice.actions == (Action.SEND_AGAIN,)
        assert len(posts(service)) == 6


async def test_a_wait_that_is_cancelled_leaves_the_message_unsent(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(429, retry_after=60)
        chat = await kit.open()
        await chat.send("Hi")
        await chat.until(lambda: bool(chat.notices))

        await chat.session.act(chat.notice.key, Action.CANCEL)
        await chat.is_idle()

        assert says(chat, Reason.STOPPED_UNSENT)
        assert chat.user_messages[0].state is SendState.FAILED
        service.says("Now.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert (chat.text, len(chat.user_messages)) == ("Now.", 1)


async def test_a_rate_limit_on_a_result_is_waited_for_too(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.fails_with(429, retry_after=5)
        service.says("Late.")
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.until(lambda: bool(chat.notices))

        assert chat.user_messages[0].state is SendState.SENT
        kit.clock.advance(5)
        await chat.is_idle()

        assert chat.text == "Late."
        assert [call.step for call in await kit.calls()] == [Step.ACKNOWLEDGED]


async def test_a_cut_reply_keeps_what_came_and_the_rest_can_be_loaded(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("Half of "), delta("it"), STOP)
        service.cuts_after(2)
        chat = await kit.open()

        await chat.said("Tell me")

        assert chat.text == "Half of "
        assert says(chat, Reason.REPLY_CUT)
        assert chat.notice.actions == (Action.LOAD_REST, Action.SEND_AGAIN)
        assert chat.notice.tone is Tone.BAD
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "Tell me", "created_at": TIME},
            {"id": "m1", "role": "assistant", "content": "Half of it", "created_at": TIME},
        ]
        await chat.session.act(chat.notice.key, Action.LOAD_REST)
        assert chat.text == "Half of it"
        assert not chat.notices
        assert [turn.state for turn in await kit.turns()] == [TurnState.DONE]
        assert chat.mirror == list(chat.items)


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

        assert says(chat, Reason.REPLY_ENDS_HERE)
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

        assert says(chat, Reason.REPLY_CUT)
        assert [turn.state for turn in await kit.turns()] == [TurnState.FAILED]


@pytest.mark.spec("5-invalid", "7.1-401")
async def test_a_wrong_key_offers_the_settings_and_keeps_the_message(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(401, "invalid_api_key")
        chat = await kit.open()

        await chat.said("Hi")

        assert says(chat, Reason.INVALID_KEY)
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

        assert says(chat, Reason.CONVERSATION_GONE)
        assert chat.session.state.is_missing
        assert chat.text == "Older"


async def test_a_message_that_surely_did_not_arrive_can_be_sent_again(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.cuts()
        chat = await kit.open()

        await chat.said("Hi")

        assert says(chat, Reason.CONNECTION_LOST)
        assert chat.user_messages[0].state is SendState.FAILED
        assert len(posts(service)) == 1
        service.says("There you are.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert (chat.text, len(chat.user_messages)) == ("There you are.", 1)


async def test_a_message_that_arrived_all_the_same_is_not_sent_again(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "Hi"), ("assistant", "Earlier."))
        chat = await kit.open()
        service.cuts()
        service.conversations["c1"] += [
            {"id": "u2", "role": "user", "content": "Hi", "created_at": TIME},
            {"id": "m2", "role": "assistant", "content": "Here I am.", "created_at": TIME},
        ]

        await chat.said("Hi")

        assert chat.text == "Earlier.Here I am."
        assert not chat.notices
        assert len(posts(service)) == 1
        assert [turn.state for turn in await kit.turns()] == [TurnState.DONE]


async def test_the_same_words_from_before_do_not_count_as_delivered(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1", ("user", "yes"), ("assistant", "Good."))
        chat = await kit.open()
        service.cuts()

        await chat.said("yes")

        assert chat.user_messages[1].state is SendState.FAILED
        assert chat.text == "Good."


async def test_the_same_words_sent_twice_are_told_apart(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        service.says("First yes.")
        await chat.said("yes")
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "yes", "created_at": TIME},
            {"id": "message-1", "role": "assistant", "content": "First yes.", "created_at": TIME},
        ]
        service.cuts()

        await chat.said("yes")

        assert [message.state for message in chat.user_messages] == [
            SendState.SENT,
            SendState.FAILED,
        ]


async def test_a_message_of_which_nobody_can_tell_offers_to_check(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        service.cuts()
        service.fails_with(500, method="GET")

        await chat.said("Hi")

        assert says(chat, Reason.MESSAGE_UNCONFIRMED)
        assert chat.notice.actions == (Action.CHECK_AGAIN, Action.SEND_AGAIN)
        assert chat.user_messages[0].state is SendState.UNCONFIRMED
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "Hi", "created_at": TIME},
        ]
        await chat.session.act(chat.notice.key, Action.CHECK_AGAIN)
        assert says(chat, Reason.REPLY_MISSING)
        assert [message.state for message in chat.user_messages] == [SendState.SENT]


@pytest.mark.spec("7.1-500")
async def test_a_failure_of_the_service_before_the_reply_is_told(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(500, "internal_error", "oh no")
        chat = await kit.open()

        await chat.said("Hi")

        assert says(chat, Reason.SERVER_FAILED)
        assert chat.notice.actions == (Action.SEND_AGAIN,)


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

        held = chat.notices[-1]
        assert held.words == explain(KeptFailure(Reason.MESSAGE_HELD))
        assert chat.user_messages[1].state is SendState.QUEUED
        service.says("Two it is.")
        await chat.session.act(held.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert chat.text == "HalfTwo it is."


async def test_a_result_that_could_not_be_posted_is_kept_and_posted_on_a_click(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.fails_with(401, "invalid_api_key")
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()
        assert says(chat, Reason.RESULT_NOT_POSTED)

        service.says("Noon.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()

        assert chat.text == "Noon."
        assert not chat.notices
        (first, second) = [r.json for r in service.requests if r.path == "/v1/tool-result"]
        assert first == second
        assert len(await kit.calls()) == 1


async def test_a_result_that_may_have_arrived_is_not_posted_again_by_itself(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.cuts()
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()

        assert says(chat, Reason.RESULT_UNCONFIRMED)
        await chat.session.load()
        await chat.is_idle()
        assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
        assert chat.notice.actions == (Action.CHECK_AGAIN, Action.SEND_AGAIN)


async def test_a_stream_cut_between_two_calls_goes_on_with_the_second(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        uses = [sse("tool_use", id=id_, name="current_time", input={}) for id_ in ("a", "b")]
        service.sends(START, *uses, STOP)
        service.cuts_after(3)
        service.says("One. ")
        service.says("Two.")
        chat = await kit.open()

        await chat.send("Twice")
        for _ in range(2):
            await chat.allow()
        await chat.is_idle()

        assert chat.text == "One. Two."
        assert not chat.notices


async def test_a_service_that_is_gone_is_named_and_the_message_kept(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await service.stops()

            await chat.said("Hi")

            assert chat.notice.words.text == explain(KeptFailure(Reason.CONNECT_REFUSED)).text
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

        assert says(chat, Reason.CONVERSATION_GONE)
        assert chat.notice.actions == ()
        assert chat.session.state.is_missing
