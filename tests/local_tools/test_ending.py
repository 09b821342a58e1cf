"""Whatever becomes of the work on a call, it ends in one outcome."""

import asyncio
from dataclasses import replace

import pytest

from local_tools.canonical import freeze
from local_tools.errors import ToolError
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.limits import RESULT_LIMIT_BYTES
from local_tools.outcome import ToolOutcome, answered_in_time, capture_outcome
from local_tools.registry import ToolRegistry

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def call() -> PreparedCall:
    tool = ToolRegistry.built_in().get("calculate")
    assert tool is not None
    made = prepare(tool, freeze({"expression": "1 + 1"}), CallPlaces())
    return replace(made, order=replace(made.order, timeout_s=0.01))


async def _outcome(call: PreparedCall, failure: Exception | None = None) -> ToolOutcome:
    async def work() -> str:
        if failure is not None:
            raise failure
        await asyncio.Event().wait()
        return ""

    answer = answered_in_time(call.tool_name, call.timeout_s, work())
    return await capture_outcome(call.tool_name, answer)


async def test_timed_out_call_says_so(call: PreparedCall) -> None:
    outcome = await _outcome(call)
    assert outcome.status == "timed_out"
    assert outcome.text == "Error: calculate did not answer within 0.01 s."


async def test_very_long_reason_is_cut_like_a_result(call: PreparedCall) -> None:
    outcome = await _outcome(call, ToolError("x" * 2 * RESULT_LIMIT_BYTES))
    assert outcome.status == "failed"
    assert outcome.text.startswith("Error: xxx")
    assert len(outcome.text.encode()) <= RESULT_LIMIT_BYTES
    assert outcome.cut_bytes > RESULT_LIMIT_BYTES


@pytest.mark.expects_log("Running the tool calculate failed")
async def test_a_fault_of_ours_is_an_outcome_too(call: PreparedCall) -> None:
    outcome = await _outcome(call, ValueError("secret"))
    words = "Error: The tool could not be run because of a fault in Parley."
    assert (outcome.status, outcome.text) == ("crashed", words)
