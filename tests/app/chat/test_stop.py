"""Stop at any moment: what arrived stays, what runs ends, what waits is closed."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.approvals.queue import Released
from app.chat.items import Action, CallState, ReplyPart, SendState, Tone, tool_call
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import TurnState
from local_tools.ledger.steps import CallFilter, Step
from tests.support.chat_fixtures import START, chat_kit, posts, results
from tests.support.fake_service import TIME, FakeService, delta

pytestmark = pytest.mark.anyio

_PASSWORD = "password=hunter" + "2!"


async def test_stop_while_streaming_keeps_what_arrived(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("So far "), delta("so good"))
        service.hangs_after(2)
        chat = await kit.open()
        await chat.send("Go")
        await chat.shows("So far")

        chat.session.stop()
        await chat.is_idle()

        reply = chat.items[1]
        assert isinstance(reply, ReplyPart)
        assert (reply.text, reply.is_streaming) == ("So far ", False)
        assert chat.says(ErrorCode.STOPPED)
        (turn,) = await kit.turns()
        assert (turn.state, turn.pieces[0].text) == (TurnState.STOPPED, "So far ")
        await service.hung_up()
        assert not chat.session.state.has_failed


@pytest.mark.expects_log("Cannot read the record", "was not recorded")
async def test_stop_ends_the_turn_when_the_record_cannot_be_read_any_more(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("So far "), delta("so good"))
        service.hangs_after(2)
        chat = await kit.open()
        await chat.send("Go")
        await chat.shows("So far")
        await chat.send("And then?")
        with closing(sqlite3.connect(tmp_path / "ledger.db")) as ledger:
            ledger.execute("ALTER TABLE entries RENAME TO elsewhere")

        chat.session.stop()
        await chat.is_idle()

        first, second = await kit.turns()
        assert first.state is TurnState.STOPPED
        assert (second.state, chat.user_messages[-1].state) == (TurnState.QUEUED, SendState.HELD)


async def test_asking_for_the_rest_while_a_reply_comes_says_when_that_can_be_done(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(START, delta("So far "), delta("so good"))
        service.hangs_after(2)
        chat = await kit.open()
        await chat.send("Go")
        await chat.shows("So far")

        with pytest.raises(UserFacingError) as caught:
            await chat.session.act("chat!", Action.CHECK_AGAIN)
        chat.session.stop()
        await chat.is_idle()

        assert caught.value.reason == ErrorCode.CHECK_LATER


async def test_stop_before_an_answer_asks_whether_the_message_arrived(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.hangs()
        chat = await kit.open()
        await chat.send("Go")
        await service.received(2)

        chat.session.stop()
        await chat.is_idle()

        assert chat.says(ErrorCode.STOPPED_UNSENT)
        assert chat.notice.actions == (Action.TRY_AGAIN,)
        assert chat.user_messages[0].state is SendState.UNSENT
        assert not chat.session.state.has_failed
        assert service.requests[-1].method == "GET"


async def test_stop_before_an_answer_shows_a_message_that_did_arrive(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.hangs()
        chat = await kit.open()
        await chat.send("Go")
        await service.received(2)
        service.conversations["c1"] = [
            {"id": "u1", "role": "user", "content": "Go", "created_at": TIME}
        ]

        chat.session.stop()
        await chat.is_idle()

        assert chat.says(ErrorCode.STOPPED_BEFORE_REPLY)
        assert chat.user_messages[0].state is SendState.SENT
        assert not chat.session.state.has_failed


@pytest.mark.parametrize("events", [(), (START,)])
async def test_stop_before_the_first_word_says_so_and_offers_to_try_again(
    tmp_path: Path, events: tuple[bytes, ...]
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.sends(*events, delta("Too late"))
        service.hangs_after(len(events))
        chat = await kit.open()
        await chat.send("Go")
        await chat.until(lambda: chat.session.state.turn is TurnState.STREAMING)

        chat.session.stop()
        await chat.is_idle()

        assert chat.says(ErrorCode.STOPPED_BEFORE_REPLY)
        assert (chat.notice.tone, chat.notice.actions) == (Tone.INFO, (Action.TRY_AGAIN,))
        assert [message.state for message in chat.user_messages] == [SendState.SENT]
        assert not chat.session.state.has_failed
        service.says("Here.")
        await chat.session.act(chat.notice.key, Action.TRY_AGAIN)
        await chat.is_idle()
        assert chat.text == "Here."


async def test_stop_closes_the_card_and_runs_nothing(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("write_file", {"path": "a.txt", "content": "x"})
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)
        await chat.send("Write")
        await chat.asks()

        chat.session.stop()
        await chat.is_idle()

        assert kit.approvals.waiting("c1") == ()
        assert chat.tool_rows[0].state is CallState.INTERRUPTED
        (call,) = await kit.calls()
        assert (call.step, call.details.decision) == (Step.DECIDED, "closed")
        assert not (tmp_path / "a.txt").exists()
        assert [r.path for r in service.requests if r.method == "POST"] == ["/v1/chat/stream"]


async def test_stop_ends_a_running_tool_and_records_it(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("run_shell", {"command": "echo half; exec sleep 600"})
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)
        await chat.send("Wait")
        await chat.allow()
        await chat.until(lambda: bool(chat.tool_rows) and "half" in chat.tool_rows[0].output_text)
        assert chat.session.state.turn is TurnState.RUNNING

        chat.session.stop()
        await chat.is_idle()

        (row,) = chat.tool_rows
        assert row.state is CallState.INTERRUPTED
        (call,) = await kit.calls()
        assert call.step is Step.FINISHED
        assert tool_call(call).state is CallState.INTERRUPTED
        # What it wrote until then is on record; nobody is told of it.
        assert call.result_text == row.output_text
        assert row.output_text.endswith(" s. Output until then:\n\nhalf\n")
        assert chat.says(ErrorCode.STOPPED)
        assert results(service) == []


async def test_a_running_tool_shows_what_it_writes_and_is_stopped_by_itself(
    tmp_path: Path,
) -> None:
    """The assistant is told what it wrote, through the gate as with any result."""
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        # What it starts outlives it, unless everything is ended.
        script = f"echo hello; echo {_PASSWORD}; (sleep 600; echo late > late.txt) & sleep 600"
        service.asks_tool("run_shell", {"command": script})
        service.says("I see.")
        chat = await kit.open()
        await chat.session.set_folder(tmp_path)
        await chat.send("Wait")
        await chat.allow()
        await chat.until(
            lambda: bool(chat.tool_rows) and _PASSWORD in chat.tool_rows[0].output_text
        )
        (row,) = chat.tool_rows
        assert row.state is CallState.RUNNING

        await chat.session.act(row.key, Action.STOP_CALL)
        held = await chat.holds()
        # It is over: to stop it once more does nothing.
        await chat.session.act(row.key, Action.STOP_CALL)
        assert kit.approvals.answer(held.request_id, held.generation, Released())
        await chat.is_idle()

        assert chat.text == "I see."
        ((_, told),) = results(service)
        assert re.match(
            r"Error: stopped by the user after \d+\.\d s\. Output until then:\n\n", told
        )
        assert "hello" in told
        assert "hunter" not in told
        (row,) = chat.tool_rows
        assert row.state is CallState.FAILED
        assert row.output_text == told
        assert (row.duration_ms or 0) / 1000 == pytest.approx(_seconds_in(told), abs=0.06)
        assert not list((tmp_path / "undo").rglob("output"))
        # The row of a call that is over stops nothing.
        await chat.session.act(row.key, Action.STOP_CALL)


@pytest.mark.security(88)
@pytest.mark.parametrize("ends_turn", [False, True])
async def test_files_renamed_after_a_stopped_call_are_reported(
    tmp_path: Path, ends_turn: bool
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        script = "echo ./evil > .envrc; echo half; exec sleep 600"
        service.asks_tool("run_shell", {"command": script})
        if not ends_turn:
            service.says("I see.")
        chat = await kit.open()
        await chat.session.set_folder(folder)
        await chat.send("Wait")
        await chat.allow()
        await chat.until(lambda: bool(chat.tool_rows) and "half" in chat.tool_rows[0].output_text)

        if ends_turn:
            chat.session.stop()
        else:
            await chat.session.act(chat.tool_rows[0].key, Action.STOP_CALL)
            held = await chat.holds()
            assert kit.approvals.answer(held.request_id, held.generation, Released())
        await chat.is_idle()

        steps = await kit.dependencies.ledger.entries(CallFilter())
        (finished,) = [step.text or "" for step in steps if step.entry.step == Step.FINISHED]
        (row,) = chat.tool_rows
        assert (row.title, row.target) == ("Run shell command", script)
        assert ".envrc (now .envrc.set-aside). Output until then:\n\nhalf\n" in finished


async def test_stop_while_a_result_waits_for_its_answer(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.hangs()
        chat = await kit.open()
        await chat.send("When?")
        await chat.allow()
        await service.received(3)

        chat.session.stop()
        await chat.is_idle()

        assert chat.says(ErrorCode.STOPPED)
        assert chat.tool_rows[0].state is CallState.DONE


async def test_a_message_after_stop_is_sent_as_usual(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.says("Moving on.")
        chat = await kit.open()
        await chat.send("When?")
        await chat.asks()
        chat.session.stop()
        await chat.is_idle()

        await chat.said("Never mind")

        assert chat.text == "Moving on."
        assert chat.session.state.turn is None


async def test_stop_before_anything_began_leaves_the_message_waiting_for_a_click(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Here.")
        chat = await kit.open()
        await chat.said("There?")

        await chat.send("Go")
        chat.session.stop()
        await chat.is_idle()

        held = chat.user_messages[-1]
        assert (held.text, held.state) == ("Go", SendState.HELD)
        assert chat.notices == []
        assert posts(service) == ["/v1/chat/stream"]


async def test_a_message_at_work_cannot_be_taken_back(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.says("Too late.")
        chat = await kit.open()
        texts: list[str] = []

        await chat.send("Go")
        texts.append(await chat.session.withdraw(chat.user_messages[0].key))
        await chat.is_idle()

        assert texts == [""]
        assert chat.text == "Too late."


def _seconds_in(told: str) -> float:
    found = re.match(r"Error: stopped by the user after (\d+\.\d) s\.", told)
    assert found is not None
    return float(found[1])
