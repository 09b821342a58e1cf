"""How a call ends: whatever becomes of the work on it, there is one outcome."""

import asyncio
import logging
import time
from collections.abc import Awaitable
from dataclasses import dataclass

from local_tools.errors import ToolError
from local_tools.execution.prepare import PreparedCall
from local_tools.limits import RESULT_LIMIT_BYTES, cut_end, fitted
from local_tools.outcome import OutcomeStatus, ToolOutcome

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a call came to: an outcome that was not measured yet."""

    status: OutcomeStatus
    text: str
    cut_bytes: int = 0


async def capture_outcome(call: PreparedCall, work: Awaitable[RunResult]) -> ToolOutcome:
    """Wait for the work on one call. Never raises, except `CancelledError`."""
    started_at = time.monotonic()
    try:
        end = await work
    except ToolError as exc:
        end = RunResult("failed", f"Error: {exc}")
    except Exception:
        log.exception("running the tool %s failed", call.tool_name)
        end = RunResult("crashed", "Error: The tool could not be run because of a fault in Parley.")
    text, cut_bytes = fitted(end.text)
    duration_ms = round((time.monotonic() - started_at) * 1000)
    return ToolOutcome(end.status, text, duration_ms, end.cut_bytes + cut_bytes)


async def answered_in_time(call: PreparedCall, work: Awaitable[str]) -> RunResult:
    """Wait for the answer to a call within its limit.

    Raises:
        ToolError: What the work raised.
    """
    try:
        async with asyncio.timeout(call.timeout_s):
            return RunResult("ok", await work)
    except TimeoutError:
        words = f"Error: {call.tool_name} did not answer within {call.timeout_s:g} s."
        return RunResult("timed_out", words)


def refused(end: RunResult, words: str) -> RunResult:
    """Let a call count as failed for what it left behind, whatever it came to itself."""
    text, cut_bytes = cut_end(f"Error: {words}\n\n{end.text}", RESULT_LIMIT_BYTES)
    return RunResult("failed", text, end.cut_bytes + cut_bytes)
