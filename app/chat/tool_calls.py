"""Run a tool call, from the assistant's request to the text that goes back: one result, always.

`ToolCallRunner` takes the calls of a turn. Each allowed one is a `RunningCall`, which can be
stopped by itself; what it wrote until then is told. `ResultReleaser` looks for secrets in a
finished result: if there are any, a person decides about them before the assistant is told.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue, TypeAdapter, ValidationError

from app.api.events import ToolUse
from app.approvals.policy import Declared
from app.approvals.queue import ApprovalRequest, Denied, Released, Withdrawn
from app.approvals.result_review import PendingResult, Way, kept_back_text, review_result
from app.chat.approval_flow import (
    STOPPED_TEXT,
    ApprovalFlow,
    Approved,
    ClosingError,
    Rejected,
    edited_text,
    stopped_text,
    text_after_run,
    text_without_run,
)
from app.chat.chat_settings import ChatSettings
from app.chat.dependencies import ChatDependencies
from app.chat.items import CallState, ToolCallStatus, decider_words, status_from_record, target_of
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.records import TurnState
from local_tools.context import Progress, ProgressSink
from local_tools.execution.call_runner import CallRunner
from local_tools.execution.prepare import PreparedCall
from local_tools.ledger.ledger import (
    INTERRUPTED_TEXT,
    CallKey,
    CallRecord,
    LedgerError,
    Step,
    StepDetails,
)
from local_tools.outcome import ToolOutcome
from local_tools.tool import Output


@dataclass(frozen=True, slots=True)
class ReleasedResult:
    """What is told, how a person decided that, and how many secrets are masked in it.

    `way` is None where nobody was asked.
    """

    text: str
    way: Way | None = None
    masked: int = 0


class ResultReleaser:
    """Looks through each result of one turn before it leaves. Made for a turn, ends with it."""

    def __init__(
        self,
        equipment: ChatDependencies,
        conversation_id: str,
        show_held: Callable[[str], None],
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        self._registry = equipment.registry
        self._approvals = equipment.approvals
        self._conversation_id = conversation_id
        self._show_held = show_held
        self._on_state = on_state

    async def release(
        self, tool: str, call_id: str, text: str, facts: ToolCallStatus
    ) -> ReleasedResult:
        """Find out what is told of a result; `show_held` is told when that takes a person.

        Raises:
            ClosingError: Nobody decides any more; the result stays where it is.
        """
        found = self._registry.get(tool)
        held = await asyncio.to_thread(
            review_result,
            None if found is None else found.definition,
            text,
            facts.input_text,
            place=(self._conversation_id, call_id),
            shown=(facts.title or tool, facts.target),
        )
        if held is None:
            return ReleasedResult(text)
        self._show_held(call_id)
        await self._on_state(TurnState.ASKING)
        return await self._ask(held)

    async def _ask(self, held: PendingResult) -> ReleasedResult:
        while True:
            match await self._approvals.release(held):
                case Released(chosen):
                    masked = held.masked_count(chosen)
                    return ReleasedResult(held.told(chosen), held.way(chosen), masked)
                case Denied(reason):
                    return ReleasedResult(kept_back_text(reason), "kept_back")
                case Withdrawn():
                    raise ClosingError
                case _:
                    continue


class RunningCall:
    """One run of an allowed call. Made when it starts; ends with its outcome."""

    def __init__(self, runner: CallRunner, key: CallKey, prepared: PreparedCall) -> None:
        self.key = key
        self._runner = runner
        self._prepared = prepared
        self._timeout = asyncio.timeout(None)
        self._started_at = time.monotonic()
        self._latest = ""
        self._set_aside = ""
        self._is_over = False

    async def outcome(self, on_progress: ProgressSink) -> ToolOutcome:
        """Run it to its end, or until `stop`."""

        def follow(progress: Progress) -> None:
            self._latest = progress.text or self._latest
            on_progress(progress)

        def note(set_aside: str) -> None:
            self._set_aside = set_aside

        try:
            async with self._timeout:
                return await self._runner.run(
                    self.key, self._prepared, on_progress=follow, on_set_aside=note
                )
        except TimeoutError:
            return await self.stopped()
        finally:
            self._is_over = True

    def stop(self) -> None:
        """End it, with all its processes; one that is over stays as it is."""
        if not self._is_over:
            self._timeout.reschedule(asyncio.get_running_loop().time())

    async def stopped(self) -> ToolOutcome:
        """Return the outcome when a person has ended it: how long it ran, and what it left."""
        seconds = time.monotonic() - self._started_at
        written = await self._written()
        text = stopped_text(seconds, self._set_aside, None if written is None else written.text)
        cut_bytes = 0 if written is None else written.cut_bytes
        return ToolOutcome("failed", text, round(seconds * 1000), cut_bytes)

    async def _written(self) -> Output | None:
        """Return what its program wrote; of other tools only the result is theirs to tell."""
        if not self._prepared.order.commands:
            return None
        kept = await self._runner.written(self.key)
        # Where nothing is kept in a file, the last lines that were shown are all there is.
        return Output(self._latest) if kept is None else kept


log = logging.getLogger(__name__)

# Larger inputs are refused, so nothing that could be asked again after a restart is cut.
_RECORDED_INPUT_CHARS: Final = 512 * 1024

_STATES: Final = {
    "denied": CallState.DENIED,
    "answered": CallState.ANSWERED,
    "refused": CallState.REFUSED,
}
# What a step that could not be recorded means, by the last one that was; before, nothing ran.
_REASONS: Final = {
    Step.STARTED: ErrorCode.OUTCOME_NOT_RECORDED,
    Step.FINISHED: ErrorCode.RESULT_NOT_POSTED,
    Step.RELEASED: ErrorCode.RESULT_NOT_POSTED,
    Step.POSTED: ErrorCode.RESULT_UNCONFIRMED,
}
_INPUT: Final = TypeAdapter(dict[str, JsonValue])


class RecordError(UserFacingError):
    """A step of a call could not be recorded; the reason says how far the call had come."""


class ToolCallRunner:
    """Takes the calls of one turn, one at a time. Every step is in the ledger before it is taken.

    Made for a turn, ends with it. Every method but `acknowledged` may raise `RecordError`; the
    step it was about to record was then not taken, but for the end of a run, which has happened.
    """

    def __init__(
        self,
        equipment: ChatDependencies,
        conversation_id: str,
        declared: Declared,
        settings: ChatSettings,
        *,
        show: Callable[[str, ToolCallStatus], None],
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        self._ledger = equipment.ledger
        self._runner = equipment.runner
        self._titles = {d.name: d.title for d in equipment.registry.definitions()}
        self._profile = equipment.store.profile
        self._conversation_id = conversation_id
        self._declared = declared
        self._show = show
        self._on_state = on_state
        self._facts: dict[str, ToolCallStatus] = {}
        # The last step of each call that is in the ledger.
        self._steps: dict[str, Step] = {}
        self._running: RunningCall | None = None
        self._gate = ResultReleaser(equipment, conversation_id, self._show_held, on_state)
        self._deciding = ApprovalFlow(
            equipment, conversation_id, declared, settings, on_state=on_state
        )

    async def accept(self, call: ToolUse) -> bool:
        """Record that the assistant wants this; False when the id was used before: ignore it."""
        input_text = json.dumps(call.input, ensure_ascii=False)[:_RECORDED_INPUT_CHARS]
        try:
            is_new = await self._ledger.ask(
                self._key(call.id),
                tool=call.name,
                digest=self._declared.get(call.name, ""),
                input_text=input_text,
            )
        except LedgerError as exc:
            raise RecordError(ErrorCode.RECORD_UNWRITABLE) from exc
        if not is_new:
            log.info("A tool call came twice and is ignored: %s", call.id)
        return is_new

    async def settle(self, call: ToolUse) -> str:
        """Bring a taken call to its result: look at it, decide, run. The result is recorded."""
        asked = ToolCallStatus(
            title=self._titles.get(call.name, ""),
            input_text=json.dumps(call.input, ensure_ascii=False),
        )
        self._tell(call.id, asked)
        match await self._deciding.decide(call, self._on_request_shown):
            case Approved() as run:
                return await self._run(run)
            case Rejected() as no_run:
                return await self._answer(call.id, no_run)

    async def recover(self, record: CallRecord) -> str:
        """Bring a call that a restart or a failure left behind to its result; run nothing twice."""
        call_id = record.key.call_id
        self._facts[call_id] = status_from_record(record)
        self._steps[call_id] = record.step
        match record.step:
            case Step.ASKED:
                return await self.settle(ToolUse(call_id, record.tool, _input_of(record)))
            case Step.DECIDED:
                result = text_without_run(record)
                await self._release(call_id, result)
                return result
            case Step.STARTED:
                await self._finish(call_id, ToolOutcome("crashed", INTERRUPTED_TEXT, 0))
                await self._release(call_id)
                return INTERRUPTED_TEXT
            case Step.FINISHED:
                result = text_after_run(record) or INTERRUPTED_TEXT
                return await self._pass_gate(record.tool, call_id, result)
        return record.result_text or INTERRUPTED_TEXT

    def stop_running(self) -> None:
        """End the call that runs, with all its processes; its result says so."""
        if self._running is not None:
            self._running.stop()

    async def posting(self, call_id: str) -> None:
        """The result is about to leave."""
        await self._record(call_id, Step.POSTED)

    async def acknowledged(self, call_id: str) -> None:
        """The service took the result; where that cannot be recorded, the reply goes on."""
        try:
            await self._record(call_id, Step.ACKNOWLEDGED)
        except RecordError:
            log.warning("The arrival of a tool's result was not recorded")

    async def close(self) -> None:
        """The user pressed Stop: whatever has no result yet gets its end in the ledger."""
        try:
            records = await self._ledger.calls(self._profile, self._conversation_id)
        except LedgerError as exc:
            raise RecordError(ErrorCode.RECORD_UNWRITABLE) from exc
        for record in records:
            call_id = record.key.call_id
            if record.step is Step.ASKED:
                await self._record(call_id, Step.DECIDED, StepDetails(decision="closed"))
            elif record.step is Step.STARTED:
                outcome = await self._stopped(record.key)
                await self._finish(call_id, replace(outcome, status="stopped"))
            elif record.step is Step.FINISHED:
                await self._release(call_id, STOPPED_TEXT, StepDetails(release="kept_back"))
                facts = self._facts.get(call_id, status_from_record(record))
                self._tell(call_id, replace(facts, release="kept_back"))
                continue
            else:
                continue
            facts = self._facts.get(call_id, status_from_record(record))
            self._tell(call_id, replace(facts, state=CallState.INTERRUPTED))

    async def _stopped(self, key: CallKey) -> ToolOutcome:
        """How the call that ran ended with the turn."""
        if self._running is not None and self._running.key == key:
            return await self._running.stopped()
        return ToolOutcome("failed", STOPPED_TEXT, 0)

    async def _run(self, run: Approved) -> str:
        call_id = run.request.call_id
        await self._record(call_id, Step.DECIDED, run.details, run.said)
        await self._record(call_id, Step.STARTED)
        decider = decider_words(run.details.decided_by, is_edited=bool(run.said))
        facts = self._facts[call_id]
        self._tell(call_id, replace(facts, state=CallState.RUNNING, decided_by=decider))
        await self._on_state(TurnState.RUNNING)
        outcome = await self._outcome(call_id, run.request.prepared)
        await self._finish(call_id, outcome)
        result = edited_text(run.said, outcome.text) if run.said else outcome.text
        tool = run.request.prepared.tool_name
        return await self._pass_gate(tool, call_id, result, is_plain=not run.said)

    async def _outcome(self, call_id: str, prepared: PreparedCall) -> ToolOutcome:
        """Run a call to its end, or until the person stops it."""
        running = self._facts[call_id]

        def show(progress: Progress) -> None:
            text = progress.text or f"{progress.done:g} / {progress.total or 0:g}"
            self._tell(call_id, replace(running, state=CallState.RUNNING, output_text=text))

        self._running = RunningCall(self._runner, self._key(call_id), prepared)
        return await self._running.outcome(show)

    async def _pass_gate(
        self, tool: str, call_id: str, result: str, *, is_plain: bool = False
    ) -> str:
        """Let a result out: at once, or as a person decides about the secrets in it.

        `is_plain` says that it is what was recorded as finished, to the letter.
        """
        passed = await self._gate.release(tool, call_id, result, self._facts[call_id])
        details = StepDetails(release=passed.way, masked=passed.masked)
        is_recorded = is_plain and passed.text == result
        await self._release(call_id, "" if is_recorded else passed.text, details)
        facts = self._facts[call_id]
        self._tell(call_id, replace(facts, release=passed.way or "", masked=passed.masked))
        return passed.text

    async def _finish(self, call_id: str, outcome: ToolOutcome) -> None:
        details = StepDetails(
            status=outcome.status, duration_ms=outcome.duration_ms, cut_bytes=outcome.cut_bytes
        )
        facts = self._facts.get(call_id, ToolCallStatus())
        try:
            await self._record(call_id, Step.FINISHED, details, outcome.text)
        except RecordError:
            # What is told later is what the record knows: it was started, and no more.
            self._tell(call_id, replace(facts, state=CallState.INTERRUPTED, output_text=""))
            raise
        state = CallState.DONE if outcome.status == "ok" else CallState.FAILED
        if outcome.text == INTERRUPTED_TEXT:
            state = CallState.INTERRUPTED
        self._tell(
            call_id,
            replace(facts, state=state, output_text=outcome.text, duration_ms=outcome.duration_ms),
        )

    async def _answer(self, call_id: str, no_run: Rejected) -> str:
        await self._record(call_id, Step.DECIDED, no_run.details, no_run.said)
        await self._release(call_id, no_run.result)
        state = _STATES[no_run.details.decision or "refused"]
        decider = decider_words(no_run.details.decided_by)
        facts = replace(self._facts[call_id], state=state, decided_by=decider)
        self._tell(call_id, replace(facts, output_text=no_run.result))
        return no_run.result

    def _show_held(self, call_id: str) -> None:
        """The result waits: the row says so, and keeps what is known of the run."""
        self._show(call_id, replace(self._facts[call_id], state=CallState.WAITING))

    def _on_request_shown(self, request: ApprovalRequest) -> None:
        facts = ToolCallStatus(
            title=request.prepared.title,
            target=target_of(request.prepared),
            input_text=request.prepared.input_text,
        )
        self._tell(request.call_id, facts)

    async def _release(
        self, call_id: str, result: str = "", details: StepDetails | None = None
    ) -> None:
        await self._record(call_id, Step.RELEASED, details, result)

    async def _record(
        self, call_id: str, step: Step, details: StepDetails | None = None, text: str = ""
    ) -> None:
        try:
            await self._ledger.record(self._key(call_id), step, details, text)
        except LedgerError as exc:
            before = self._steps.get(call_id, Step.ASKED)
            raise RecordError(_REASONS.get(before, ErrorCode.RECORD_UNWRITABLE)) from exc
        self._steps[call_id] = step

    def _tell(self, call_id: str, facts: ToolCallStatus) -> None:
        self._facts[call_id] = facts
        self._show(call_id, facts)

    def _key(self, call_id: str) -> CallKey:
        return CallKey(self._profile, self._conversation_id, call_id)


def _input_of(record: CallRecord) -> Mapping[str, JsonValue]:
    """The recorded input; an unreadable one is asked with nothing, which the tool refuses."""
    try:
        return _INPUT.validate_json(record.input_text or "")
    except ValidationError:
        return {}
