"""The objects that all chats of a profile share, passed as one value."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from app.api.client import ChatApi
from app.approvals.policy import Policy
from app.approvals.queue import ApprovalQueue
from app.common.clock import Clock, SystemClock
from app.store.store import ProfileStore
from local_tools.execution.call_runner import CallRunner
from local_tools.ledger.ledger import Ledger
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import UndoStore

CALLS_BEFORE_PAUSE: Final = 25


@dataclass(frozen=True, slots=True)
class ChatDependencies:
    """The parts that `Sessions` and everything below it share.

    Whoever made the parts closes them, after the sessions. `calls_before_pause` returns after how
    many tool calls a reply pauses.
    """

    client: ChatApi
    store: ProfileStore
    ledger: Ledger
    registry: ToolRegistry
    runner: CallRunner
    undo: UndoStore
    approvals: ApprovalQueue
    policy: Policy
    clock: Clock = field(default_factory=SystemClock)
    calls_before_pause: Callable[[], int] = lambda: CALLS_BEFORE_PAUSE
