"""Runs the few tools that need the desktop: in the program itself, and never in a worker.

Each is bound to what was shown, like a worker's order: the root is opened anew, every place is
what it was, and the tool is the one that the card named.
"""

import inspect
from contextlib import ExitStack
from pathlib import Path

from local_tools.canonical import parse_text
from local_tools.context import Progress, ToolContext
from local_tools.desktop import Desktop
from local_tools.errors import ChangedError
from local_tools.execution.prepare import PreparedCall
from local_tools.execution.run_result import answered_in_time, capture_outcome
from local_tools.execution.worker_request import WorkerRequest
from local_tools.outcome import ToolOutcome
from local_tools.paths.beneath import opened_root
from local_tools.paths.guarded_path import GuardedPath
from local_tools.registry import ToolRegistry
from local_tools.tool import Output


class HostActions:
    """Runs prepared calls of host actions, one outcome each. Lives as long as the program."""

    def __init__(self, registry: ToolRegistry, desktop: Desktop) -> None:
        self._registry = registry
        self._desktop = desktop

    async def run(self, call: PreparedCall) -> ToolOutcome:
        """Do one call, on the thread of the desktop. Never raises, except `CancelledError`."""
        return await capture_outcome(call, answered_in_time(call, self._act(call.order)))

    async def _act(self, order: WorkerRequest) -> str:
        tool = self._registry.get(order.tool_name)
        if tool is None or tool.definition.digest != order.definition_digest:
            raise ChangedError(f"The tool {order.tool_name}")
        given, context = parse_text(order.input_text), ToolContext(_ignore)
        with ExitStack() as held:
            targets = _targets(order, held)
            value = tool(**tool.arguments(given, targets, {}, context, self._desktop))
            result = await value if inspect.isawaitable(value) else value
            return result.text if isinstance(result, Output) else str(result)


def _targets(order: WorkerRequest, held: ExitStack) -> dict[str, GuardedPath]:
    root = order.root
    if root is None:
        return {}
    descriptor, found = held.enter_context(opened_root(Path(root.path)))
    if found != root:
        raise ChangedError(root.path)
    return {
        item.parameter: GuardedPath(
            Path(root.path, *item.parts), item.parts, descriptor, item.expected
        )
        for item in order.targets
    }


def _ignore(_progress: Progress) -> None:
    pass
