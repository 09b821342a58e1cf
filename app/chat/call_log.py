"""The record of a profile's tool calls, as a person reads it: what, where, and how it ended."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from app.chat.items import CallState, ToolCallStatus, status_from_record, target_in
from app.common.error_messages import ErrorCode
from app.store.errors import StoreError
from app.store.turns import TurnTable
from local_tools.execution.outputs import OutputFiles
from local_tools.ledger.ledger import CallKey, CallRecord, Ledger, LedgerError, Step, Verification
from local_tools.ledger.steps import CallFilter, StoredEntry
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import Undo, UndoStore


@dataclass(frozen=True, slots=True)
class CallLogEntry:
    """One call, ended or under way.

    `facts` have no output; `title` is the tool's own word and `target` what it was about.
    """

    key: CallKey
    tool: str
    asked_at: str
    changed_at: str
    facts: ToolCallStatus
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

    `result` is what the tool gave back, `sent` what was told to the assistant where that is not
    the same, and `release` how a person let it leave (as in `StepDetails`). `output` is the file
    with all that a program wrote, where the result was cut and it is still there. `is_erased`
    says that words were removed with their chat, `changes` whether the tool is one that changes
    something.
    """

    call: CallLogEntry
    input_text: str
    result: str
    sent: str
    reason: str
    cut_bytes: int
    release: str
    steps: tuple[CallLogStep, ...]
    undo: Undo
    output: Path | None
    is_erased: bool = False
    changes: bool = True


@dataclass(frozen=True, slots=True)
class CallLog:
    """Reads the record, and undoes what can be. Made with a profile's workspace.

    Every method raises `StoreError` where the record or the store cannot be read.
    """

    profile: str
    ledger: Ledger
    turns: TurnTable
    registry: ToolRegistry
    undo: UndoStore
    outputs: OutputFiles

    def subscribe(self, on_step: Callable[[CallKey], None]) -> Callable[[], None]:
        """Be told which call of the profile has taken a step; what is returned ends it."""

        def tell(key: CallKey) -> None:
            if key.profile == self.profile:
                on_step(key)

        return self.ledger.subscribe(tell)

    async def page(self, conversation_id: str = "", before: int | None = None) -> CallLogPage:
        """Return the newest calls of a chat, or of all chats, or those before a page."""
        with _in_words():
            page = await self.ledger.page(CallFilter(self.profile, conversation_id), before)
        return CallLogPage(await self._booked(page.calls), page.before)

    async def call(self, key: CallKey) -> CallLogEntry | None:
        """How one call stands; None when there is none."""
        with _in_words():
            page = await self.ledger.page(CallFilter(*_place(key)), limit=1)
        return next(iter(await self._booked(page.calls)), None)

    async def story(self, key: CallKey) -> CallDetails | None:
        """Everything about one call."""
        call = await self.call(key)
        with _in_words():
            entries = await self.ledger.entries(CallFilter(*_place(key)))
        if call is None or not entries:
            return None
        undo = await asyncio.to_thread(self.undo.look, key)
        output = await asyncio.to_thread(self.outputs.find, key)
        tool = self.registry.get(call.tool)
        story = _story(call, entries, undo, output)
        return replace(story, changes=tool is None or not tool.definition.effects.read_only)

    async def put_back(self, key: CallKey) -> str:
        """Undo a call; gives a sentence that says what was done.

        Raises:
            ToolError: it cannot be undone.
        """
        return await asyncio.to_thread(self.undo.undo, key)

    async def verify(self) -> Verification:
        """Check the whole record, of all profiles."""
        with _in_words():
            return await self.ledger.verify()

    async def export(self, conversation_id: str, file: Path) -> int:
        """Write the steps of a chat's calls, or of all, as lines of JSON; gives their number.

        Of a result there is what was sent, and the file is for its owner alone.
        """
        count, last, kept = 0, 0, CallFilter(self.profile, conversation_id)
        while True:
            with _in_words():
                entries = await self.ledger.entries(kept, last, leaves=True)
            if not entries:
                return count
            await asyncio.to_thread(_append, file, entries)
            count, last = count + len(entries), entries[-1].entry.number

    async def _booked(self, records: Sequence[CallRecord]) -> tuple[CallLogEntry, ...]:
        labels = await self.turns.labels([record.key.call_id for record in records])
        titles = {d.name: d.title for d in self.registry.definitions()}
        return tuple(self._call(record, labels, titles) for record in records)

    def _call(
        self,
        record: CallRecord,
        labels: dict[tuple[str, str], tuple[str, str]],
        titles: dict[str, str],
    ) -> CallLogEntry:
        facts = status_from_record(record)
        if record.step is Step.FINISHED and facts.state is not CallState.INTERRUPTED:
            # It ran, and nothing of its result has left yet.
            facts = replace(facts, state=CallState.WAITING)
        elif record.key in self.ledger.running:
            facts = replace(facts, state=CallState.RUNNING)
        place = (record.key.conversation_id, record.key.call_id)
        title, target = labels.get(place, ("", ""))
        title = titles.get(record.tool) or title or record.tool
        target = target or target_in(facts.input_text)
        return CallLogEntry(
            key=record.key,
            tool=record.tool,
            asked_at=record.asked_at,
            changed_at=record.changed_at,
            facts=replace(facts, title=title, target=target),
            is_posted=record.step in (Step.POSTED, Step.ACKNOWLEDGED),
        )


def _place(key: CallKey) -> tuple[str, str, str]:
    return key.profile, key.conversation_id, key.call_id


def _story(
    call: CallLogEntry, entries: Sequence[StoredEntry], undo: Undo, output: Path | None
) -> CallDetails:
    texts = {Step(item.entry.step): item.text or "" for item in entries}
    details = _details(entries, Step.FINISHED)
    is_edited = call.facts.decided_by == "you, edited"
    decided = texts.get(Step.DECIDED, "")
    result, sent = texts.get(Step.FINISHED, ""), texts.get(Step.RELEASED, "")
    return CallDetails(
        call=call,
        input_text=(decided if is_edited else "") or texts.get(Step.ASKED, ""),
        result=result,
        sent=sent if sent != result else "",
        reason="" if is_edited else decided,
        cut_bytes=int(details.get("cut_bytes", 0)),
        release=str(_details(entries, Step.RELEASED).get("release", "")),
        steps=tuple(CallLogStep(Step(i.entry.step), i.entry.at) for i in entries),
        undo=undo,
        output=output,
        is_erased=any(i.entry.text_hash and i.text is None for i in entries),
    )


def _details(entries: Sequence[StoredEntry], step: Step) -> dict[str, str | int]:
    found = (item.entry.details for item in entries if item.entry.step == step)
    details: dict[str, str | int] = json.loads(next(found, "{}"))
    return details


def _append(file: Path, entries: Sequence[StoredEntry]) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8", newline="\n") as lines:
        lines.writelines(f"{json.dumps(item.known(), ensure_ascii=False)}\n" for item in entries)


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except LedgerError as exc:
        raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc
