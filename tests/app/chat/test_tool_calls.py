"""Tool calls inside a turn: each is judged, decided, recorded, and answered exactly once."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.chat.items import CallState
from app.store.records import TurnState
from local_tools.ledger.steps import Decider, Step
from tests.support.chat_fixtures import START, STOP, Chat, ChatKit, chat_kit, results
from tests.support.fake_service import FakeService, delta, sse

pytestmark = pytest.mark.anyio


def tool_use(call_id: str, name: str = "current_time", **fields: Any) -> bytes:
    return sse("tool_use", id=call_id, name=name, input=fields)


async def ready_chat(service: FakeService, kit: ChatKit) -> Chat:
    service.holds("c1")
    chat = await kit.open()
    await chat.session.set_folder(kit.home)
    return chat


@pytest.mark.spec("1-client-tool-round", "4.5-tool-result", "6-tool-use")
async def test_an_allowed_tool_runs_and_the_reply_goes_on_with_its_result(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("forty-two", encoding="utf-8")
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("read_file", {"path": "notes.txt"}, after=["Let me look. "])
        service.says("It says forty-two.")
        chat = await ready_chat(service, kit)

        await chat.send("What do my notes say?")
        card = await chat.asks()
        assert card.request.prepared.input_text == json.dumps({"path": "notes.txt"}).replace(
            ": ", ":"
        )
        assert chat.session.state.turn is TurnState.ASKING
        assert chat.tool_rows[0].state is CallState.WAITING
        await chat.allow()
        await chat.is_idle()

        assert chat.text == "Let me look. It says forty-two."
        (row,) = chat.tool_rows
        assert (row.state, row.tool, row.decider) == (
            CallState.DONE,
            "read_file",
            Decider.USER,
        )
        assert row.target == str(tmp_path / "notes.txt")
        assert row.duration_ms is not None
        ((call_id, result),) = results(service)
        assert call_id == "call-1"
        assert "forty-two" in result
        assert row.output_text == result
        (call,) = await kit.calls()
        assert call.step is Step.ACKNOWLEDGED
        assert chat.mirror == list(chat.items)


@pytest.mark.spec("4.4-client-tools", "2.7-tool-definition")
async def test_every_tool_is_declared_with_the_message(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.says("Good.")
        chat = await ready_chat(service, kit)

        await chat.said("What can you do?")

        declared = {tool["name"]: tool for tool in service.requests[-1].json["client_tools"]}
        assert {"read_file", "write_file", "list_folder", "run_command"} <= declared.keys()
        assert declared["read_file"]["input_schema"]["type"] == "object"
        assert "path" in declared["read_file"]["input_schema"]["properties"]


async def test_a_denied_tool_does_not_run_and_the_reason_is_told_plainly(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("write_file", {"path": "a.txt", "content": "no"})
        service.says("Then not.")
        chat = await ready_chat(service, kit)

        await chat.send("Write it down")
        await chat.deny("Not in this folder.")
        await chat.is_idle()

        assert results(service) == [
            ("call-1", "The user declined to run this tool. Reason: Not in this folder.")
        ]
        assert not (tmp_path / "a.txt").exists()
        assert chat.tool_rows[0].state is CallState.DENIED
        assert chat.text == "Then not."


async def test_a_denial_without_a_reason_gives_none(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("current_time", {})
        service.says("Fine.")
        chat = await ready_chat(service, kit)

        await chat.send("What time is it?")
        await chat.deny(" ")
        await chat.is_idle()

        assert results(service) == [("call-1", "The user declined to run this tool.")]


@pytest.mark.security(16)
async def test_an_unknown_tool_is_answered_without_a_card(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("format_disk", {"all": True})
        service.says("Sorry.")
        chat = await ready_chat(service, kit)

        await chat.said("Clean up")

        assert results(service) == [("call-1", "Error: unknown tool “format_disk”.")]
        assert [row.title for row in chat.tool_rows] == ["format_disk"]
        assert not any(state.is_asking for state in chat.states)
        assert chat.tool_rows[0].state is CallState.REFUSED


@pytest.mark.security(18)
@pytest.mark.spec("4.5-failed-run")
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"path": 7},
        {"path": "notes.txt", "colour": "red"},
        {"path": "../outside.txt", "x": [[[[]]]]},
        {"path": "a" * 300_000},
    ],
    ids=["nothing", "a number", "too much", "both wrong", "too large"],
)
async def test_input_that_does_not_fit_is_answered_without_a_card(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("read_file", given)
        service.says("Sorry.")
        chat = await ready_chat(service, kit)

        await chat.said("Read")

        ((_, result),) = results(service)
        assert result.startswith("Error: ")
        assert not any(state.is_asking for state in chat.states)
        assert chat.tool_rows[0].state is CallState.REFUSED


async def test_a_file_that_is_not_there_is_reported_and_the_reply_goes_on(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("read_file", {"path": "missing.txt"})
        service.says("It is not there.")
        chat = await ready_chat(service, kit)

        await chat.send("Read")
        await chat.allow()
        await chat.is_idle()

        ((_, result),) = results(service)
        assert result.startswith("Error: ")
        assert chat.tool_rows[0].state is CallState.FAILED
        assert chat.text == "It is not there."


async def test_two_calls_in_one_stream_are_answered_one_after_the_other(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.sends(START, tool_use("a"), tool_use("b"), STOP)
        service.says("One. ")
        service.says("Two.")
        chat = await ready_chat(service, kit)

        await chat.send("Twice")
        first = await chat.asks()
        assert len(kit.approvals.waiting("c1")) == 1
        assert first.request.call_id == "a"
        await chat.allow()
        await asked(chat, "b")
        await chat.allow()
        await chat.is_idle()

        assert [call_id for call_id, _ in results(service)] == ["a", "b"]
        assert chat.text == "One. Two."


async def test_calls_met_in_a_continuation_come_after_those_before(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.sends(START, tool_use("a"), tool_use("b"), STOP)
        service.sends(START, tool_use("c"), STOP)
        service.says("Both. ")
        service.says("All three.")
        chat = await ready_chat(service, kit)

        await chat.send("Three times")
        for call_id in ("a", "b", "c"):
            await asked(chat, call_id)
            await chat.allow()
        await chat.is_idle()

        assert [call_id for call_id, _ in results(service)] == ["a", "b", "c"]
        assert [row.state for row in chat.tool_rows] == [CallState.DONE] * 3
        assert chat.text == "Both. All three."


@pytest.mark.security(17)
async def test_a_call_id_that_comes_again_is_ignored_everywhere(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.sends(START, tool_use("a"), tool_use("a"), STOP)
        service.sends(START, tool_use("a"), delta("Once."), STOP)
        service.sends(START, tool_use("a"), delta(" Again?"), STOP)
        chat = await ready_chat(service, kit)

        await chat.send("First")
        await chat.allow()
        await chat.is_idle()
        await chat.said("Second")

        assert [call_id for call_id, _ in results(service)] == ["a"]
        assert len(chat.tool_rows) == 1
        assert len(await kit.calls()) == 1

        chat.close()

    # The program begins again, and the record remembers.
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.sends(START, tool_use("a"), delta("Once more?"), STOP)
        chat = await ready_chat(service, kit)

        await chat.said("Third")

        assert results(service) == []
        assert len(await kit.calls()) == 1


async def test_a_stream_that_ends_at_a_call_without_a_stop_goes_on(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.sends(START, delta("One moment. "), tool_use("a"))
        service.says("Done.")
        chat = await ready_chat(service, kit)

        await chat.send("What time is it?")
        await chat.allow()
        await chat.is_idle()

        assert chat.text == "One moment. Done."
        assert not chat.notices


async def test_calls_of_a_stream_that_failed_are_not_asked(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.sends(START, tool_use("a"), sse("error", message="out of paper"))
        chat = await ready_chat(service, kit)

        await chat.said("What time is it?")

        assert results(service) == []
        assert not any(state.is_asking for state in chat.states)
        assert chat.tool_rows[0].state is CallState.INTERRUPTED
        assert chat.session.state.has_failed


OTHER = sse("message_start", message_id="m1", conversation_id="c2")
MALFORMED = (
    sse("tool_use", id="x", name="current_time"),
    sse("tool_use", id="x", name="current_time", input=[]),
    sse("tool_use", id="x", name=["current_time"], input={}),
    sse("tool_use", id=7, name="current_time", input={}),
    sse("tool_use", name="current_time", input={}),
    b'event: tool_use\ndata: {"type":"tool_use","id":"x","name":"read_file",'
    b'"input":{"path":"a","path":"b"}}\n\n',
    b'event: tool_use\ndata: {"type":"tool_use","id":"x","name":"current_time",'
    b'"input":{"a":NaN}}\n\n',
    b'event: message_stop\ndata: {"type":"tool_use","id":"x","name":"current_time","input":{}}\n\n',
)
OUT_OF_PLACE = (
    (START, STOP, tool_use("x")),
    (START, sse("error", message="no"), tool_use("x")),
    (OTHER, tool_use("x"), STOP),
    (tool_use("x"), OTHER, STOP),
)


@pytest.mark.security(20)
@pytest.mark.parametrize("events", [*OUT_OF_PLACE, *((START, m, STOP) for m in MALFORMED)])
async def test_a_call_out_of_place_or_out_of_shape_is_never_asked(
    tmp_path: Path, events: tuple[bytes, ...]
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.sends(*events)
        chat = await ready_chat(service, kit)

        await chat.said("Go")

        assert results(service) == []
        assert not any(state.is_asking for state in chat.states)
        assert all(call.details.decision == "closed" for call in await kit.calls())


async def test_writing_something_else_declines_the_call_that_waits(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.asks_tool("current_time", {})
        service.says("As you like.")
        service.says("Of course.")
        chat = await ready_chat(service, kit)
        await chat.send("What time is it?")
        await chat.asks()

        await chat.session.send("Never mind", None, declining_pending=True)
        await chat.is_idle()

        ((_, result),) = results(service)
        assert result.startswith("The user declined to run this tool.")
        assert [message.text for message in chat.user_messages] == [
            "What time is it?",
            "Never mind",
        ]
        assert chat.text == "As you like.Of course."


async def asked(chat: Chat, call_id: str) -> None:
    """Wait until this call is the one that waits."""
    queue = chat.kit.approvals
    await chat.until(lambda: [c.request.call_id for c in queue.waiting("c1")] == [call_id])
