"""Start a worker for a call and return its one outcome.

If the worker hangs, crashes, floods its output or falls silent, `ToolRunner.run` still returns one
outcome within the call's time limit and leaves no process behind.
"""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from local_tools.aio import ManagedProcess, start_managed, wait_bounded
from local_tools.attached_file import DRAWN, SIDE_LIMIT_PX, ContentImage, shown_name
from local_tools.command_lines import may_write
from local_tools.context import Progress, ProgressSink
from local_tools.errors import ToolError
from local_tools.execution import frames
from local_tools.execution.frames import ImageHeader, ResultFrame
from local_tools.execution.prepare import PreparedCall
from local_tools.execution.worker_request import WorkerRequest
from local_tools.limits import RESULT_LIMIT_BYTES, cut_end
from local_tools.outcome import ToolOutcome, as_failed, capture_outcome
from local_tools.persistence import persistence_guard
from local_tools.processes import (
    OWN_SWEEP_LIMIT_S,
    clean_environment,
    end_group,
    signal_name,
)
from local_tools.programs import program_of
from local_tools.sandbox.choice import SandboxChoice
from local_tools.sandbox.types import LaunchSpec, Program, Sandbox, SandboxRequest, SandboxState
from local_tools.threads import run_in_thread
from local_tools.user_tools.tool_set import copied_code

# The kill of descendants is limited in processor time; on a busy computer it takes longer.
_EXIT_GRACE_S: Final = 2 * OWN_SWEEP_LIMIT_S + 0.5
_REAP_TIMEOUT_S: Final = 1.0
_MEDIA_TYPES: Final = frozenset({"image/png", "image/jpeg", DRAWN})
_PIECE_BYTES: Final = 256 * 1024
_FLOOD_LIMIT_BYTES: Final = 16 * 1024 * 1024
# A shell, and so bubblewrap, exits with 128 + N when signal N has ended the program.
_SIGNAL_CODES: Final = 128


class ToolRunner:
    """Runs prepared calls, each in a worker of its own. Lives as long as the program."""

    def __init__(
        self,
        worker: Program | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        sandboxes: SandboxChoice | None = None,
        shows_prints: bool = False,
        umask: int = -1,
    ) -> None:
        """Make a runner; every argument replaces a default.

        Args:
            worker: The command that starts a worker.
            environment: The variables that the worker's are selected from; by default our own.
            sandboxes: Chooses the sandbox of each worker; by default there is none.
            shows_prints: Show the output of tools on stderr, for authors of tools.
            umask: The umask of tools; by default our own.
        """
        self._worker = worker or program_of("worker")
        self._sandboxes = sandboxes or SandboxChoice(())
        self._environment = clean_environment(os.environ if environment is None else environment)
        self._stderr = None if shows_prints else DEVNULL
        self._umask = umask
        self._under_way: list[_Ready] = []
        self._getting_ready = asyncio.Lock()

    async def sandbox_state(self) -> SandboxState:
        """Return what the sandbox of calls enforces here; the first call probes it."""
        return await self._sandboxes.state()

    async def run(
        self,
        call: PreparedCall,
        *,
        on_progress: ProgressSink | None = None,
        on_set_aside: Callable[[str], None] | None = None,
        output: int | None = None,
        content: bytes = b"",
    ) -> ToolOutcome:
        """Run one call to its end.

        Never raises, except `CancelledError`, and then only after every process of the call has
        ended.

        Args:
            call: What was shown and allowed.
            on_progress: Called on the event loop, at most 20 times a second.
            on_set_aside: Called with the sentences about renamed files (`local_tools.persistence`),
                also after a cancellation, when there is no outcome to carry them.
            output: An open file for the program's whole output, at most 64 MiB.
            content: The contents of the attachment that the call reads; the worker checks their
                hash.
        """
        sinks = on_progress or _ignore, on_set_aside or _ignore
        work = self._run_confined(call, *sinks, output, content)
        return await capture_outcome(call.tool_name, work)

    async def _run_confined(
        self,
        call: PreparedCall,
        on_progress: ProgressSink,
        on_set_aside: Callable[[str], None],
        output: int | None,
        content: bytes,
    ) -> ToolOutcome:
        sandbox = await self._sandboxes.sandbox()
        handed = None if output is None or sys.platform == "win32" else output
        aside = ""
        ready: _Ready | None = None
        try:
            with ExitStack() as held:
                # One at a time: what the first call makes must not count as known for the second.
                async with self._getting_ready:
                    ready = await run_in_thread(
                        _made_ready, sandbox, self._worker, call, held, tuple(self._under_way)
                    )
                    self._under_way.append(ready)
                start = _started(ready, handed)
                end = await self._run(start, call.order, content, on_progress)
        finally:
            if ready is not None:
                try:
                    aside = await run_in_thread(_set_aside, ready)
                finally:
                    self._under_way.remove(ready)
                if aside:
                    on_set_aside(aside)
        return as_failed(end, aside) if aside else end

    async def _run(
        self, start: LaunchSpec, order: WorkerRequest, content: bytes, on_progress: ProgressSink
    ) -> ToolOutcome:
        try:
            process = await self._start(start)
        except OSError as exc:
            raise ToolError(f"The tool's process could not be started: {exc.strerror}.") from exc
        end: ToolOutcome | None = None
        fault = ""
        try:
            async with asyncio.timeout(order.timeout_s):
                end = await _converse(process, order, content, on_progress)
            # The watcher ends what the tool has left, then itself.
            await wait_bounded(_EXIT_GRACE_S, process.wait())
        except TimeoutError:
            return _timed_out(order)
        except (EOFError, OSError):
            await wait_bounded(_EXIT_GRACE_S, process.wait())
            fault = _silence(_exit_code(process, start))
        except ValueError:
            fault = "The tool's answer could not be read."
        finally:
            await _end(process)
        return ToolOutcome("crashed", f"Error: {fault}") if end is None else end

    async def _start(self, start: LaunchSpec) -> ManagedProcess:
        """Start a worker; nothing else does."""
        return await start_managed(
            *start.argv,
            stdin=PIPE,
            stdout=PIPE,
            stderr=self._stderr,
            env=self._environment,
            pass_fds=start.descriptors,
            umask=self._umask,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Ready:
    """A start, where a copy of the user's code is, if any is to run, and how the folder was."""

    start: LaunchSpec
    code: tuple[str, ...]
    root: Path | None
    bounds: persistence_guard.Bounds
    before: persistence_guard.Snapshot | None


def _terms_of(call: PreparedCall) -> SandboxRequest:
    root = call.order.root
    return SandboxRequest(
        root=None if root is None else Path(root.path),
        may_write=may_write(call.effects, call.order),
        may_connect=call.order.may_use_network,
    )


def _made_ready(
    sandbox: Sandbox,
    worker: Program,
    call: PreparedCall,
    held: ExitStack,
    others: "Sequence[_Ready]",
) -> "_Ready":
    """Return how to start; `held` gets what must be undone after the end."""
    code = call.order.code
    copy = "" if code is None else copied_code(code, held)
    if code is not None:
        parts = (Path(copy), *map(Path, code.reads))
        worker = replace(worker, folders=(*worker.folders, *parts))
    terms = _terms_of(call)
    bounds = persistence_guard.bounds_for(call.order)
    before: persistence_guard.Snapshot | None = None
    if terms.root is not None and terms.may_write:
        looks = [(item.root, item.before) for item in others if item.root and item.before]
        before = persistence_guard.scan(terms.root, bounds, Path.home())
        before = persistence_guard.unknown_to(before, terms.root, looks)
    start = sandbox.start(worker, terms, held)
    return _Ready(start, (copy,) if copy else (), terms.root, bounds, before)


def _set_aside(ready: _Ready) -> str:
    """After the call, rename its new files that other programs would run or obey."""
    if ready.root is None or ready.before is None:
        return ""
    kept = ready.start.kept
    return persistence_guard.quarantine_new(
        ready.root, ready.before, kept, ready.bounds, Path.home()
    )


def _started(ready: "_Ready", output: int | None) -> LaunchSpec:
    """Return the worker's own arguments: limit of processes, descriptor of the file, its code."""
    start = ready.start
    own = (str(start.process_limit), str(-1 if output is None else output), *ready.code)
    argv = (*start.argv, *own)
    descriptors = start.descriptors if output is None else (*start.descriptors, output)
    return replace(start, argv=argv, descriptors=descriptors)


async def _converse(
    process: Process, order: WorkerRequest, content: bytes, on_progress: ProgressSink
) -> ToolOutcome:
    """Send the order with its contents, and read until the result.

    Raises:
        EOFError: The worker ended before its result.
        ValueError: It breaks the protocol.
    """
    if process.stdin is None or process.stdout is None:
        raise EOFError
    # Stays open: its end tells the worker that we are gone.
    process.stdin.write(frames.with_header(order.to_json()))
    # Not awaited: a worker that reads nothing may have an answer all the same.
    handing = asyncio.ensure_future(_hand_over(process.stdin, content))
    try:
        received_bytes = 0
        while received_bytes < _FLOOD_LIMIT_BYTES:
            length = frames.length_of(await process.stdout.readexactly(frames.HEADER_BYTES))
            frame = frames.decode(await process.stdout.readexactly(length))
            if isinstance(frame, ResultFrame):
                return _told(frame, await _images(process.stdout, frame.images))
            received_bytes += length
            on_progress(Progress(frame.done, frame.total, frame.text))
        raise ValueError("too many frames")
    finally:
        handing.cancel()
        await asyncio.wait({handing})


async def _hand_over(stdin: asyncio.StreamWriter, content: bytes) -> None:
    """Send contents in pieces: all at once would be copied first, and hold up a window."""
    # If the worker has ended, the reading side reports it.
    with suppress(OSError), memoryview(content) as view:
        for start in range(0, len(view), _PIECE_BYTES):
            stdin.write(view[start : start + _PIECE_BYTES])
            await stdin.drain()


async def _images(
    stdout: asyncio.StreamReader, headers: Sequence[ImageHeader]
) -> tuple[ContentImage, ...]:
    """Read the images after a result; a hostile file may have taken over the worker.

    Raises:
        EOFError: The worker ended before.
        ValueError: There are too many, or they are no images as our tools return them.
    """
    sizes = [header.size_bytes for header in headers]
    if len(sizes) > frames.IMAGES_LIMIT or min(sizes, default=0) < 0:
        raise ValueError("images that cannot be")
    if sum(sizes) > frames.IMAGES_LIMIT_BYTES:
        raise ValueError(f"images of {sum(sizes)} bytes")
    for header in headers:
        sides = range(SIDE_LIMIT_PX + 1)
        if header.media_type not in _MEDIA_TYPES:
            raise ValueError("an image of another kind")
        if header.width not in sides or header.height not in sides:
            raise ValueError("an image that is too large")
    return tuple(
        [
            ContentImage(
                shown_name(header.name),
                header.media_type,
                header.width,
                header.height,
                await stdout.readexactly(header.size_bytes),
            )
            for header in headers
        ]
    )


async def _end(process: ManagedProcess) -> None:
    """Leave no process and no pipe."""
    if process.stdin is not None:
        # The watcher, closest to what the tool has started, then ends all of it.
        process.stdin.close()
    try:
        await wait_bounded(_EXIT_GRACE_S, process.wait())
    finally:
        if process.returncode is None:
            from local_tools.descendants import end_tree  # noqa: PLC0415 - psutil, seldom needed

            end_tree(process.pid)
        else:
            end_group(process.pid)
        # Also for somebody who does not want to wait: its pipes stay open until they are read.
        await process.reap(_REAP_TIMEOUT_S)


def _told(frame: ResultFrame, images: tuple[ContentImage, ...]) -> ToolOutcome:
    text, cut_bytes = cut_end(frame.text, RESULT_LIMIT_BYTES)
    is_plain = frame.status == "ok" or text.startswith("Error: ")
    return ToolOutcome(
        frame.status,
        text if is_plain else f"Error: {text}",
        cut_bytes=frame.cut_bytes + cut_bytes,
        images=images,
    )


def _timed_out(order: WorkerRequest) -> ToolOutcome:
    return ToolOutcome(
        "timed_out",
        f"Error: {order.tool_name} did not end within {order.timeout_s:g} s and was stopped.",
    )


def _silence(code: int | None) -> str:
    if code is None:
        return "The tool closed its line without an answer."
    if code >= 0:
        return f"The tool ended without an answer (exit code {code})."
    return f"The tool crashed ({signal_name(-code)})."


def _exit_code(process: Process, start: LaunchSpec) -> int | None:
    """Return how the worker ended; a signal as a negative number."""
    code = process.returncode
    if code is not None and start.tells_signals_as_codes and code > _SIGNAL_CODES:
        return _SIGNAL_CODES - code
    return code


def _ignore(_told: Progress | str) -> None:
    pass
