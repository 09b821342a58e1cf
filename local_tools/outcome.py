"""`ToolOutcome`, the result of a tool call; each call has exactly one."""

import asyncio
import logging
import time
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from local_tools.attached_file import AttachedContent, ContentImage
from local_tools.errors import ToolError
from local_tools.limits import RESULT_LIMIT_BYTES, cut_end, fitted

log = logging.getLogger(__name__)

OutcomeStatus: TypeAlias = Literal["ok", "failed", "timed_out", "crashed", "stopped", "interrupted"]


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """The result that the assistant gets and the user sees.

    Attributes:
        status: `crashed`: the worker ended without a result. `stopped`: the user stopped the reply
            while the tool ran. `interrupted`: the program ended meanwhile. After the last two, how
            far the tool got is unknown.
        text: The result; starts with `Error: ` unless the status is `ok`.
        duration_ms: 0 before `capture_outcome` has measured it.
        cut_bytes: How many bytes were left out of `text`.
        images: What the tool returned beside its text.
    """

    status: OutcomeStatus
    text: str
    duration_ms: int = 0
    cut_bytes: int = 0
    images: tuple[ContentImage, ...] = ()


async def capture_outcome(tool_name: str, work: Awaitable[ToolOutcome]) -> ToolOutcome:
    """Await a call's outcome and measure its duration. Never raises, except `CancelledError`."""
    started_at = time.monotonic()
    try:
        end = await work
    except ToolError as exc:
        end = ToolOutcome("failed", f"Error: {exc}")
    except Exception:
        log.exception("Running the tool %s failed", tool_name)
        words = "Error: The tool could not be run because of a fault in Parley."
        end = ToolOutcome("crashed", words)
    text, cut_bytes = fitted(end.text)
    duration_ms = round((time.monotonic() - started_at) * 1000)
    return ToolOutcome(end.status, text, duration_ms, end.cut_bytes + cut_bytes, end.images)


async def answered_in_time(
    tool_name: str, timeout_s: float, work: Awaitable[str | AttachedContent]
) -> ToolOutcome:
    """Await a call's answer within its time limit.

    Raises:
        ToolError: As raised by `work`.
    """
    try:
        async with asyncio.timeout(timeout_s):
            answer = await work
            if isinstance(answer, AttachedContent):
                return ToolOutcome("ok", answer.text, images=answer.images)
            return ToolOutcome("ok", answer)
    except TimeoutError:
        words = f"Error: {tool_name} did not answer within {timeout_s:g} s."
        return ToolOutcome("timed_out", words)


def as_failed(outcome: ToolOutcome, reason: str) -> ToolOutcome:
    """Return a failed copy of `outcome`, with `reason` before its text."""
    text, cut_bytes = cut_end(f"Error: {reason}\n\n{outcome.text}", RESULT_LIMIT_BYTES)
    cut_bytes += outcome.cut_bytes
    return replace(outcome, status="failed", text=text, cut_bytes=cut_bytes)
