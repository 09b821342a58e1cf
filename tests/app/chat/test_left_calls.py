"""Tool calls that a program left behind: they go on from there and run nothing twice."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from app.chat.items import Action, CallState
from app.common.error_messages import ErrorCode
from local_tools.execution.tool_runner import ToolRunner
from local_tools.ledger.steps import INTERRUPTED_TEXT, CallKey, Decider, Decision, Step, StepDetails
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import Program
from local_tools.tool import tool
from tests.support.chat_fixtures import PROFILE, START, chat_kit, posts, stored
from tests.support.fake_service import FakeService, delta

pytestmark = pytest.mark.anyio

ALLOWED = StepDetails(decision=Decision.ALLOWED, decider=Decider.USER)
DENIED = StepDetails(decision=Decision.DENIED, decider=Decider.USER)
DONE = StepDetails(status="ok", duration_ms=3)
STEPS: dict[str, list[tuple[Step, StepDetails, str]]] = {
    "allowed": [(Step.DECIDED, ALLOWED, "")],
    "denied": [(Step.DECIDED, DENIED, "Too soon.")],
    "started": [(Step.DECIDED, ALLOWED, ""), (Step.STARTED, StepDetails(), "")],
    "finished": [
        (Step.DECIDED, ALLOWED, ""),
        (Step.STARTED, StepDetails(), ""),
        (Step.FINISHED, DONE, "noon"),
    ],
    "released": [
        (Step.DECIDED, ALLOWED, ""),
        (Step.STARTED, StepDetails(), ""),
        (Step.FINISHED, DONE, "noon"),
        (Step.RELEASED, StepDetails(), ""),
    ],
}


@pytest.mark.parametrize(
    ("upto", "result", "state"),
    [
        (
            "allowed",
            "Error: interrupted before it was started; nothing was run",
            CallState.INTERRUPTED,
        ),
        ("denied", "The user declined to run this tool. Reason: Too soon.", CallState.DENIED),
        ("started", INTERRUPTED_TEXT, CallState.INTERRUPTED),
        ("finished", "noon", CallState.DONE),
        ("released", "noon", CallState.DONE),
    ],
)
async def test_a_call_left_at_any_step_goes_on_from_there_and_runs_nothing(
    tmp_path: Path, upto: str, result: str, state: CallState
) -> None:
    async with FakeService() as service:
        await _leave_a_call(tmp_path, service, STEPS[upto])
        service.says("I see.")

        async with chat_kit(tmp_path, service, runner=_refusing_runner()) as kit:
            chat = await kit.open()
            await chat.is_idle()

            assert service.requests[-1].json["result"] == result
            assert [(row.title, row.state) for row in chat.tool_rows] == [("Current time", state)]
            assert chat.text == "I see."
            assert [call.step for call in await kit.calls()] == [Step.ACKNOWLEDGED]
            assert not chat.notices


@pytest.mark.security(16)
async def test_a_tool_that_changed_since_the_turn_began_is_not_asked_after_a_restart(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        await _leave_a_call(tmp_path, service, [])
        service.says("I see.")
        other = tool(read_only=True, title="Another clock")(current_time_too)

        async with chat_kit(tmp_path, service, registry=ToolRegistry([other])) as kit:
            chat = await kit.open()
            await chat.is_idle()

            assert service.requests[-1].json["result"] == "Error: unknown tool “current_time”."


async def test_sending_a_message_instead_closes_an_undecided_call(tmp_path: Path) -> None:
    async with FakeService() as service:
        await _leave_a_call(tmp_path, service, [])
        service.fails_with(500, method="GET")
        service.says("Something else, then.")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.said("Never mind")

            assert chat.text == "Something else, then."
            assert chat.tool_rows[0].state is CallState.INTERRUPTED
            assert [call.details.decision for call in await kit.calls()] == ["closed"]


def current_time_too() -> str:
    """Tell the time."""
    return "late"


current_time_too.__name__ = "current_time"


def _refusing_runner() -> ToolRunner:
    """Any run would end in words that no test expects."""
    return ToolRunner(Program(("false",)))


async def _leave_a_call(
    data: Path, service: FakeService, steps: list[tuple[Step, StepDetails, str]]
) -> None:
    """Make a program ask for a call and end, with the call's ledger taken on from there."""
    service.holds("c1")
    service.asks_tool("current_time", {})
    async with chat_kit(data, service) as kit:
        chat = await kit.open()
        await chat.send("When?")
        await chat.asks()
        kit.approvals.close()
        await chat.is_idle()
        key = CallKey(PROFILE, "c1", "call-1")
        for step, details, text in steps:
            await kit.dependencies.ledger.record(key, step, details, text)
    service.conversations["c1"] = stored(("u1", "user", "When?"))


async def test_a_call_recorded_just_before_a_kill_is_asked_although_it_has_no_row(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        service.holds("c1")
        service.sends(START, delta("Let me see. "))
        service.hangs_after(2)
        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.send("When?")
            await chat.shows("Let me see.")
            (tool_,) = [t for t in kit.dependencies.registry.definitions() if "time" in t.name]
            await kit.dependencies.ledger.ask(
                CallKey(PROFILE, "c1", "late"), tool=tool_.name, digest="", input_text="{}"
            )
        service.conversations["c1"] = stored(
            ("u1", "user", "When?"), ("m1", "assistant", "Let me see. ")
        )
        service.says("Noon.")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.allow()
            await chat.is_idle()

            assert [row.state for row in chat.tool_rows] == [CallState.DONE]
            assert chat.text == "Let me see. Noon."


@pytest.mark.expects_log("Cannot read the record")
async def test_a_call_is_still_asked_when_its_record_could_not_be_read_for_a_while(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        await _leave_a_call(tmp_path, service, [])
        service.says("Noon.")
        with closing(sqlite3.connect(tmp_path / "ledger.db")) as record:
            async with chat_kit(tmp_path, service) as kit:
                record.execute("ALTER TABLE entries RENAME TO away")
                chat = await kit.open()
                assert not kit.approvals.is_asking("c1")
                record.execute("ALTER TABLE away RENAME TO entries")

        async with chat_kit(tmp_path, service) as kit:
            chat = await kit.open()
            await chat.allow()
            await chat.is_idle()

            assert [row.state for row in chat.tool_rows] == [CallState.DONE]


async def test_a_second_click_posts_a_result_once(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        service.holds("c1")
        service.asks_tool("current_time", {})
        service.cuts()
        service.says("Noon.")
        chat = await kit.open()
        await chat.send("When?")
        await chat.allow()
        await chat.is_idle()
        assert chat.says(ErrorCode.RESULT_UNCONFIRMED)

        for _ in range(3):
            await chat.session.act(chat.notice.key, Action.SEND_AGAIN)
        await chat.is_idle()

        assert posts(service) == ["/v1/chat/stream", "/v1/tool-result", "/v1/tool-result"]
        assert chat.text == "Noon."
