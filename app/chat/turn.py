"""Work on one accepted message: send it, read the answer, settle its tool calls, until it ends.

`Turn` does the work, `ReplyRecorder` writes the reply down while it streams, at most a moment
behind, and `ending_of` and `stopped` say how a turn ends and what each failure on the way means for
it.
"""

import asyncio
import itertools
import random
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from app.api.errors import (
    ApiError,
    Conflict,
    ConnectionLost,
    InvalidKey,
    RateLimited,
    Refused,
    RequestTimeout,
    StreamBroken,
    StreamFault,
)
from app.api.events import Event, StreamError, Title, ToolUse, Usage
from app.api.models import SentImage, ToolDefinition
from app.api.sse import ReplyStream
from app.chat.approval_flow import ClosingError
from app.chat.chat_settings import ChatSettings
from app.chat.dependencies import ChatDependencies
from app.chat.items import ToolCall, tool_calls
from app.chat.journal import Journal
from app.chat.message_attachments import images_to_send, is_image
from app.chat.notices import RESUMABLE, waiting_notice, was_delivered
from app.chat.tool_calls import RecordError, ToolCallRunner
from app.chat.transcript import Transcript
from app.common.clock import Clock
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.store.errors import StoreError
from app.store.records import StoredAttachment, StoredFailure, StoredTurn, TurnState
from app.tasks import TaskOwner
from local_tools.ledger.steps import CallRecord


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The end of a turn's work.

    `cause` is what went wrong on the wire when nobody knows yet whether the message arrived.
    """

    state: TurnState
    failure: StoredFailure | None = None
    cause: StoredFailure | None = None


@dataclass(frozen=True, slots=True)
class DeliveryProgress:
    """How far the exchange that failed had come."""

    is_result: bool = False
    is_accepted: bool = False
    has_events: bool = False


def failed(reason: str) -> TurnOutcome:
    """Return the outcome of a turn that failed for this reason."""
    return TurnOutcome(TurnState.FAILED, StoredFailure(reason))


def ending_of(error: ApiError, progress: DeliveryProgress) -> TurnOutcome:
    """Return what an error of the wire means for the turn."""
    failure = StoredFailure(error.reason, error.values)
    # Not a cut that could be completed: the stream was another conversation's.
    if isinstance(error, StreamBroken) and error.fault is StreamFault.MISDIRECTED:
        return TurnOutcome(TurnState.FAILED, failure)
    if progress.has_events:
        return (
            failed(ErrorCode.REPLY_CUT)
            if _is_cut(error)
            else TurnOutcome(TurnState.FAILED, failure)
        )
    if progress.is_result:
        return _result_ending(error, failure)
    if error.was_maybe_delivered:
        return TurnOutcome(
            TurnState.UNCONFIRMED, StoredFailure(ErrorCode.MESSAGE_UNCONFIRMED), failure
        )
    return TurnOutcome(TurnState.FAILED, failure)


def is_busy(error: ApiError) -> bool:
    """Return whether the conversation is at work for another request, and free again soon."""
    return isinstance(error, Conflict) and error.reason == ErrorCode.CONVERSATION_BUSY


def stopped(progress: DeliveryProgress, *, is_unsent: bool) -> TurnOutcome:
    """Return what Stop means at this point."""
    if is_unsent:
        return TurnOutcome(TurnState.STOPPED, StoredFailure(ErrorCode.STOPPED_UNSENT))
    if progress.is_accepted or progress.is_result:
        return TurnOutcome(TurnState.STOPPED, StoredFailure(ErrorCode.STOPPED))
    # The request was on its way; the service will tell whether it arrived.
    return TurnOutcome(
        TurnState.UNCONFIRMED,
        StoredFailure(ErrorCode.MESSAGE_UNCONFIRMED),
        StoredFailure(ErrorCode.STOPPED_UNSENT),
    )


def _result_ending(error: ApiError, failure: StoredFailure) -> TurnOutcome:
    if error.was_maybe_delivered:
        return failed(ErrorCode.RESULT_UNCONFIRMED)
    if isinstance(error, Refused) and not (
        isinstance(error, InvalidKey | RateLimited) or is_busy(error) or error.status == 429
    ):
        return TurnOutcome(TurnState.FAILED, failure)
    return failed(ErrorCode.RESULT_NOT_POSTED)


def _is_cut(error: ApiError) -> bool:
    if isinstance(error, StreamBroken):
        return error.fault in (StreamFault.ENDED, StreamFault.CUT)
    return isinstance(error, ConnectionLost | RequestTimeout)


_INTERVAL_S: Final = 0.25


class ReplyRecorder:
    """Keeps the pieces of one live reply. Made for a turn; `run` is a task of its own.

    A write that fails is made good by the journal: the reply goes on meanwhile.
    """

    def __init__(
        self,
        journal: Journal,
        transcript: Transcript,
        turn_id: str,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._transcript = transcript
        self._turn_id = turn_id
        self._clock = clock
        self._changed = asyncio.Event()
        self._written = transcript.pieces

    def note(self) -> None:
        """Have the reply written soon, as it has changed."""
        self._changed.set()

    async def run(self) -> None:
        """Write every change after at most a quarter of a second, until cancelled."""
        while True:
            await self._changed.wait()
            # Collects deltas: each write is synced, and one for each would hold up the stream.
            await self._clock.sleep(_INTERVAL_S)
            await self.flush()

    async def flush(self) -> None:
        """Write what changed, now."""
        self._changed.clear()
        before, pieces = self._written, self._transcript.pieces
        self._written = pieces
        # Pieces are immutable, so one that is another object has changed: no text is compared.
        changed = {
            at: piece
            for at, piece in enumerate(pieces)
            if at >= len(before) or piece is not before[at]
        }
        await self._journal.keep_pieces(self._turn_id, changed)


class NotSentError(UserFacingError):
    """The message cannot be sent as it is; nothing of it has left."""


_TRIES: Final = 5
_SHORTEST_WAIT_S: Final = 1.0
_LONGEST_WAIT_S: Final = 120.0

Request = Callable[[], AbstractAsyncContextManager[ReplyStream]]


class Turn:
    """Works on one message; the only one who moves it on while it does.

    All its streams feed one queue of tool calls, and a result is posted only after the stream
    before it has ended. The tools are those that were declared at the start, but for what the
    chat goes without since. Made for one run of `run` or `resume`; whoever runs it calls `finish`
    afterwards. Cancelling is Stop.
    """

    def __init__(
        self,
        dependencies: ChatDependencies,
        stored: StoredTurn,
        *,
        journal: Journal,
        transcript: Transcript,
        settings: ChatSettings,
        tasks: TaskOwner,
        on_state: Callable[[], None],
        on_title: Callable[[str], Awaitable[None]],
    ) -> None:
        disabled = settings.disabled_tools
        # Without attachments these tools could only fail, and each declared one costs tokens.
        has_files = bool(settings.attachments)
        definitions = [
            d
            for d in dependencies.registry.definitions()
            if d.name not in disabled and (has_files or not d.reads_attachments)
        ]
        self._settings = settings
        self._client = dependencies.client
        self._attachments = dependencies.store.attachments
        self._clock = dependencies.clock
        self._registry = dependencies.registry
        self._journal = journal
        self._transcript = transcript
        self._tasks = tasks
        self._stored = stored
        self._on_state = on_state
        self._on_title = on_title
        self._definitions = tuple(
            ToolDefinition.model_validate(
                {"name": d.name, "description": d.description, "input_schema": d.wire_schema()}
            )
            for d in definitions
        )
        # A turn that goes on keeps what it declared then: the digests tell what changed since.
        self._declared = stored.declared or {d.name: d.digest for d in definitions}
        self._tool_calls = ToolCallRunner(
            dependencies,
            stored.conversation_id,
            self._declared,
            settings,
            images=stored.call_images,
            keep_images=partial(journal.keep_call_images, stored.turn_id),
            show=self._show_call,
            on_state=self._advance,
        )
        self._recorder = ReplyRecorder(journal, transcript, stored.turn_id, dependencies.clock)
        self._calls: deque[ToolUse] = deque()
        self._progress = DeliveryProgress()
        self._error: str | None = None
        self._state = TurnState.SENDING
        self._has_begun = False

    @property
    def state(self) -> TurnState:
        """Where the turn stands."""
        return self._state

    def stop_call(self) -> None:
        """End the tool call that runs, and go on with the result that says so."""
        self._tool_calls.stop_running()

    async def run(self) -> TurnOutcome:
        """Send the message and follow the reply to its end."""
        return await self._to_the_end(self._send())

    async def resume(self, records: Sequence[CallRecord]) -> TurnOutcome:
        """Go on after a restart or a failure: settle these calls and post their results."""
        return await self._to_the_end(self._go_on(records))

    def stopped(self) -> TurnOutcome:
        """Return how the turn ends when it was cancelled now."""
        # Stopped before the work began, on a turn that was resumed: its message arrived long ago.
        if not self._has_begun and was_delivered(self._stored):
            return TurnOutcome(TurnState.STOPPED, StoredFailure(ErrorCode.STOPPED))
        is_waiting = self._state is TurnState.WAITING and not self._progress.is_result
        return stopped(self._progress, is_unsent=is_waiting or not self._has_begun)

    async def finish(self, ending: TurnOutcome) -> None:
        """Write the rest of the reply, and settle it."""
        try:
            # Of a turn that can go on, the calls stay open: `resume` settles them.
            if ending.failure is not None and ending.failure.reason not in RESUMABLE:
                await self._tool_calls.close()
        finally:
            await self._recorder.flush()
            self._transcript.settle()

    async def _to_the_end(self, work: Coroutine[Any, Any, None]) -> TurnOutcome:
        writing = self._tasks.start(self._recorder.run(), name="keep reply")
        try:
            await work
        except ApiError as exc:
            return ending_of(exc, self._progress)
        except NotSentError as exc:
            return TurnOutcome(TurnState.FAILED, StoredFailure(exc.reason, exc.values))
        except (RecordError, StoreError) as exc:
            return failed(exc.reason)
        except ClosingError:
            return TurnOutcome(TurnState.ASKING)
        finally:
            writing.cancel()
            await self._recorder.flush()
        if self._error is not None:
            failure = StoredFailure(ErrorCode.REPLY_FAILED, {"message": self._error})
            return TurnOutcome(TurnState.FAILED, failure)
        return TurnOutcome(TurnState.DONE)

    async def _send(self) -> None:
        images = await self._images(self._stored.attachments)
        if images:
            await self._check_images()
        # Without a choice the agent's own model answers, or the default: the usage says which.
        chosen = self._settings.model
        model = self._client.model_name(chosen) if chosen else ""
        await self._journal.begin(self._stored.turn_id, self._declared, model)
        self._has_begun = True
        self._on_state()
        stored = self._stored
        # What an earlier try used counts, too.
        self._transcript.begin(stored.turn_id, self._clock.wall(), model=model, usage=stored.usage)
        await self._exchange(
            lambda: self._client.chat_stream(
                stored.conversation_id,
                stored.text,
                self._definitions,
                stored.agent_name,
                model=self._settings.model,
                settings=self._settings.answers,
                instructions=self._settings.instructions,
                images=images,
            )
        )
        await self._settle_calls()

    async def _go_on(self, records: Sequence[CallRecord]) -> None:
        self._has_begun = True
        # The message has arrived: whatever fails from here on concerns a result.
        self._progress = DeliveryProgress(is_result=True)
        calls = tool_calls(records, self._registry)
        self._transcript.begin(
            self._stored.turn_id,
            self._stored.created_at,
            self._stored.pieces,
            calls,
            model=self._stored.model,
            usage=self._stored.usage,
        )
        for record in records:
            result = await self._tool_calls.resume(record)
            await self._post(record.key.call_id, result)
        await self._settle_calls()

    async def _settle_calls(self) -> None:
        while self._calls and self._error is None:
            call = self._calls.popleft()
            result = await self._tool_calls.run(call)
            await self._post(call.id, result)

    async def _post(self, call_id: str, result: str) -> None:
        await self._advance(TurnState.STREAMING)
        images = await self._images(self._tool_calls.images(call_id))
        await self._exchange(
            lambda: self._client.tool_result(self._stored.conversation_id, call_id, result, images),
            call_id,
        )

    async def _images(self, items: Sequence[StoredAttachment]) -> tuple[SentImage, ...]:
        content = partial(self._attachments.content, self._stored.conversation_id)
        return await images_to_send(items, content)

    async def _check_images(self) -> None:
        """Check that the service takes images, before anything is sent.

        Raises:
            NotSentError: It does not, or cannot be asked.
        """
        try:
            await self._client.learn_extensions()
        except ApiError as exc:
            raise NotSentError(exc.reason, exc.values) from exc
        if not self._client.offers_attachments:
            named = [item.name for item in self._stored.attachments if is_image(item)]
            raise NotSentError(ErrorCode.IMAGES_NOT_TAKEN, {"name": ", ".join(named)})

    async def _exchange(self, request: Request, call_id: str | None = None) -> None:
        """Make one POST and follow its stream, waiting while the service cannot take it."""
        for tries in itertools.count(1):
            self._progress = DeliveryProgress(is_result=call_id is not None)
            try:
                await self._follow(request, call_id)
            except (RateLimited, Conflict) as exc:
                # Only what was refused before it was taken is asked again: a POST has no key for
                # repeats.
                if tries > _TRIES or not self._may_wait(exc):
                    raise
                await self._wait(exc, tries)
            else:
                return

    def _may_wait(self, error: RateLimited | Conflict) -> bool:
        return isinstance(error, RateLimited) or (self._progress.is_result and is_busy(error))

    async def _follow(self, request: Request, call_id: str | None) -> None:
        if call_id is not None:
            # Before the request: what may have arrived is not posted again by itself after a crash.
            await self._tool_calls.posting(call_id)
        self._transcript.await_reply(
            is_choosing=call_id is None and self._stored.agent_name is None
        )
        async with request() as reply:
            self._progress = replace(self._progress, is_accepted=True)
            if call_id is not None:
                await self._tool_calls.acknowledged(call_id)
            await self._advance(TurnState.STREAMING)
            try:
                async for event in reply:
                    await self._handle(event)
            except StreamBroken as exc:
                # Some services end the stream at a tool call without a message_stop.
                if exc.fault is not StreamFault.ENDED or not self._calls:
                    raise

    async def _handle(self, event: Event) -> None:
        self._progress = replace(self._progress, has_events=True)
        if isinstance(event, ToolUse):
            if not await self._tool_calls.accept(event):
                return
            self._calls.append(event)
        if isinstance(event, StreamError):
            self._error = event.message
        if isinstance(event, Title):
            await self._on_title(event.text)
        if isinstance(event, Usage):
            model = self._client.model_name(event.model) if event.model else ""
            await self._journal.add_usage(self._stored.turn_id, event, model)
            self._transcript.name_model(model)
            self._on_state()
        # Only now: a call is in the ledger before anybody sees it.
        self._transcript.apply(event)
        self._recorder.note()
        if isinstance(event, ToolUse):
            # The row of a call is on the disk before the call can run.
            await self._recorder.flush()

    async def _wait(self, error: RateLimited | Conflict, tries: int) -> None:
        seconds, reason = None, ErrorCode.CONVERSATION_BUSY_WAIT
        if isinstance(error, RateLimited):
            seconds, reason = error.retry_after_s, ErrorCode.RATE_LIMIT_WAIT
        if seconds is None:
            seconds = 2.0**tries + random.random()  # noqa: S311 - only spreads the load
        seconds = min(max(seconds, _SHORTEST_WAIT_S), _LONGEST_WAIT_S)
        before = self._state
        # The notice with the countdown replaces the waiting row of the reply.
        self._transcript.end_waiting()
        await self._advance(TurnState.WAITING)
        turn_id = self._stored.turn_id
        notice = waiting_notice(turn_id, reason, seconds, self._clock.now() + seconds)
        self._transcript.put(notice, after=turn_id)
        await self._clock.sleep(seconds)
        await self._advance(before)

    async def _advance(self, state: TurnState) -> None:
        if state is not self._state:
            self._state = state
            await self._journal.advance(self._stored.turn_id, state)
            self._on_state()

    def _show_call(self, call: ToolCall) -> None:
        self._transcript.show_call(call)
        self._recorder.note()
