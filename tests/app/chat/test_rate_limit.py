"""Asked too often: wait as long as told, with a countdown, and not for ever."""

from pathlib import Path

import pytest

from app.chat.items import Action, Notice, SendState, UserMessage
from app.common.error_messages import ErrorCode
from app.store.records import TurnState
from local_tools.ledger.steps import Step
from tests.support.chat_fixtures import chat_kit, posts, results
from tests.support.fake_service import FakeService

pytestmark = pytest.mark.anyio


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

        assert chat.says(ErrorCode.RATE_LIMIT_WAIT, seconds=12)
        assert chat.notice.until == kit.clock.now() + 12
        assert chat.notice.actions == (Action.CANCEL,)
        assert chat.user_messages[0].state is SendState.SENDING
        kit.clock.advance(12)
        await chat.is_idle()
        assert chat.text == "At last."
        assert not chat.notices
        assert len(posts(service)) == 2


async def test_stop_while_a_message_waits_sends_nothing_and_asks_nobody(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(429, "rate_limited", retry_after=12)
        chat = await kit.open()
        await chat.send("Hi")
        await chat.until(lambda: bool(chat.notices))
        asked = len(service.requests)

        chat.session.stop()
        await chat.is_idle()

        assert chat.says(ErrorCode.STOPPED_UNSENT)
        (turn,) = await kit.turns()
        assert (turn.state, len(service.requests)) == (TurnState.STOPPED, asked)


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


async def test_notice_of_a_message_is_below_it_and_above_waiting_messages(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(429, retry_after=12)
        service.fails_with(429, retry_after=13)
        service.fails_with(403)
        chat = await kit.open()

        await chat.send("One")
        await chat.until(lambda: bool(chat.notices))
        await chat.send("Two")
        kit.clock.advance(12)
        await chat.until(lambda: bool(chat.notices) and chat.says("rate_limit_wait", seconds=13))
        assert [type(item) for item in chat.items] == [UserMessage, Notice, UserMessage]
        kit.clock.advance(13)
        await chat.is_idle()

        assert [type(item) for item in chat.items][:2] == [UserMessage, Notice]
        assert chat.user_messages[0].state is SendState.FAILED
        assert len(chat.user_messages) == 2


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
        # There is none.
        assert "Retrying" not in chat.notice.words.sentence
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

        assert chat.says(ErrorCode.STOPPED_UNSENT)
        assert chat.user_messages[0].state is SendState.UNSENT
        assert not chat.session.state.has_failed
        service.says("Now.")
        await chat.session.act(chat.notice.key, Action.TRY_AGAIN)
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


async def test_a_result_for_a_conversation_that_is_busy_is_sent_when_it_is_free(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.fails_with(409, "conversation_busy")
        service.says("Noon.")
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.until(lambda: bool(chat.notices))

        until = chat.notice.until
        assert until is not None
        assert "still answering" in chat.notice.words.text
        kit.clock.advance(until - kit.clock.now())
        await chat.is_idle()

        assert chat.text == "Noon."
        assert not chat.notices
        (first, second) = results(service)
        assert first == second


async def test_result_beyond_the_limit_of_a_day_is_kept_for_a_click(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.fails_with(429, "ceiling_reached", "Used up for today.", retry_after=25_610)
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()

        assert chat.says(ErrorCode.RESULT_NOT_POSTED)
        service.says("Noon.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert chat.text == "Noon."


async def test_a_result_for_a_conversation_that_stays_busy_is_kept_for_a_click(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        for _ in range(6):
            service.fails_with(409, "conversation_busy")
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        for _ in range(5):
            await chat.until(lambda: any(n.until for n in chat.notices))
            kit.clock.advance(60)
            await chat.until(lambda: not any(n.until for n in chat.notices))
        await chat.is_idle()

        assert chat.says(ErrorCode.RESULT_NOT_POSTED)
        service.says("Noon.")
        await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()
        assert chat.text == "Noon."
        assert len({result for _, result in results(service)}) == 1
        assert len(results(service)) == 7


async def test_a_result_that_has_another_already_is_not_sent_again(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.fails_with(409, "tool_result_conflict")
        chat = await kit.open()
        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()

        assert chat.says(ErrorCode.TOOL_CALL_OVER)
        assert len(results(service)) == 1


async def test_a_refused_look_at_the_chat_promises_no_next_try(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.fails_with(429, retry_after=12, method="GET")

        chat = await kit.open()

        assert chat.says(ErrorCode.RATE_LIMITED)
        assert "Retrying" not in chat.notice.words.sentence
