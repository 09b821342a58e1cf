"""The child that runs one tool: an order on stdin, frames on stdout, then the end.

It is a process of its own in a session of its own, with a clean environment. What the tool
prints goes to stderr and cannot disturb the frames. When stdin ends, whoever started us is gone,
and everything ends here too.
"""

import asyncio
import inspect
import logging
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic_core import to_json

from local_tools import frames, processes
from local_tools.canonical import parse_text
from local_tools.context import Progress, ToolContext
from local_tools.errors import ChangedError, ToolError, ToolTimeoutError
from local_tools.frames import ProgressFrame, ResultFrame, ResultStatus
from local_tools.limits import RESULT_LIMIT_BYTES, cut_end
from local_tools.order import WorkOrder
from local_tools.registry import ToolRegistry
from local_tools.target import Target
from local_tools.tool import CommandLine, Output

log = logging.getLogger(__name__)

_PROGRESS_INTERVAL_S: Final = 0.05
_PROGRESS_TEXT_LIMIT_BYTES: Final = 4096
# More than the wall clock allows on one core, so that the wall clock speaks first.
_CPU_FACTOR: Final = 4
_LOST_PARENT: Final = 70


@dataclass(frozen=True, slots=True)
class _Line:
    """Our own copies of stdin and stdout, out of the tool's way. Live as long as the process."""

    incoming: int
    outgoing: int


@dataclass(frozen=True, slots=True)
class _Job:
    """All that one run needs. Lives as long as the process."""

    registry: ToolRegistry
    order: WorkOrder
    folder: int | None
    line: _Line


def main(folder: int | None = None, registry: ToolRegistry | None = None) -> None:
    """Run one tool.

    Args:
        folder: The inherited descriptor of the one folder that the call may touch.
        registry: What can be run; by default the tools that ship.
    """
    line = _take_over_pipes()
    processes.adopt_orphans()
    order = WorkOrder.from_json(_read_order(line))
    threading.Thread(target=_end_with_parent, args=(line.incoming,), daemon=True).start()
    processes.limit_resources(int(order.timeout_s * _CPU_FACTOR) + 1)
    try:
        result = _run(_Job(registry or ToolRegistry.built_in(), order, folder, line))
    finally:
        processes.end_own_descendants()
    with suppress(BrokenPipeError):
        frames.write_all(line.outgoing, frames.encode(result))


def _take_over_pipes() -> _Line:
    line = _Line(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return line


def _read_order(line: _Line) -> bytes:
    header = frames.read_exactly(line.incoming, frames.HEADER_BYTES)
    return frames.read_exactly(line.incoming, frames.length_of(header))


def _end_with_parent(incoming: int) -> None:
    """Wait for the end of stdin, then end everything."""
    while os.read(incoming, 4096):
        pass
    processes.end_own_descendants()
    processes.end_group(os.getpid())
    os._exit(_LOST_PARENT)


def _run(job: _Job) -> ResultFrame:
    try:
        return _result(_call(job))
    except ToolTimeoutError as exc:
        return _failure("timed_out", str(exc))
    except ToolError as exc:
        return _failure("failed", str(exc))
    except Exception as exc:
        log.exception("the tool %s failed", job.order.tool_name)
        return _failure("failed", f"The tool failed ({type(exc).__name__}): {exc}")


def _call(job: _Job) -> object:
    order = job.order
    tool = job.registry.get(order.tool_name)
    if tool is None or tool.definition.digest != order.definition_digest:
        raise ChangedError(f"The tool {order.tool_name}")
    context = ToolContext(_ProgressSender(job.line.outgoing))
    commands = {item.parameter: CommandLine(item.argv) for item in order.commands}
    given = parse_text(order.input_text)
    value = tool(**tool.arguments(given, _targets(job), commands, context))
    if inspect.iscoroutine(value):
        return asyncio.run(value)
    return value


def _targets(job: _Job) -> dict[str, Target]:
    root, folder = job.order.root, job.folder
    if root is None:
        return {}
    if folder is None:
        raise ToolError("The folder was not handed over, so nothing was done.")
    os.set_inheritable(folder, False)
    os.fchdir(folder)
    return {
        item.parameter: Target(Path(root.path, *item.parts), item.parts, folder, item.expected)
        for item in job.order.targets
    }


class _ProgressSender:
    """Sends progress, not more often than somebody can see. Lives as long as the call."""

    def __init__(self, outgoing: int) -> None:
        self._outgoing = outgoing
        self._next_at = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now < self._next_at:
            return
        self._next_at = now + _PROGRESS_INTERVAL_S
        text, _ = cut_end(progress.text, _PROGRESS_TEXT_LIMIT_BYTES)
        frame = ProgressFrame(progress.done, progress.total, text)
        frames.write_all(self._outgoing, frames.encode(frame))


def _result(value: object) -> ResultFrame:
    output = value if isinstance(value, Output) else Output(_text(value))
    text, cut_bytes = cut_end(output.text, RESULT_LIMIT_BYTES)
    return ResultFrame("ok", text, output.cut_bytes + cut_bytes)


def _text(value: object) -> str:
    return value if isinstance(value, str) else to_json(value).decode()


def _failure(status: ResultStatus, sentence: str) -> ResultFrame:
    text, cut_bytes = cut_end(f"Error: {sentence}", RESULT_LIMIT_BYTES)
    return ResultFrame(status, text, cut_bytes)
