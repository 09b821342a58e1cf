"""The child that runs one tool: an order on stdin, frames on stdout, then the end.

It is a session of its own with a clean environment, and two processes: one runs the tool, the
other only watches. However the tool ends, the watcher ends all that the tool has started; and it
ends everything when stdin does, since then whoever started us is gone. What the tool prints goes
to stderr and cannot disturb the frames.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, NoReturn

from local_tools import processes
from local_tools.execution import frames
from local_tools.execution.job import Job, run_job
from local_tools.execution.worker_request import WorkerRequest
from local_tools.registry import ToolRegistry

# More than the wall clock allows on one core, so that the wall clock speaks first.
_CPU_FACTOR: Final = 4
_LOST_PARENT: Final = 70
_SIGNAL_CODES: Final = 128


@dataclass(frozen=True, slots=True)
class _Line:
    """Our own copies of stdin and stdout, out of the tool's way. Live as long as the process."""

    incoming: int
    outgoing: int


def main(
    process_limit: int = 0,
    output: int = -1,
    registry: ToolRegistry | None = None,
    code_folder: str = "",
) -> None:
    """Run one tool.

    Args:
        process_limit: How many processes there may be at once, where they are counted apart from
            the user's others; 0 where they are not.
        output: The inherited descriptor of a file for all that a program writes; -1 for none.
        registry: What can be run; by default the tools that ship.
        code_folder: Where the user's own code lies that the order is about.
    """
    line = _take_over_pipes()
    processes.forget_other_variables()
    processes.volunteer_when_memory_ends()
    # What the tool starts could write a result in its place, through the files of this process.
    processes.close_to_others()
    order = WorkerRequest.from_json(_read_order(line))
    known = registry or _registry_for(order, code_folder)
    job = Job(known, order, line.outgoing, output if output >= 0 else None)
    processes.limit_resources(int(order.timeout_s * _CPU_FACTOR) + 1, process_limit)
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
    if order.code is None:
        return ToolRegistry.built_in()
    # Only what is wanted: most workers run what ships.
    from local_tools.user_tools.script_host import guest_registry  # noqa: PLC0415

    return guest_registry(order, order.code, code_folder)


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
    result = run_job(job)
    # The process ends without Python's own clean-up.
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    with suppress(BrokenPipeError):
        frames.write_all(job.outgoing, frames.encode(result))


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
