"""Running one tool to its result, inside the worker."""

import inspect
import logging
import os
import time
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.canonical import parse_text
from local_tools.context import Progress, ToolContext
from local_tools.errors import ChangedError, ToolError, ToolTimeoutError
from local_tools.execution import frames
from local_tools.execution.frames import ProgressFrame, ResultFrame, ResultStatus
from local_tools.execution.worker_request import WorkerRequest
from local_tools.limits import cut_end, fitted
from local_tools.paths.beneath import demand, opened_root, snapshot_program
from local_tools.paths.guarded_path import GuardedPath
from local_tools.registry import ToolRegistry
from local_tools.tool import CommandLine, Output

log = logging.getLogger(__name__)

_PROGRESS_INTERVAL_S: Final = 0.05
_PROGRESS_TEXT_LIMIT_BYTES: Final = 4096
_OUTPUT_FILE_LIMIT_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Job:
    """All that one run needs. Lives as long as the worker.

    Attributes:
        outgoing: Where progress goes.
        output: An open file for all that a program writes; None where nothing is kept.
    """

    registry: ToolRegistry
    order: WorkerRequest
    outgoing: int
    output: int | None = None


def run_job(job: Job) -> ResultFrame:
    """Run the tool; whatever it does short of ending the process is a result."""
    try:
        return _result(_call(job))
    except ToolTimeoutError as exc:
        return _failure("timed_out", str(exc))
    except ToolError as exc:
        return _failure("failed", str(exc))
    except Exception as exc:
        log.exception("the tool %s failed", job.order.tool_name)
        return _failure("failed", f"The tool failed ({type(exc).__name__}): {exc}")


def _call(job: Job) -> object:
    order = job.order
    tool = job.registry.get(order.tool_name)
    if tool is None or tool.digest != order.definition_digest:
        raise ChangedError(f"The tool {order.tool_name}")
    keep = None if job.output is None else _OutputFile(job.output)
    context = ToolContext(_ProgressSender(job.outgoing), keep)
    given = parse_text(order.input_text)
    with ExitStack() as held:
        targets = _targets(order, held)
        value = tool(**tool.arguments(given, targets, _commands(order), context))
        return _awaited(value) if inspect.iscoroutine(value) else value


def _awaited(value: Coroutine[object, object, object]) -> object:
    # Most tools never wait.
    import asyncio  # noqa: PLC0415

    return asyncio.run(value)


def _targets(order: WorkerRequest, held: ExitStack) -> dict[str, GuardedPath]:
    """Hold the call's folder open, as seen from in here, and make it the current one.

    A descriptor from outside would be a way out of a sandbox: it leads up to where it was opened.
    """
    root = order.root
    if root is None:
        return {}
    folder, found = held.enter_context(opened_root(Path(root.path)))
    if found != root:
        raise ChangedError(root.path)
    os.fchdir(folder)
    return {
        item.parameter: GuardedPath(Path(root.path, *item.parts), item.parts, folder, item.expected)
        for item in order.targets
    }


def _commands(order: WorkerRequest) -> dict[str, CommandLine]:
    for item in order.commands:
        demand(item.expected, snapshot_program(item.argv[0]), item.argv[0])
    return {item.parameter: CommandLine(item.argv) for item in order.commands}


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


class _OutputFile:
    """Keeps what a program writes, up to a limit or until the disk is full. Lives as the call."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        self._descriptor = descriptor
        self._left_bytes = _OUTPUT_FILE_LIMIT_BYTES

    def __call__(self, data: bytes) -> None:
        kept = data[: self._left_bytes]
        self._left_bytes -= len(kept)
        try:
            frames.write_all(self._descriptor, kept)
        except OSError as exc:
            log.info("the output is not kept any further: %s", exc.strerror)
            self._left_bytes = 0


def _result(value: object) -> ResultFrame:
    output = value if isinstance(value, Output) else Output(_text(value))
    text, cut_bytes = fitted(output.text)
    return ResultFrame("ok", text, output.cut_bytes + cut_bytes)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    # Most tools tell a text.
    from pydantic_core import to_json  # noqa: PLC0415

    return to_json(value).decode()


def _failure(status: ResultStatus, sentence: str) -> ResultFrame:
    text, cut_bytes = fitted(f"Error: {sentence}")
    return ResultFrame(status, text, cut_bytes)
