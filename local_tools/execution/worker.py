"""The worker: a process that runs one tool, with a request on stdin and frames on stdout.

A worker has its own session, a clean environment, and two processes: one runs the tool (`run_job`),
the other watches it. When the tool ends, the watcher kills all processes that the tool has started;
it does the same when stdin closes, because then the program that started the worker has ended. The
tool's own output goes to stderr, so that it cannot corrupt the frames.
"""

import hashlib
import inspect
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, NoReturn

from local_tools import processes
from local_tools.attached_file import AttachedContent, AttachedFile
from local_tools.canonical import parse_text
from local_tools.context import Progress, ToolContext
from local_tools.errors import ChangedError, ToolError, ToolTimeoutError
from local_tools.execution import frames
from local_tools.execution.frames import ImageHeader, ProgressFrame, ResultFrame, ResultStatus
from local_tools.execution.worker_request import FileArgument, WorkerRequest, open_targets
from local_tools.limits import cut_end, fitted
from local_tools.paths.beneath import demand, snapshot_program
from local_tools.registry import ToolRegistry
from local_tools.tool import CommandLine, Output

log = logging.getLogger(__name__)

# CPU seconds for each second of the time limit: on one core the time limit always strikes first.
_CPU_FACTOR: Final = 4
_LOST_PARENT: Final = 70
_SIGNAL_CODES: Final = 128
_PROGRESS_INTERVAL_S: Final = 0.05
_PROGRESS_TEXT_LIMIT_BYTES: Final = 4096
# Parsing an untrusted file gets less memory than a program of the user.
_FILE_MEMORY_LIMIT_BYTES: Final = 1024**3
_OUTPUT_FILE_LIMIT_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Line:
    """Our own copies of stdin and stdout, out of the tool's way. Live as long as the process."""

    incoming: int
    outgoing: int


@dataclass(frozen=True, slots=True)
class Job:
    """The request and files of one run. Lives as long as the worker.

    Attributes:
        outgoing: The descriptor that progress frames are written to.
        output: An open file for the program's whole output; None if it is not kept.
        content: The contents of the attachment that the request names; empty if it names none.
    """

    registry: ToolRegistry
    order: WorkerRequest
    outgoing: int
    output: int | None = None
    content: bytes = b""


def main(
    process_limit: int = 0,
    output: int = -1,
    registry: ToolRegistry | None = None,
    code_folder: str = "",
) -> None:
    """Run one tool.

    Args:
        process_limit: How many processes the call may have at once; 0 for no limit, where the
            kernel would count all processes of the user.
        output: The inherited descriptor of the file for the program's whole output; -1 for none.
        registry: The tools that can run; by default the built-in tool that the request names.
        code_folder: The folder with the user's own code that the request runs; empty for none.
    """
    line = _take_over_pipes()
    processes.forget_other_variables()
    processes.volunteer_when_memory_ends()
    # What the tool starts could write a result in its place, through the files of this process.
    processes.close_to_others()
    order = WorkerRequest.from_json(_read_order(line))
    file = order.file
    content = b"" if file is None else frames.read_exactly(line.incoming, file.size_bytes)
    known = registry or _registry_for(order, code_folder)
    job = Job(known, order, line.outgoing, output if output >= 0 else None, content)
    memory = processes.MEMORY_LIMIT_BYTES if file is None else _FILE_MEMORY_LIMIT_BYTES
    processes.limit_resources(int(order.timeout_s * _CPU_FACTOR) + 1, process_limit, memory)
    if sys.platform == "win32":
        from local_tools.sandbox import job_object  # noqa: PLC0415

        job_object.enter()
        _watch_parent(line, _end_here)
        _work(job)
        return
    processes.adopt_orphans()
    watcher = os.getpid()
    child = os.fork()
    if child == 0:
        processes.end_with_parent(watcher)
        os.close(line.incoming)
        _work(job)
        os._exit(0)
    _watch_parent(line, partial(os.kill, child, signal.SIGKILL))
    _, status = os.waitpid(child, 0)
    processes.end_own_descendants()
    _end_like(status)


def _registry_for(order: WorkerRequest, code_folder: str) -> ToolRegistry:
    if order.file is not None:
        # The tools that read attachments: one is built in, the others are internal.
        from local_tools.attachments.file_tools import FILE_TOOLS  # noqa: PLC0415

        return ToolRegistry(FILE_TOOLS)
    if order.code is None:
        return ToolRegistry.with_built_in(order.tool_name)
    # Imported late: most workers run a built-in tool.
    from local_tools.user_tools.script_host import script_registry  # noqa: PLC0415

    return script_registry(order, order.code, code_folder)


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


def _work(job: Job) -> None:
    result, images = run_job(job)
    # The process ends without Python's own clean-up.
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    with suppress(BrokenPipeError):
        frames.write_all(job.outgoing, frames.encode(result) + images)


def _watch_parent(line: _Line, end: Callable[[], None]) -> None:
    def watch() -> None:
        while os.read(line.incoming, 4096):
            pass
        with suppress(ProcessLookupError):
            end()

    threading.Thread(target=watch, daemon=True).start()


def _end_here() -> None:
    processes.end_own_descendants()
    os._exit(_LOST_PARENT)


def _end_like(status: int) -> NoReturn:
    """End as the tool's process did, so that the program can tell."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    if -code != signal.SIGKILL:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    # The first process of a namespace is not ended by its own signals; then as a shell says it.
    os._exit(_SIGNAL_CODES - code)


def run_job(job: Job) -> tuple[ResultFrame, bytes]:
    """Run the tool; turn every exception into a result.

    Return the result and the bytes of the images that the tool returned, if any.
    """
    try:
        return _result(_call(job))
    except ToolTimeoutError as exc:
        return _failure("timed_out", str(exc)), b""
    except ToolError as exc:
        return _failure("failed", str(exc)), b""
    except Exception as exc:
        log.exception("The tool %s failed", job.order.tool_name)
        return _failure("failed", f"The tool failed ({type(exc).__name__}): {exc}"), b""


def _call(job: Job) -> object:
    order = job.order
    tool = job.registry.get(order.tool_name)
    if tool is None or tool.digest != order.definition_digest:
        raise ChangedError(f"The tool {order.tool_name}")
    keep = None if job.output is None else _OutputFile(job.output)
    context = ToolContext(_ProgressSender(job.outgoing), keep)
    given = parse_text(order.input_text)
    with ExitStack() as held:
        targets = open_targets(order, held, enters=True)
        files = {} if order.file is None else _file(order.file, job.content)
        value = tool(**tool.arguments(given, targets, _commands(order), context, files=files))
        return _awaited(value) if inspect.iscoroutine(value) else value


def _file(argument: FileArgument, content: bytes) -> dict[str, AttachedFile]:
    if hashlib.sha256(content).hexdigest() != argument.sha256:
        raise ChangedError(argument.name)
    return {argument.parameter: AttachedFile(argument.name, content)}


def _awaited(value: Coroutine[object, object, object]) -> object:
    # Most tools never wait.
    import asyncio  # noqa: PLC0415

    return asyncio.run(value)


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
            log.info("Stopped saving the output: %s", exc.strerror)
            self._left_bytes = 0


def _result(value: object) -> tuple[ResultFrame, bytes]:
    images = value.images if isinstance(value, AttachedContent) else ()
    told = value.text if isinstance(value, AttachedContent) else value
    output = told if isinstance(told, Output) else Output(_text(told))
    text, cut_bytes = fitted(output.text)
    headers = tuple(
        ImageHeader(image.name, image.media_type, image.width, image.height, len(image.data))
        for image in images
    )
    frame = ResultFrame("ok", text, output.cut_bytes + cut_bytes, headers)
    return frame, b"".join(image.data for image in images)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    # Slow to import, and most tools return text.
    from pydantic_core import to_json  # noqa: PLC0415

    return to_json(value).decode()


def _failure(status: ResultStatus, sentence: str) -> ResultFrame:
    text, cut_bytes = fitted(f"Error: {sentence}")
    return ResultFrame(status, text, cut_bytes)
