"""Prepared calls of built-in and of hostile tools, for tests that run them."""

import os
import select
import sys
from pathlib import Path

from local_tools.canonical import freeze
from local_tools.context import Desktop
from local_tools.execution.call_runner import AttachmentSource, CallRunner, HostActions
from local_tools.execution.outputs import OutputFiles
from local_tools.execution.prepare import CallPlaces, PreparedCall, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.programs import interpreter_folders
from local_tools.registry import ToolRegistry
from local_tools.sandbox.types import Program
from local_tools.tool import AnyTool
from local_tools.undo.undo import UndoStore

_ROOT = Path(__file__).parents[2]
_GONE_TIMEOUT_MS = 20_000


def built_in(name: str) -> AnyTool:
    """Return a tool that ships, by name."""
    found = ToolRegistry.built_in().get(name)
    assert found is not None
    return found


def prepared(
    tool: AnyTool, folder: Path | None = None, home: Path | None = None, /, **values: object
) -> PreparedCall:
    """Return a call with these inputs, checked as the program checks it."""
    given = freeze(values)
    assert tool.signature.complaints(given) == ()
    return prepare(tool, given, CallPlaces(folder, home))


def hostile_worker(clock: str = "now") -> Program:
    """Return what starts a worker that knows `tests.support.hostile_tools` instead of what ships.

    Its clock is this expression, in which `now` is the real one.
    """
    script = "from tests.support.hostile_tools import registry; known = registry()"
    return _worker(script, clock)


def hostile_runner(clock: str = "now") -> ToolRunner:
    """Return a runner of such workers."""
    return ToolRunner(hostile_worker(clock))


def runner_by(clock: str) -> ToolRunner:
    """Return a runner of what ships, whose workers have this clock."""
    return ToolRunner(_worker("known = None", clock))


def _worker(script: str, clock: str) -> Program:
    boot = (
        f"import os, sys, time; now = time.monotonic; time.monotonic = {clock}; "
        "sys.path.insert(0, sys.argv[1]); from local_tools.execution.worker import main; "
        f"{script}; main(*map(int, sys.argv[2:]), registry=known)"
    )
    argv = (sys.executable, "-I", "-c", boot, str(_ROOT))
    return Program(argv, interpreter_folders(_ROOT))


def scripted_runner(script: str) -> ToolRunner:
    """Return a runner whose worker is this script, which need not keep to anything."""
    return ToolRunner(Program((sys.executable, "-I", "-c", script)))


def call_runner(
    registry: ToolRegistry,
    undo: UndoStore,
    workers: ToolRunner | None = None,
    outputs: OutputFiles | None = None,
    attachments: AttachmentSource | None = None,
) -> CallRunner:
    """Return what runs calls where there is no window."""
    host = HostActions(registry, Desktop())
    return CallRunner(workers or ToolRunner(), host, undo, outputs, attachments=attachments)


def is_gone(pid: int) -> bool:
    """Whether a process ends soon or has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(_GONE_TIMEOUT_MS))
    finally:
        os.close(descriptor)
