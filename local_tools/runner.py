"""The program's side of a worker: one outcome per call, always.

Whatever the worker does - hang, crash, flood, fall silent - `ToolRunner.run` answers with one
outcome within the call's limit and leaves no process behind.
"""

import asyncio
import logging
import os
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools import frames
from local_tools.confined import opened_root
from local_tools.context import Progress, ProgressSink
from local_tools.errors import ChangedError, ToolError
from local_tools.frames import ResultFrame
from local_tools.limits import RESULT_LIMIT_BYTES, cut_end
from local_tools.order import WorkOrder
from local_tools.outcome import OutcomeStatus, ToolOutcome
from local_tools.prepare import PreparedCall
from local_tools.processes import (
    OWN_SWEEP_LIMIT_S,
    clean_environment,
    end_group,
    end_tree,
    signal_name,
)

log = logging.getLogger(__name__)

_EXIT_GRACE_S: Final = OWN_SWEEP_LIMIT_S + 0.5
_REAP_TIMEOUT_S: Final = 1.0
_FLOOD_LIMIT_BYTES: Final = 16 * 1024 * 1024
_BOOT: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from local_tools.worker import main; main(*map(int, sys.argv[2:]))"
)


class ToolRunner:
    """Runs prepared calls, each in a worker of its own. Lives as long as the program."""

    def __init__(
        self,
        worker_command: Sequence[str] | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        shows_prints: bool = False,
    ) -> None:
        """Take what differs from the ordinary.

        Args:
            worker_command: What starts a worker; by default our own.
            environment: What the worker's variables are picked from; by default our own.
            shows_prints: Let what tools print appear on stderr, for authors of tools.
        """
        self._command = tuple(worker_command or default_worker_command())
        self._environment = clean_environment(os.environ if environment is None else environment)
        self._stderr = None if shows_prints else DEVNULL

    async def run(
        self, call: PreparedCall, *, on_progress: ProgressSink | None = None
    ) -> ToolOutcome:
        """Run one call to its end.

        Never raises, except `CancelledError`; by then every process of the call is gone.

        Args:
            call: What was shown and allowed.
            on_progress: Called on the event loop, at most 20 times a second.
        """
        started_at = time.monotonic()
        try:
            end = await self._run(call.order, on_progress or _ignore)
        except ToolError as exc:
            end = _End("failed", f"Error: {exc}")
        except Exception:
            log.exception("running the tool %s failed", call.tool_name)
            end = _End("crashed", "Error: The tool could not be run because of a fault in Parley.")
        duration_ms = round((time.monotonic() - started_at) * 1000)
        return ToolOutcome(end.status, end.text, duration_ms, end.cut_bytes)

    async def _run(self, order: WorkOrder, on_progress: ProgressSink) -> "_End":
        try:
            process = await self._start(order)
        except OSError as exc:
            raise ToolError(f"The tool's process could not be started: {exc.strerror}.") from exc
        frame: ResultFrame | None = None
        fault = ""
        try:
            async with asyncio.timeout(order.timeout_s):
                frame = await _converse(process, order, on_progress)
            # The watcher ends what the tool has left, then itself.
            await _wait(process, _EXIT_GRACE_S)
        except TimeoutError:
            return _timed_out(order)
        except (EOFError, OSError):
            await _wait(process, _EXIT_GRACE_S)
            fault = _silence(process.returncode)
        except ValueError:
            fault = "The tool's answer could not be read."
        finally:
            await _end(process)
        return _End("crashed", f"Error: {fault}") if frame is None else _told(frame)

    async def _start(self, order: WorkOrder) -> Process:
        """The one place that starts a worker."""
        with ExitStack() as held:
            folders = _held_folders(order, held)
            return await asyncio.create_subprocess_exec(
                *self._command,
                *map(str, folders),
                stdin=PIPE,
                stdout=PIPE,
                stderr=self._stderr,
                env=self._environment,
                pass_fds=folders,
                start_new_session=True,
            )


def default_worker_command() -> tuple[str, ...]:
    """What starts a worker: beside our executable when frozen, else this interpreter, isolated."""
    if getattr(sys, "frozen", False):
        name = "parley-tools.exe" if sys.platform == "win32" else "parley-tools"
        return (str(Path(sys.executable).with_name(name)), "worker")
    return (sys.executable, "-I", "-c", _BOOT, str(Path(__file__).resolve().parent.parent))


@dataclass(frozen=True, slots=True)
class _End:
    status: OutcomeStatus
    text: str
    cut_bytes: int = 0


def _held_folders(order: WorkOrder, held: ExitStack) -> tuple[int, ...]:
    if order.root is None:
        return ()
    descriptor, found = held.enter_context(opened_root(Path(order.root.path)))
    if found != order.root:
        raise ChangedError(order.root.path)
    return (descriptor,)


async def _converse(process: Process, order: WorkOrder, on_progress: ProgressSink) -> ResultFrame:
    """Send the order and read until the result.

    Raises:
        EOFError: The worker ended before its result.
        ValueError: It does not keep to the line.
    """
    if process.stdin is None or process.stdout is None:
        raise EOFError
    # Stays open: its end tells the worker that we are gone.
    process.stdin.write(frames.with_header(order.to_json()))
    received_bytes = 0
    while received_bytes < _FLOOD_LIMIT_BYTES:
        length = frames.length_of(await process.stdout.readexactly(frames.HEADER_BYTES))
        frame = frames.decode(await process.stdout.readexactly(length))
        if isinstance(frame, ResultFrame):
            return frame
        received_bytes += length
        on_progress(Progress(frame.done, frame.total, frame.text))
    raise ValueError("too many frames")


async def _end(process: Process) -> None:
    """Leave no process and no pipe."""
    if process.stdin is not None:
        # The watcher, closest to what the tool has started, then ends all of it.
        process.stdin.close()
    try:
        await _wait(process, _EXIT_GRACE_S)
    finally:
        if process.returncode is None:
            end_tree(process.pid)
        else:
            end_group(process.pid)
    with suppress(TimeoutError):
        async with asyncio.timeout(_REAP_TIMEOUT_S):
            await process.communicate()


async def _wait(process: Process, timeout_s: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            await process.wait()


def _told(frame: ResultFrame) -> _End:
    text, cut_bytes = cut_end(frame.text, RESULT_LIMIT_BYTES)
    is_plain = frame.status == "ok" or text.startswith("Error: ")
    return _End(frame.status, text if is_plain else f"Error: {text}", frame.cut_bytes + cut_bytes)


def _timed_out(order: WorkOrder) -> _End:
    return _End(
        "timed_out",
        f"Error: {order.tool_name} did not end within {order.timeout_s:g} s and was stopped.",
    )


def _silence(code: int | None) -> str:
    if code is None:
        return "The tool closed its line without an answer."
    if code >= 0:
        return f"The tool ended without an answer (exit code {code})."
    return f"The tool crashed ({signal_name(-code)})."


def _ignore(_progress: Progress) -> None:
    pass
