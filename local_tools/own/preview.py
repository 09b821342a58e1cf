"""A preview that a user's tool makes: run apart, without network or write, and soon over."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from local_tools.canonical import canonical_sha256
from local_tools.order import WorkOrder
from local_tools.prepare import PreparedCall
from local_tools.runner import ToolRunner
from local_tools.sandbox.choice import SandboxChoice
from local_tools.tool import Effects, Preview, ToolDefinition

PREVIEW_TIMEOUT_S: Final = 2.0


class OwnPreviews:
    """Runs the previews of users' tools. Called in threads; lives as long as the program."""

    def __init__(self, sandboxes: SandboxChoice) -> None:
        """Take what confines them; where nothing holds, no preview runs."""
        self._sandboxes = sandboxes

    def __call__(self, definition: ToolDefinition, order: WorkOrder) -> Preview | None:
        """What the tool says that a call would do; None where that cannot be asked safely."""
        sandboxes = self._sandboxes.settled()
        if sandboxes is None or order.code is None:
            return None
        call = preview_call(definition, order)
        # This thread has no loop, and the one of the window must not wait.
        with asyncio.Runner(loop_factory=_loop_factory()) as loop:
            state = loop.run(sandboxes.state())
            if not (state.holds_files and state.holds_network):
                return None
            outcome = loop.run(ToolRunner(sandboxes=sandboxes).run(call))
        return Preview("text", outcome.text)


def preview_call(definition: ToolDefinition, order: WorkOrder) -> PreparedCall:
    """The call of a preview: the same inputs, and nothing of what the tool itself may do."""
    code = None if order.code is None else replace(order.code, function=order.code.preview)
    timeout_s = min(PREVIEW_TIMEOUT_S, order.timeout_s)
    return PreparedCall(
        order=replace(order, code=code, timeout_s=timeout_s, may_use_network=False),
        definition=replace(definition, effects=Effects(read_only=True, destructive=False)),
        facts=(),
        preview=None,
        is_inside_folder=False,
        input_sha256=canonical_sha256(order.input_text),
    )


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    return None if sys.platform == "win32" else asyncio.SelectorEventLoop
