"""Run a tool call, from the assistant's request to the text that goes back: one result, always.

`ToolCallRunner` takes the calls of a turn. Each allowed one is a `RunningCall`, which can be
stopped by itself; the assistant gets its output so far. `ResultReleaser` looks for secrets in a
finished result: if there are any, a person decides about them before the assistant is told.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from pydantic import ConfigDict, JsonValue, TypeAdapter, ValidationError

from app.api.events import ToolUse
from app.approvals.policy import Declared
from app.approvals.queue import ApprovalRequest, Denied, Released, Withdrawn
from app.approvals.result_review import PendingResult, kept_back_text, review_result
from app.chat.approval_flow import (
    STOPPED_TEXT,
    ApprovalFlow,
    Approved,
    ClosingError,
    Rejected,
    stopped_text,
    text_after_run,
    text_without_run,
)
from app.chat.chat_settings import ChatSettings
from app.chat.dependencies import ChatDependencies
from app.chat.items import CallState, ToolCall, target_in, tool_call
from app.chat.message_attachments import IMAGES_LIMIT, new_image
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.errors import StoreError
from app.store.records import NewAttachment, StoredAttachment, TurnState
from local_tools.attached_file import ContentImage
from local_tools.context import Progress, ProgressSink
from local_tools.execution.call_runner import CallRunner
from local_tools.execution.prepare import PreparedCall
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import (
    INTERRUPTED_TEXT,
    CallKey,
    CallRecord,
    Decision,
    LedgerError,
    ReleaseKind,
    Step,
    StepDetails,
)
from local_tools.outcome import ToolOutcome
from local_tools.tool import Output

KeepImages: TypeAlias = Callable[
    [str, Sequence[NewAttachment]], Awaitable[tuple[StoredAttachment, ...]]
]
"""Keeps the images of a call; those that were kept of it before are replaced."""


@dataclass(frozen=True, slots=True)
class ReleasedResult:
    """What is told, how a person decided that, and how many secrets are masked in it.

    `kind` is None where nobody was asked.
    """

    text: str
    kind: ReleaseKind | None = None
    masked: int = 0


class ResultReleaser:
    """Looks through each result of one turn before it leaves. Made for a turn, ends with it."""

    def __init__(
        self,
        dependencies: ChatDependencies,
        conversation_id: str,
        on_held: Callable[[ToolCall], None],
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        self._registry = dependencies.registry
        self._approvals = dependencies.approvals
        self._conversation_id = conversation_id
        self._on_held = on_held
        self._on_state = on_state

    async def release(self, call: ToolCall, text: str) -> ReleasedResult:
        """Find out what is told of a result; `on_held` is called when that takes a person.

        Raises:
            ClosingError: Nobody decides any more; the result stays where it is.
        """
        found = self._registry.get(call.tool)
        # In a thread: the search for secrets goes through up to 256 KiB with many patterns.
        pending = await asyncio.to_thread(
            review_result,
            None if found is None else found.definition,
            text,
            call.input_text,
            is_failure=call.state is not CallState.DONE,
            place=(self._conversation_id, call.call_id),
            shown=(call.title or call.tool, call.target),
        )
        if pending is None:
            return ReleasedResult(text)
        self._on_held(call)
        await self._on_state(TurnState.ASKING)
        return await self._ask(pending)

    async def _ask(self, pending: PendingResult) -> ReleasedResult:
        while True:
            match await self._approvals.release(pending):
                case Released(chosen):
                    masked = pending.masked_count(chosen)
                    return ReleasedResult(
                        pending.released_text(chosen), pending.release_kind(chosen), masked
                    )
                case Denied(reason):
                    return ReleasedResult(kept_back_text(reason), ReleaseKind.KEPT_BACK)
                case Withdrawn():
                    # Nothing is told: the next start finds the result unreleased and asks again.
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
        """Run the call to its end, or until `stop`."""

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
            # A timeout that is due now ends the run alone; cancelling the task would end the whole
            # turn.
            self._timeout.reschedule(asyncio.get_running_loop().time())

    async def stopped(self) -> ToolOutcome:
        """Return the outcome of a call that the user stopped: its duration and what it left."""
        seconds = time.monotonic() - self._started_at
        written = await self._written()
        text = stopped_text(seconds, self._set_aside, None if written is None else written.text)
        cut_bytes = 0 if written is None else written.cut_bytes
        return ToolOutcome("failed", text, round(seconds * 1000), cut_bytes)

    async def _written(self) -> Output | None:
        """Return what the program of the call wrote so far; None for tools that run none."""
        if not self._prepared.order.commands:
            return None
        kept = await self._runner.written(self.key)
        # Where nothing is kept in a file, the last lines that were shown are all there is.
        return Output(self._latest) if kept is None else kept


log = logging.getLogger(__name__)

# Larger inputs are refused, so nothing that could be asked again after a restart is cut.
_RECORDED_INPUT_CHARS: Final = 512 * 1024

# The failure when a step cannot be recorded, by the last step that was; before, nothing ran.
_REASONS: Final = {
    Step.STARTED: ErrorCode.OUTCOME_NOT_RECORDED,
    Step.FINISHED: ErrorCode.RESULT_NOT_POSTED,
    Step.RELEASED: ErrorCode.RESULT_NOT_POSTED,
    Step.POSTED: ErrorCode.RESULT_UNCONFIRMED,
}
_INPUT: Final = TypeAdapter(dict[str, JsonValue], config=ConfigDict(defer_build=True))


class RecordError(UserFacingError):
    """A step of a call could not be recorded; the reason says how far the call had come."""


class ToolCallRunner:
    """Runs the calls of one turn, one at a time. Every step is in the ledger before it is taken.

    `run` and `resume` bring a call to its result; whoever posts that says so by `posting` and
    `acknowledged`. Made for a turn, ends with it. Every method but `acknowledged` may raise
    `RecordError`; the step it was about to record was then not taken, but for the end of a run,
    which has happened.
    """

    def __init__(
        self,
        dependencies: ChatDependencies,
        conversation_id: str,
        declared: Declared,
        settings: ChatSettings,
        *,
        images: Sequence[StoredAttachment],
        keep_images: KeepImages,
        show: Callable[[ToolCall], None],
        on_state: Callable[[TurnState], Awaitable[None]],
    ) -> None:
        """Make one; `images` are kept of calls, and `keep_images` keeps those of another one."""
        self._keep_images = keep_images
        self._images: dict[str, tuple[StoredAttachment, ...]] = {}
        for image in images:
            of_call = self._images.get(image.call_id, ())
            self._images[image.call_id] = (*of_call, image)
        self._ledger: Ledger = dependencies.ledger
        self._runner = dependencies.runner
        self._registry = dependencies.registry
        self._titles = {d.name: d.title for d in dependencies.registry.definitions()}
        self._profile = dependencies.store.profile
        self._conversation_id = conversation_id
        self._declared = declared
        self._show = show
        self._on_state = on_state
        # What the ledger has of each call, and its title and target as they are shown.
        self._records: dict[str, CallRecord] = {}
        self._labels: dict[str, tuple[str, str]] = {}
        self._running: RunningCall | None = None
        self._releaser = ResultReleaser(dependencies, conversation_id, self._on_held, on_state)
        self._approval = ApprovalFlow(
            dependencies, conversation_id, declared, settings, on_state=on_state
        )

    def images(self, call_id: str) -> tuple[StoredAttachment, ...]:
        """Return what a call returned beside its text."""
        return self._images.get(call_id, ())

    async def accept(self, call: ToolUse) -> bool:
        """Record that the assistant wants this; False when the id was used before: ignore it."""
        input_text = json.dumps(call.input, ensure_ascii=False)[:_RECORDED_INPUT_CHARS]
        try:
            record = await self._ledger.ask(
                self._key(call.id),
                tool=call.name,
                digest=self._declared.get(call.name, ""),
                input_text=input_text,
            )
        except LedgerError as exc:
            raise RecordError(ErrorCode.RECORD_UNWRITABLE) from exc
        # A second call with the id could pass for the one that was decided about.
        if record is None:
            log.info("Ignored a tool call with an id that came before: %s", call.id)
            return False
        self._records[call.id] = record
        return True

    async def run(self, call: ToolUse) -> str:
        """Decide about an accepted call, run it if it may, and return the recorded result."""
        self._labels[call.id] = (self._titles.get(call.name, ""), "")
        self._show(self._call(call.id))
        match await self._approval.decide(call, self._on_request_shown):
            case Approved() as approved:
                return await self._execute(approved)
            case Rejected() as rejected:
                await self._record(call.id, Step.DECIDED, rejected.details, rejected.reason)
                return await self._release(call.id, rejected.result)

    async def resume(self, record: CallRecord) -> str:
        """Return the result of a call that a restart or a failure left; nothing runs twice."""
        call_id = record.key.call_id
        self._records[call_id] = record
        match record.step:
            case Step.ASKED:
                return await self.run(ToolUse(call_id, record.tool, _input_of(record)))
            case Step.DECIDED:
                return await self._release(call_id, text_without_run(record))
            # It may have had its effect: it is never run again, and the assistant is told so.
            case Step.STARTED:
                await self._finish(call_id, ToolOutcome("interrupted", INTERRUPTED_TEXT, 0))
                return await self._release(call_id, INTERRUPTED_TEXT)
            case Step.FINISHED:
                return await self._review(call_id)
        return record.result_text or INTERRUPTED_TEXT

    def stop_running(self) -> None:
        """End the call that runs, with all its processes; its result says so."""
        if self._running is not None:
            self._running.stop()

    async def posting(self, call_id: str) -> None:
        """Record that the result is about to leave."""
        await self._record(call_id, Step.POSTED)

    async def acknowledged(self, call_id: str) -> None:
        """Record that the service took the result; where that fails, the reply goes on."""
        try:
            await self._record(call_id, Step.ACKNOWLEDGED)
        except RecordError:
            log.warning("The arrival of a tool's result was not recorded")

    async def close(self) -> None:
        """Record an end for each call that has no result yet: the user pressed Stop."""
        try:
            records = await self._ledger.calls(self._profile, self._conversation_id)
        except LedgerError as exc:
            raise RecordError(ErrorCode.RECORD_UNWRITABLE) from exc
        for record in records:
            call_id = record.key.call_id
            self._records[call_id] = record
            match record.step:
                case Step.ASKED:
                    closed = StepDetails(decision=Decision.CLOSED)
                    await self._record(call_id, Step.DECIDED, closed)
                    self._show(self._call(call_id))
                case Step.STARTED:
                    outcome = await self._stopped(record.key)
                    await self._finish(call_id, replace(outcome, status="stopped"))
                case Step.FINISHED:
                    kept_back = ReleasedResult(STOPPED_TEXT, ReleaseKind.KEPT_BACK)
                    await self._release(call_id, kept_back.text, kept_back)

    async def _stopped(self, key: CallKey) -> ToolOutcome:
        """Return how the call that ran ended with the turn."""
        if self._running is not None and self._running.key == key:
            return await self._running.stopped()
        return ToolOutcome("failed", STOPPED_TEXT, 0)

    async def _execute(self, approved: Approved) -> str:
        call_id = approved.request.call_id
        await self._record(call_id, Step.DECIDED, approved.details, approved.edited_input)
        # Recorded before it runs: after a crash, a start without an end means that it may have run.
        await self._record(call_id, Step.STARTED)
        running = self._call(call_id, is_running=True)
        self._show(running)
        await self._on_state(TurnState.RUNNING)

        def show_progress(progress: Progress) -> None:
            text = progress.text or f"{progress.done:g} / {progress.total or 0:g}"
            self._show(replace(running, output_text=text))

        prepared = approved.request.prepared
        self._running = RunningCall(self._runner, self._key(call_id), prepared)
        outcome = await self._running.outcome(show_progress)
        # Before the end is recorded, as that is what a restart goes on from.
        await self._note_images(call_id, outcome.images if outcome.status == "ok" else ())
        await self._finish(call_id, outcome)
        return await self._review(call_id)

    async def _note_images(self, call_id: str, images: Sequence[ContentImage]) -> None:
        """Keep what a call returned beside its text; its text names it where that fails."""
        if not images and not self.images(call_id):
            return
        try:
            new = [new_image(image) for image in images[:IMAGES_LIMIT]]
            self._images[call_id] = await self._keep_images(call_id, new)
        except StoreError as exc:
            log.warning("Cannot save the images of a tool's result: %s", exc.reason)

    async def _finish(self, call_id: str, outcome: ToolOutcome) -> None:
        details = StepDetails(
            status=outcome.status, duration_ms=outcome.duration_ms, cut_bytes=outcome.cut_bytes
        )
        try:
            await self._record(call_id, Step.FINISHED, details, outcome.text)
        finally:
            # Where that failed, what is shown is what the record knows: it was started, no more.
            self._show(self._call(call_id))

    async def _review(self, call_id: str) -> str:
        """Release a finished result: at once, or as a person decides about the secrets in it."""
        result = text_after_run(self._records[call_id])
        released = await self._releaser.release(self._call(call_id), result)
        return await self._release(call_id, released.text, released)

    async def _release(
        self, call_id: str, result: str, released: ReleasedResult | None = None
    ) -> str:
        """Record what is told, show it, and return it."""
        details = StepDetails(release=released.kind, masked=released.masked) if released else None
        # What a person kept back must not leave as an image either.
        if released is not None and released.kind is ReleaseKind.KEPT_BACK:
            await self._note_images(call_id, ())
        output = self._records[call_id].result_text
        # An output that is told as it came is not stored twice.
        await self._record(call_id, Step.RELEASED, details, "" if result == output else result)
        self._show(self._call(call_id))
        return result

    def _on_held(self, call: ToolCall) -> None:
        self._show(replace(call, state=CallState.WAITING))

    def _on_request_shown(self, request: ApprovalRequest) -> None:
        prepared = request.prepared
        self._labels[request.call_id] = (prepared.title, prepared.target)
        self._show(replace(self._call(request.call_id), input_text=prepared.input_text))

    async def _record(
        self, call_id: str, step: Step, details: StepDetails | None = None, text: str = ""
    ) -> None:
        details, record = details or StepDetails(), self._records[call_id]
        try:
            at = await self._ledger.record(record.key, step, details, text)
        except LedgerError as exc:
            raise RecordError(_REASONS.get(record.step, ErrorCode.RECORD_UNWRITABLE)) from exc
        self._records[call_id] = record.after(step, at, details, text)

    def _call(self, call_id: str, *, is_running: bool = False) -> ToolCall:
        title, target = self._labels.get(call_id, ("", ""))
        record = self._records[call_id]
        call = tool_call(record, title=title, is_running=is_running)
        target = target or target_in(call, self._registry)
        return replace(call, target=target, images=self.images(call_id))

    def _key(self, call_id: str) -> CallKey:
        return CallKey(self._profile, self._conversation_id, call_id)


def _input_of(record: CallRecord) -> Mapping[str, JsonValue]:
    """Return the recorded input; empty if it is unreadable, which the tool refuses."""
    try:
        return _INPUT.validate_json(record.input_text or "")
    except ValidationError:
        return {}
