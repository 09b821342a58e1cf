"""The right panel on real view models, a real record and real rules, without a service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from app.chat.call_log import CallLog
from app.store.store import ProfileStore, Store
from app.viewmodels.tools.activity import ActivityViewModel
from local_tools.execution.outputs import OutputFiles
from local_tools.ledger.ledger import CallKey, Ledger, Step, StepDetails
from local_tools.ledger.steps import Decider, Decision
from local_tools.outcome import OutcomeStatus
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import UndoStore

PROFILE = "home"
ALLOWED = StepDetails(decision=Decision.ALLOWED, decider=Decider.USER)
BY_RULE = StepDetails(decision=Decision.ALLOWED, decider=Decider.FOLDER_RULE, rule_id="1f2e")
DENIED = StepDetails(decision=Decision.DENIED, decider=Decider.USER)


@dataclass(frozen=True)
class ActivityFixture:
    """What tools did, and what shows it; nothing is read before `activity.attend`."""

    ledger: Ledger
    store: ProfileStore
    undo: UndoStore
    call_log: CallLog
    activity: ActivityViewModel

    async def asks(
        self, call_id: str, tool: str, input_text: str, conversation_id: str = "c1"
    ) -> CallKey:
        """Return the assistant wants this."""
        key = CallKey(PROFILE, conversation_id, call_id)
        await self.ledger.ask(key, tool=tool, digest="d", input_text=input_text)
        return key

    async def ran(
        self,
        key: CallKey,
        decided: StepDetails = ALLOWED,
        result: str = "Done.",
        *,
        status: OutcomeStatus = "ok",
        released: str = "",
        way: StepDetails | None = None,
    ) -> None:
        """It was allowed, ran, and the service took its result."""
        await self.ledger.record(key, Step.DECIDED, decided)
        await self.ledger.record(key, Step.STARTED)
        details = StepDetails(status=status, duration_ms=4)
        await self.ledger.record(key, Step.FINISHED, details, result)
        await self.ledger.record(key, Step.RELEASED, way, released)
        await self.ledger.record(key, Step.POSTED)
        await self.ledger.record(key, Step.ACKNOWLEDGED)

    async def was_denied(self, key: CallKey, reason: str = "") -> None:
        """The person said no."""
        await self.ledger.record(key, Step.DECIDED, DENIED, reason)
        await self.ledger.record(key, Step.RELEASED, text="The user declined.")


@asynccontextmanager
async def activity_stage(folder: Path) -> AsyncIterator[ActivityFixture]:
    """Open a record that lies in `folder`, and show it."""
    store, ledger = Store(folder / "store.db"), Ledger(folder / "ledger.db")
    await store.open()
    await ledger.open()
    undo, activity = UndoStore(folder / "undo"), ActivityViewModel()
    profile = store.profile(PROFILE)
    registry = ToolRegistry.built_in()
    outputs = OutputFiles(folder / "undo")
    call_log = CallLog(PROFILE, ledger, profile.turns, registry, undo, outputs)
    activity.show(call_log)
    try:
        yield ActivityFixture(ledger, profile, undo, call_log, activity)
    finally:
        await activity.aclose()
        await ledger.close()
        await store.close()
