"""Read the record of a profile's tool calls, page by page, and undo calls."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.chat.items import CallChange, CallState, ToolCall, target_in, tool_call
from app.common.error_messages import ErrorCode
from app.common.observable import Subscribers
from app.store.errors import StoreError
from app.store.turns import TurnTable
from local_tools.execution.outputs import OutputFiles
from local_tools.ledger.chain import Verification
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import (
    CallFilter,
    CallKey,
    CallRecord,
    Decision,
    LedgerError,
    Step,
    StepDetails,
    StoredEntry,
    read_details,
)
from local_tools.registry import ToolRegistry
from local_tools.translation_marks import MarkedSentence
from local_tools.undo.undo import Undo, UndoStore


@dataclass(frozen=True, slots=True)
class CallLogEntry:
    """One call, ended or under way; `call` has no output. Times are ISO 8601, UTC."""

    key: CallKey
    asked_at: str
    changed_at: str
    call: ToolCall
    is_posted: bool = False


@dataclass(frozen=True, slots=True)
class CallLogPage:
    """Some calls, newest first; `before` leads to the next page where there is one."""

    calls: tuple[CallLogEntry, ...]
    before: int | None = None


@dataclass(frozen=True, slots=True)
class CallLogStep:
    """A step of a call, and when it was taken."""

    step: Step
    at: str


@dataclass(frozen=True, slots=True)
class CallDetails:
    """Everything that is recorded of one call, and whether it can be undone.

    `result` is what the tool gave back, and `sent` what was told to the assistant where that is
    not the same. `output` is the file with all that a program wrote, where the result was cut and
    it is still there. `is_erased` says that words were removed with their chat, `changes` whether
    the tool is one that changes something.
    """

    entry: CallLogEntry
    input_text: str
    result: str
    sent: str
    reason: str
    cut_bytes: int
    steps: tuple[CallLogStep, ...]
    undo: Undo
    output: Path | None
    is_erased: bool = False
    changes: bool = True


@dataclass(frozen=True, slots=True)
class CallLog:
    """Reads the record, and undoes what can be. Made with a profile's workspace.

    `versions_of` returns the conversations that are versions of the same chat as one.
    `on_undone` is called when calls were undone, before those who subscribed to that.

    Every method raises `StoreError` where the record or the store cannot be read.
    """

    profile: str
    ledger: Ledger
    turns: TurnTable
    registry: ToolRegistry
    undo_store: UndoStore
    outputs: OutputFiles
    versions_of: Callable[[str], Sequence[str]]
    on_undone: Callable[[], Awaitable[None]]
    _undone: Subscribers[[]] = field(default_factory=Subscribers)

    def subscribe(self, on_step: Callable[[CallKey], None]) -> Callable[[], None]:
        """Call `on_step` with each call of the profile that took a step, until the result is."""

        def notify(key: CallKey) -> None:
            if key.profile == self.profile:
                on_step(key)

        return self.ledger.subscribe(notify)

    def subscribe_undone(self, on_undone: Callable[[], None]) -> Callable[[], None]:
        """Call `on_undone` whenever calls were undone, until the result is called."""
        return self._undone.subscribe(on_undone)

    async def page(self, conversation_id: str = "", before: int | None = None) -> CallLogPage:
        """Return the newest calls of a chat, or of all chats, or those before a page.

        The calls of a chat are those of all its versions: a version shows the calls before it, too.
        """
        with _translated_errors():
            page = await self.ledger.page(self._calls(conversation_id), before)
        return CallLogPage(await self._entries(page.calls), page.before)

    def is_of_chat(self, key: CallKey, conversation_id: str) -> bool:
        """Return whether `page` lists this call of the profile with those of the chat."""
        return not conversation_id or key.conversation_id in self.versions_of(conversation_id)

    async def call(self, key: CallKey) -> CallLogEntry | None:
        """Return how one call stands; None when there is none."""
        with _translated_errors():
            page = await self.ledger.page(_call(key), limit=1)
        return next(iter(await self._entries(page.calls)), None)

    async def details(self, key: CallKey) -> CallDetails | None:
        """Return everything about one call; None when there is none."""
        entry = await self.call(key)
        with _translated_errors():
            steps = await self.ledger.entries(_call(key))
        if entry is None or not steps:
            return None
        undo = await asyncio.to_thread(self.undo_store.look, key)
        output = await asyncio.to_thread(self.outputs.find, key)
        tool = self.registry.get(entry.call.tool)
        # Of a tool that is gone, nobody knows that it only reads.
        changes = tool is None or not tool.definition.effects.read_only
        return _details(entry, steps, undo, output, changes=changes)

    async def change(self, call_id: str, conversation_ids: Sequence[str]) -> CallChange | None:
        """Return what a call changed; None where nothing is kept of it.

        Args:
            call_id: The call.
            conversation_ids: Where it may have been made: a chat, and those it was copied from.
        """
        for conversation_id in conversation_ids:
            key = CallKey(self.profile, conversation_id, call_id)
            kept = await asyncio.to_thread(self.undo_store.change, key)
            if kept is not None:
                undo = await asyncio.to_thread(self.undo_store.look, key)
                can_undo = undo.state == "available"
                return CallChange(conversation_id, kept.diff, kept.is_new, can_undo)
        return None

    async def undo(self, key: CallKey) -> MarkedSentence:
        """Undo a call; return a sentence that says what was done.

        Raises:
            UndoError: it cannot be undone.
            ToolError: something failed on the way.
        """
        sentence = await asyncio.to_thread(self.undo_store.undo, key)
        await self.show_undone()
        return sentence

    async def show_undone(self) -> None:
        """Show wherever calls are listed that some were undone."""
        await self.on_undone()
        self._undone.notify()

    async def undone(self, keys: Sequence[CallKey]) -> frozenset[CallKey]:
        """Return which of these calls were undone."""
        return await asyncio.to_thread(self.undo_store.undone, keys)

    async def verify(self) -> Verification:
        """Check the whole record, of all profiles."""
        with _translated_errors():
            return await self.ledger.verify()

    async def export(self, conversation_id: str, file: Path) -> int:
        """Write the steps of a chat's calls, or of all, as lines of JSON; return their number.

        Of a result there is what was sent, and the file is for its owner alone.
        """
        count, last, chosen = 0, 0, self._calls(conversation_id)
        while True:
            with _translated_errors():
                entries = await self.ledger.entries(chosen, last, leaves=True)
            if not entries:
                return count
            await asyncio.to_thread(_append, file, entries)
            count, last = count + len(entries), entries[-1].entry.number

    def _calls(self, conversation_id: str) -> CallFilter:
        if not conversation_id:
            return CallFilter(self.profile)
        return CallFilter(self.profile, tuple(self.versions_of(conversation_id)))

    async def _entries(self, records: Sequence[CallRecord]) -> tuple[CallLogEntry, ...]:
        labels = await self.turns.labels([record.key.call_id for record in records])
        titles = {d.name: d.title for d in self.registry.definitions()}
        keys = [record.key for record in records]
        undone = await self.undone(keys)
        entries = (self._entry(record, labels, titles) for record in records)
        return tuple(
            replace(entry, call=replace(entry.call, is_undone=entry.key in undone))
            for entry in entries
        )

    def _entry(
        self,
        record: CallRecord,
        labels: dict[tuple[str, str], tuple[str, str]],
        titles: dict[str, str],
    ) -> CallLogEntry:
        key = record.key
        title, target = labels.get((key.conversation_id, key.call_id), ("", ""))
        # A tool that is gone has the title it had when it was called.
        title = titles.get(record.tool) or title or record.tool
        call = tool_call(record, title=title, is_running=key in self.ledger.running)
        if record.step is Step.FINISHED and call.state is not CallState.INTERRUPTED:
            # The call has run, and its result was not sent yet.
            call = replace(call, state=CallState.WAITING)
        call = replace(call, target=target or target_in(call, self.registry))
        is_posted = record.step in (Step.POSTED, Step.ACKNOWLEDGED)
        return CallLogEntry(key, record.asked_at, record.changed_at, call, is_posted)


def _call(key: CallKey) -> CallFilter:
    return CallFilter(key.profile, (key.conversation_id,), key.call_id)


def _details(
    entry: CallLogEntry,
    steps: Sequence[StoredEntry],
    undo: Undo,
    output: Path | None,
    *,
    changes: bool,
) -> CallDetails:
    texts = {Step(step.entry.step): step.text or "" for step in steps}
    details = {Step(step.entry.step): read_details(step.entry.details) for step in steps}
    is_edited = entry.call.decision is Decision.EDITED
    decided = texts.get(Step.DECIDED, "")
    result, sent = texts.get(Step.FINISHED, ""), texts.get(Step.RELEASED, "")
    return CallDetails(
        entry=entry,
        input_text=(decided if is_edited else "") or texts.get(Step.ASKED, ""),
        result=result,
        sent=sent if sent != result else "",
        reason="" if is_edited else decided,
        cut_bytes=details.get(Step.FINISHED, StepDetails()).cut_bytes,
        steps=tuple(CallLogStep(Step(step.entry.step), step.entry.at) for step in steps),
        undo=undo,
        output=output,
        is_erased=any(step.entry.text_hash and step.text is None for step in steps),
        changes=changes,
    )


def _append(file: Path, entries: Sequence[StoredEntry]) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8", newline="\n") as lines:
        lines.writelines(f"{json.dumps(item.known(), ensure_ascii=False)}\n" for item in entries)


@contextmanager
def _translated_errors() -> Iterator[None]:
    try:
        yield
    except LedgerError as exc:
        raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc
