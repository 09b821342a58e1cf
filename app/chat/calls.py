"""One tool call, from the assistant's request to the text that goes back: one result, always."""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from pydantic import JsonValue, TypeAdapter, ValidationError

from app.api.events import ToolUse
from app.approvals.policy import Declared, Refusal
from app.approvals.queue import Allowed, Denied, Withdrawn
from app.approvals.request import ToolRequest
from app.chat.call_facts import YOU, CallFacts, facts_of, target_of
from app.chat.equipment import Equipment
from app.chat.items import CallState
from app.store.rows import TurnState
from local_tools.ledger import INTERRUPTED_TEXT, CallKey, CallRecord, Step, StepDetails
from local_tools.outcome import ToolOutcome

log = logging.getLogger(__name__)

STOPPED_TEXT: Final = "Error: stopped by the user"
_NEVER_STARTED_TEXT: Final = "Error: interrupted before it was started; nothing was run"
# Larger inputs are refused, so nothing that could be asked again after a restart is cut.
_RECORDED_INPUT_CHARS: Final = 512 * 1024

_INPUT = TypeAdapter(dict[str, JsonValue])


class ClosingError(Exception):
    """The program closes while a decision is waited for; nothing was decided."""


class CallDesk:
    """Takes the calls of one turn, one at a time. Every step is in the ledger before it is taken.

    Made for a turn, ends with it. Every method may raise `LedgerError`; the step it was about to
    record was then not taken.
    """

    def __init__(
        self,
        equipment: Equipment,
        conversation_id: str,
        declared: Declared,
        *,
        folder: Callable[[], Path | None],
        show: Callable[[str, CallFacts], None],
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        self._ledger = equipment.ledger
        self._policy = equipment.policy
        self._approvals = equipment.approvals
        self._runner = equipment.runner
        self._titles = {d.name: d.title for d in equipment.registry.definitions()}
        self._profile = equipment.store.profile
        self._conversation_id = conversation_id
        self._declared = declared
        self._folder = folder
        self._show = show
        self._on_state = on_state
        self._facts: dict[str, CallFacts] = {}

    async def take(self, call: ToolUse) -> bool:
        """Record that the assistant wants this; False when the id was used before: ignore it."""
        input_text = json.dumps(call.input, ensure_ascii=False)[:_RECORDED_INPUT_CHARS]
        is_new = await self._ledger.ask(
            self._key(call.id),
            tool=call.name,
            digest=self._declared.get(call.name, ""),
            input_text=input_text,
        )
        if not is_new:
            log.info("A tool call came twice and is ignored: %s", call.id)
        return is_new

    async def settle(self, call: ToolUse) -> str:
        """Bring a taken call to its result: look at it, ask, run. The result is recorded."""
        asked = CallFacts(
            title=self._titles.get(call.name, ""),
            input_text=json.dumps(call.input, ensure_ascii=False),
        )
        self._tell(call.id, asked)
        verdict = await self._policy.judge(
            self._conversation_id, call, self._declared, self._folder()
        )
        if isinstance(verdict, Refusal):
            return await self._refuse(call.id, verdict.result)
        self._tell(
            call.id,
            CallFacts(
                title=verdict.prepared.title,
                target=target_of(verdict.prepared),
                input_text=verdict.prepared.input_text,
            ),
        )
        await self._on_state(TurnState.ASKING)
        match await self._approvals.ask(verdict):
            case Allowed():
                return await self._run(verdict)
            case Denied(reason):
                return await self._deny(call.id, reason)
            case Withdrawn():
                raise ClosingError

    async def recover(self, record: CallRecord) -> str:
        """Bring a call that a restart or a failure left behind to its result; run nothing twice."""
        call_id = record.key.call_id
        self._facts[call_id] = facts_of(record)
        match record.step:
            case Step.ASKED:
                return await self.settle(ToolUse(call_id, record.tool, _input_of(record)))
            case Step.DECIDED:
                result = _undecided_result(record)
                await self._release(call_id, result)
                return result
            case Step.STARTED:
                await self._finish(call_id, ToolOutcome("crashed", INTERRUPTED_TEXT, 0))
                await self._release(call_id)
                return INTERRUPTED_TEXT
            case Step.FINISHED:
                await self._release(call_id)
        return record.result_text or INTERRUPTED_TEXT

    async def posting(self, call_id: str) -> None:
        """The result is about to leave."""
        await self._record(call_id, Step.POSTED)

    async def acknowledged(self, call_id: str) -> None:
        """The service took the result."""
        await self._record(call_id, Step.ACKNOWLEDGED)

    async def close(self) -> None:
        """The user pressed Stop: whatever has no result yet gets its end in the ledger."""
        for record in await self._ledger.calls(self._profile, self._conversation_id):
            call_id = record.key.call_id
            if record.step is Step.ASKED:
                await self._record(call_id, Step.DECIDED, StepDetails(decision="closed"))
            elif record.step is Step.STARTED:
                await self._finish(call_id, ToolOutcome("failed", STOPPED_TEXT, 0))
            else:
                continue
            facts = self._facts.get(call_id, facts_of(record))
            self._tell(call_id, replace(facts, state=CallState.INTERRUPTED))

    async def _run(self, request: ToolRequest) -> str:
        call_id = request.call_id
        decided = StepDetails(decision="allowed", decided_by=YOU)
        await self._record(call_id, Step.DECIDED, decided)
        await self._record(call_id, Step.STARTED)
        facts = self._facts[call_id]
        self._tell(call_id, replace(facts, state=CallState.RUNNING, decided_by=YOU))
        await self._on_state(TurnState.RUNNING)
        outcome = await self._runner.run(self._key(call_id), request.prepared)
        await self._finish(call_id, outcome)
        await self._release(call_id)
        return outcome.text

    async def _finish(self, call_id: str, outcome: ToolOutcome) -> None:
        details = StepDetails(
            status=outcome.status, duration_ms=outcome.duration_ms, cut_bytes=outcome.cut_bytes
        )
        await self._record(call_id, Step.FINISHED, details, outcome.text)
        state = CallState.DONE if outcome.status == "ok" else CallState.FAILED
        if outcome.text == INTERRUPTED_TEXT:
            state = CallState.INTERRUPTED
        facts = self._facts.get(call_id, CallFacts())
        self._tell(
            call_id,
            replace(facts, state=state, output_text=outcome.text, duration_ms=outcome.duration_ms),
        )

    async def _refuse(self, call_id: str, result: str) -> str:
        await self._record(call_id, Step.DECIDED, StepDetails(decision="refused"))
        await self._release(call_id, result)
        facts = self._facts[call_id]
        self._tell(call_id, replace(facts, state=CallState.REFUSED, output_text=result))
        return result

    async def _deny(self, call_id: str, reason: str) -> str:
        details = StepDetails(decision="denied", decided_by=YOU)
        await self._record(call_id, Step.DECIDED, details, reason)
        result = _denial(reason)
        await self._release(call_id, result)
        denied = replace(self._facts[call_id], state=CallState.DENIED, decided_by=YOU)
        self._tell(call_id, replace(denied, output_text=result))
        return result

    async def _release(self, call_id: str, result: str = "") -> None:
        await self._record(call_id, Step.RELEASED, text=result)

    async def _record(
        self, call_id: str, step: Step, details: StepDetails | None = None, text: str = ""
    ) -> None:
        await self._ledger.record(self._key(call_id), step, details, text)

    def _tell(self, call_id: str, facts: CallFacts) -> None:
        self._facts[call_id] = facts
        self._show(call_id, facts)

    def _key(self, call_id: str) -> CallKey:
        return CallKey(self._profile, self._conversation_id, call_id)


def _denial(reason: str) -> str:
    """Told plainly: an `Error:` makes models try another way around."""
    declined = "The user declined to run this tool."
    return f"{declined} Reason: {reason.strip()}" if reason.strip() else declined


def _undecided_result(record: CallRecord) -> str:
    if record.details.decision == "denied":
        return _denial(record.reason)
    return _NEVER_STARTED_TEXT


def _input_of(record: CallRecord) -> Mapping[str, JsonValue]:
    """The recorded input; an unreadable one is asked with nothing, which the tool refuses."""
    try:
        return _INPUT.validate_json(record.input_text or "")
    except ValidationError:
        return {}
