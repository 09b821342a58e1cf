"""May have arrived: found out by asking, never sent twice without a click."""

from pathlib import Path

import pytest

from app.chat.items import Action, SendState
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import TurnState
from tests.support.chat_fixtures import START, STOP, chat_kit, posts, stored
from tests.support.fake_service import TIME, FakeService, delta, sse

pytestmark = pytest.mark.anyio


async def test_a_message_that_surely_did_not_arrive_can_be_sent_again(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.cuts()
        chat = await kit.open()

        await chat.said("Hi")

        assert chat.says(ErrorCode.CONNECTION_LOST)
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
        assert chat.says(ErrorCode.REPLY_ENDS_HERE)
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


async def test_the_same_words_sent_twice_are_distinguished(tmp_path: Path) -> None:
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

        assert chat.says(ErrorCode.MESSAGE_UNCONFIRMED)
        assert chat.notice.actions == (Action.CHECK_AGAIN, Action.SEND_AGAIN)
        assert chat.user_messages[0].state is SendState.UNCONFIRMED
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "Hi", "created_at": TIME},
        ]
        await chat.session.act(chat.notice.key, Action.CHECK_AGAIN)
        assert chat.says(ErrorCode.REPLY_MISSING)
        assert [message.state for message in chat.user_messages] == [SendState.SENT]


@pytest.mark.spec("7.1-500")
async def test_a_failure_of_the_service_before_the_reply_is_reported(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(500, "internal_error", "oh no")
        chat = await kit.open()

        await chat.said("Hi")

        assert chat.says(ErrorCode.SERVER_FAILED)
        assert chat.notice.actions == (Action.SEND_AGAIN,)


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
        assert chat.says(ErrorCode.RESULT_NOT_POSTED)

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

        assert chat.says(ErrorCode.RESULT_UNCONFIRMED)
        await chat.session.load()
        await chat.is_idle()
        assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
        assert chat.notice.actions == (Action.CHECK_AGAIN, Action.SEND_AGAIN)


async def test_a_result_that_did_arrive_shows_in_the_reply_of_the_service(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(
            START,
            delta("Let me see. "),
            sse("tool_use", id="a", name="current_time", input={}),
            STOP,
        )
        service.cuts()
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()
        service.conversations["c1"] = stored(
            ("u1", "user", "What time is it?"), ("m1", "assistant", "Let me see. Noon.")
        )

        await chat.session.act(chat.notice.key, Action.CHECK_AGAIN)

        assert chat.text == "Let me see. Noon."
        assert chat.says(ErrorCode.REPLY_ENDS_HERE)
        assert [turn.state for turn in await kit.turns()] == [TurnState.DONE]


def _late(service: FakeService, *replies: str) -> None:
    """Add what was thought lost to what the service holds."""
    service.conversations["c1"] += [
        {"id": "u9", "role": "user", "content": "Hi", "created_at": TIME},
        *(
            {"id": "m9", "role": "assistant", "content": reply, "created_at": TIME}
            for reply in replies
        ),
    ]


@pytest.mark.parametrize("reply", ["", "Here I am."])
async def test_a_message_that_came_through_late_is_shown_and_not_sent_again(
    tmp_path: Path, reply: str
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.cuts()
        chat = await kit.open()
        await chat.said("Hi")
        assert chat.says(ErrorCode.CONNECTION_LOST)
        _late(service, *filter(None, [reply]))

        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()

        assert posts(service) == ["/v1/chat/stream"]
        assert [message.state for message in chat.user_messages] == [SendState.SENT]
        assert chat.text == reply
        assert chat.says(ErrorCode.REPLY_ENDS_HERE if reply else ErrorCode.REPLY_MISSING)
        assert chat.mirror == list(chat.items)


async def test_a_message_that_may_have_arrived_is_not_sent_again_before_somebody_can_tell(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        service.cuts()
        service.fails_with(500, method="GET")
        await chat.said("Hi")
        assert chat.says(ErrorCode.MESSAGE_UNCONFIRMED)
        service.fails_with(500, method="GET")

        with pytest.raises(UserFacingError):
            await chat.session.act(chat.notice.key, Action.SEND_AGAIN)

        assert chat.user_messages[0].state is SendState.UNCONFIRMED
        assert posts(service) == ["/v1/chat/stream"]
        service.says("There you are.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert posts(service) == ["/v1/chat/stream"] * 2
        assert chat.text == "There you are."


async def test_a_message_that_came_late_while_parley_was_closed_is_not_sent_again(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        async with chat_kit(tmp_path, service) as kit:
            service.cuts()
            chat = await kit.open()
            await chat.said("Hi")
            # It was about to be sent again when the program ended.
            await kit.store.turns.requeue((await kit.turns())[0].turn_id)
        _late(service, "Here I am.")
        service.fails_with(500, method="GET")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.session.act(chat.user_messages[0].key, Action.SEND_NOW)
            await chat.is_idle()

            assert posts(service) == ["/v1/chat/stream"]
            assert (chat.text, len(chat.user_messages)) == ("Here I am.", 1)


async def test_a_result_that_came_through_late_is_not_sent_again(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.cuts()
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()
        assert chat.says(ErrorCode.RESULT_UNCONFIRMED)
        service.conversations["c1"] = stored(
            ("u1", "user", "What time is it?"), ("message-1", "assistant", "Noon.")
        )

        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()

        assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
        assert chat.text == "Noon."
        assert len(chat.user_messages) == 1


async def test_a_result_is_not_given_up_when_nobody_can_tell_whether_it_arrived(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.cuts()
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()
        service.fails_with(500, method="GET")

        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()

        assert chat.says(ErrorCode.RESULT_UNCONFIRMED)
        assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
        service.says("Noon.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert (chat.text, len(chat.user_messages)) == ("Noon.", 1)


async def test_stop_while_a_result_is_looked_for_says_nothing_of_an_unsent_message(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.cuts()
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()
        service.hangs("GET")
        before = len(service.requests)

        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await service.received(before + 1)
        chat.session.stop()
        await chat.is_idle()

        assert chat.says(ErrorCode.STOPPED)
        assert [message.state for message in chat.user_messages] == [SendState.SENT]
        assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
