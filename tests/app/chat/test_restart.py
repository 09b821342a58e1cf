"""The program killed at the worst moments: nothing is lost, and nothing runs or is sent twice."""

import asyncio
import os
from pathlib import Path

import pytest

from app.chat.items import Action, CallState, SendState
from app.common.error_messages import ErrorCode, explain
from app.store.records import StoredFailure, TurnState
from local_tools.ledger.steps import INTERRUPTED_TEXT, Step
from tests.support.chat_fixtures import START, STOP, chat_kit, posts, stored
from tests.support.chat_processes import chatting
from tests.support.fake_service import FakeService, delta, sse

pytestmark = pytest.mark.anyio

_LIMIT_S = 20.0


async def test_killed_while_sending_the_message_is_found_again_and_not_sent_twice(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.hangs()
        async with chatting(tmp_path, service.address, "Are you there?") as child:
            await service.received(2)
            await child.is_killed()

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            assert [message.text for message in chat.user_messages] == ["Are you there?"]
            assert chat.user_messages[0].state is SendState.FAILED
            assert chat.says(ErrorCode.MESSAGE_NOT_DELIVERED)
            assert posts(service) == ["/v1/chat/stream"]


async def test_killed_while_sending_a_message_that_arrived_shows_its_reply(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.hangs()
        async with chatting(tmp_path, service.address, "Are you there?") as child:
            await service.received(2)
            await child.is_killed()
        service.conversations["c1"] = stored(
            ("u1", "user", "Are you there?"), ("a1", "assistant", "Always.")
        )

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            assert chat.text == "Always."
            assert len(chat.user_messages) == 1
            assert chat.says(ErrorCode.REPLY_ENDS_HERE)


async def test_killed_in_mid_reply_what_came_is_shown_before_the_service_is_asked(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.sends(START, delta("Once upon"), delta(" a time"))
        service.hangs_after(2)
        async with chatting(tmp_path, service.address, "A story") as child:
            await child.comes_to("kept")
            await child.is_killed()
        service.fails_with(500, method="GET")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            assert chat.text == "Once upon"
            assert chat.notices[0].words.text == explain(StoredFailure(ErrorCode.REPLY_CLOSED)).text
            service.conversations["c1"] = stored(
                ("u1", "user", "A story"), ("m1", "assistant", "Once upon a time.")
            )
            await chat.session.act(chat.notices[0].key, Action.LOAD_REST)
            assert chat.text == "Once upon a time."
            assert chat.says(ErrorCode.REPLY_CLOSED)
            assert chat.notice.actions == (Action.SEND_AGAIN,)
            assert [turn.state for turn in await kit.turns()] == [TurnState.DONE]


async def test_killed_while_a_card_waits_the_card_comes_again(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.asks_tool("current_time", {}, after=["Let me see. "])
        async with chatting(tmp_path, service.address, "When?") as child:
            await child.comes_to("asking")
            await child.is_killed()
        service.conversations["c1"] = stored(
            ("u1", "user", "When?"), ("message-1", "assistant", "Let me see. ")
        )
        service.says("Noon.")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.allow()
            await chat.is_idle()

            assert chat.text == "Let me see. Noon."
            assert [row.state for row in chat.tool_rows] == [CallState.DONE]
            assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
            assert not chat.notices
            assert chat.mirror == list(chat.items)


async def test_killed_while_a_tool_runs_it_is_never_run_again(tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    command = ["sh", "-c", "echo ran >> ran.txt; echo go > started; exec sleep 600"]
    async with FakeService() as service:
        service.holds("c1")
        service.asks_tool("run_command", {"argv": command})
        async with chatting(tmp_path, service.address, "Run it", mode="allow") as child:
            await _something_in(started)
            await child.is_killed()
        service.conversations["c1"] = stored(("u1", "user", "Run it"))
        service.says("I see.")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.is_idle()

            assert (tmp_path / "ran.txt").read_text(encoding="utf-8") == "ran\n"
            assert service.requests[-1].json["result"] == INTERRUPTED_TEXT
            assert chat.tool_rows[0].state is CallState.INTERRUPTED
            assert chat.text == "I see."
            assert [call.step for call in await kit.calls()] == [Step.ACKNOWLEDGED]


async def test_killed_while_a_result_is_posted_it_is_not_posted_again_by_itself(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.hangs()
        async with chatting(tmp_path, service.address, "When?", mode="allow") as child:
            await service.received(3)
            await child.is_killed()
        service.conversations["c1"] = stored(("u1", "user", "When?"))

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.is_idle()

            assert posts(service) == ["/v1/chat/stream", "/v1/tool-result"]
            assert chat.says(ErrorCode.RESULT_UNCONFIRMED)
            service.says("Noon.")
            await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
            await chat.is_idle()
            first, second = [r.json for r in service.requests if r.path == "/v1/tool-result"]
            assert first == second
            assert chat.text == "Noon."


async def test_messages_that_waited_are_there_and_wait_for_a_click(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.sends(START, delta("One"))
        service.hangs_after(2)
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.send("First")
            await chat.shows("One")
            await chat.send("Second")
        service.conversations["c1"] = stored(("u1", "user", "First"), ("m1", "assistant", "One!"))

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            assert [m.text for m in chat.user_messages] == ["First", "Second"]
            assert chat.user_messages[1].state is SendState.HELD
            assert chat.says(ErrorCode.REPLY_CLOSED)
            assert not chat.session.state.is_busy
            assert chat.text == "One!"
            service.says("Two")
            await chat.session.act(chat.user_messages[1].key, Action.SEND_NOW)
            await chat.is_idle()
            assert chat.text == "One!Two"
            assert chat.says(ErrorCode.REPLY_CLOSED)


async def test_error_that_comes_while_the_program_closes_is_not_what_is_said_later(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.sends(START, delta("Half"), sse("error", message="The service is stopping."))
        go_on = service.pauses_after(2)
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.send("Go")
            await chat.shows("Half")
            go_on.set()
            await kit.sessions.aclose()
        service.fails_with(500, method="GET")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            assert chat.text == "Half"
            assert chat.notices[0].words.text == explain(StoredFailure(ErrorCode.REPLY_CLOSED)).text


async def test_tool_rows_and_who_answered_are_shown_again(tmp_path: Path) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.sends(
            sse(
                "message_start",
                message_id="m1",
                conversation_id="$conversation",
                agent_name="writer",
                agent_display_name="Writer",
            ),
            delta("Before. "),
            sse("tool_use", id="a", name="current_time", input={}),
            STOP,
        )
        service.sends(START, delta("After."), STOP)
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.send("When?")
            await chat.allow()
            await chat.is_idle()
            before = chat.items
        service.conversations["c1"] = stored(
            ("u1", "user", "When?"), ("m1", "assistant", "Before. After.")
        )

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()

            assert [type(item) for item in chat.items] == [type(item) for item in before]
            assert chat.tool_rows == [item for item in before if item in chat.tool_rows]
            assert chat.text == "Before. After."
            assert [turn.state for turn in await kit.turns()] == [TurnState.DONE]


async def _something_in(fifo: Path) -> None:
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()
    descriptor = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    loop.add_reader(descriptor, arrived.set)
    try:
        async with asyncio.timeout(_LIMIT_S):
            await arrived.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
