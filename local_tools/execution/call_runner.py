"""Run an allowed call: in a worker, on a tool server, or (host actions) in the program itself.

`HostActions` runs the few tools that need the desktop. It binds each call to what was shown, as a
worker does: it opens the root again, checks that every path still is what it was, and that the tool
is the one on the card. `CallRunner` first stores what is needed to undo a call.
"""

import inspect
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from local_tools.attached_file import ContentImage
from local_tools.attachments.intake import FileIntake, is_sendable
from local_tools.canonical import parse_text
from local_tools.context import Desktop, Progress, ProgressSink, ToolContext
from local_tools.errors import ChangedError
from local_tools.execution.outputs import OutputFiles
from local_tools.execution.prepare import PreparedCall
from local_tools.execution.tool_runner import ToolRunner
from local_tools.execution.worker_request import WorkerRequest, open_targets
from local_tools.ledger.steps import CallKey
from local_tools.mcp.registry_bridge import McpToolProvider
from local_tools.outcome import ToolOutcome, answered_in_time, capture_outcome
from local_tools.registry import ToolRegistry
from local_tools.threads import run_in_thread
from local_tools.tool import Output
from local_tools.undo.undo import UndoStore


class HostActions:
    """Runs prepared calls of host actions; one outcome each. Lives as long as the program."""

    def __init__(self, registry: ToolRegistry, desktop: Desktop) -> None:
        self._registry = registry
        self._desktop = desktop

    async def run(self, call: PreparedCall) -> ToolOutcome:
        """Run one call on the GUI thread. Never raises, except `CancelledError`."""
        work = answered_in_time(call.tool_name, call.timeout_s, self._act(call.order))
        return await capture_outcome(call.tool_name, work)

    async def _act(self, order: WorkerRequest) -> str:
        tool = self._registry.get(order.tool_name)
        if tool is None or tool.definition.digest != order.definition_digest:
            raise ChangedError(f"The tool {order.tool_name}")
        given, context = parse_text(order.input_text), ToolContext(_ignore)
        with ExitStack() as held:
            targets = open_targets(order, held)
            value = tool(**tool.arguments(given, targets, {}, context, desktop=self._desktop))
            result = await value if inspect.isawaitable(value) else value
            return result.text if isinstance(result, Output) else str(result)


def _ignore(_progress: Progress) -> None:
    pass


AttachmentSource: TypeAlias = Callable[[CallKey, str], Awaitable[bytes | None]]
"""Returns the contents with a SHA-256 that are attached to the chat of a call; None for none."""

_GONE: Final = "“{name}” is no longer attached to this chat."


class CallRunner:
    """Runs every call: in a worker, on a tool server, or (host actions) in the program itself.

    Every call ends with exactly one outcome. Made by the program at start.
    """

    def __init__(
        self,
        workers: ToolRunner,
        host: HostActions,
        undo: UndoStore,
        outputs: OutputFiles | None = None,
        *,
        servers: McpToolProvider | None = None,
        attachments: AttachmentSource | None = None,
    ) -> None:
        """Take what runs calls and what keeps something of them.

        Args:
            workers: For most tools.
            host: For those that need the desktop.
            undo: Keeps what file tools change.
            outputs: Keeps all of an output whose result is cut; without it, nothing is.
            servers: Brings calls to tool servers; without it, there are no tools of any.
            attachments: Has what users attached; without it, nothing is attached.
        """
        self._attachments = attachments
        self._intake = FileIntake(workers)
        self._servers = servers
        self._outputs = outputs
        self._workers = workers
        self._host = host
        self._undo = undo

    async def run(
        self,
        key: CallKey,
        call: PreparedCall,
        *,
        on_progress: ProgressSink | None = None,
        on_set_aside: Callable[[str], None] | None = None,
    ) -> ToolOutcome:
        """Run one call to its end. Never raises, except `CancelledError`.

        Args:
            key: The key under which it can be undone later.
            call: The call as it was shown and allowed.
            on_progress: Called on the event loop, at most 20 times a second.
            on_set_aside: As `ToolRunner.run` has it.
        """
        if call.problem:
            return ToolOutcome("failed", f"Error: {call.problem}", 0)
        is_undoable = call.definition.is_undoable
        try:
            if is_undoable:
                await run_in_thread(self._undo.before, key, call)
            if call.definition.runs_in == "program":
                return await self._host.run(call)
            if self._servers and call.definition.runs_in in ("server", "elsewhere"):
                outcome = await self._servers.run(call, on_progress)
                return await self._with_images_made_small(outcome)
            outcome = await self._run_in_worker(key, call, on_progress, on_set_aside)
            return replace(outcome, images=tuple(filter(is_sendable, outcome.images)))
        finally:
            # Also when it was stopped: what it did until then can be undone.
            if is_undoable:
                await run_in_thread(self._undo.after, key)

    async def _with_images_made_small(self, outcome: ToolOutcome) -> ToolOutcome:
        """Have a worker make what a server sent as small as images are sent, and encode it anew."""
        images: list[ContentImage] = []
        text = outcome.text
        for image in outcome.images:
            _, made = await self._intake.describe(image.name, image.data)
            shown = "an image that cannot be opened" if made is None else made.name
            text = text.replace(f"[image: {image.name}]", f"[image: {shown}]", 1)
            images += [] if made is None else [made]
        return replace(outcome, text=text, images=tuple(images))

    async def written(self, key: CallKey) -> Output | None:
        """Return the output of a stopped call's program; None if none was kept.

        Call it once: a file that is returned whole is deleted.
        """
        outputs = self._outputs
        if outputs is None:
            return None
        found = await run_in_thread(outputs.read, key)
        if found is not None and not found.cut_bytes:
            await run_in_thread(outputs.drop, key)
        return found

    async def _run_in_worker(
        self,
        key: CallKey,
        call: PreparedCall,
        on_progress: ProgressSink | None,
        on_set_aside: Callable[[str], None] | None,
    ) -> ToolOutcome:
        outputs = self._outputs
        run = partial(self._workers.run, call, on_progress=on_progress, on_set_aside=on_set_aside)
        if (file := call.order.file) is not None:
            content = None
            if self._attachments is not None:
                content = await self._attachments(key, file.sha256)
            if content is None or len(content) != file.size_bytes:
                return ToolOutcome("failed", f"Error: {_GONE.format(name=file.name)}")
            return await run(content=content)
        # Only what a program writes can be longer than a result; a tool cuts its own words.
        if outputs is None or not call.order.commands:
            return await run()
        is_whole = False
        try:
            with outputs.opened(key) as output:
                outcome = await run(output=output)
            is_whole = outcome.status == "ok" and not outcome.cut_bytes
            return outcome
        finally:
            if is_whole:
                await run_in_thread(outputs.drop, key)
