"""The steps of a tool call and their order, the entries that record them, and the chain they form.

    asked → decided → started → finished → released → posted → acknowledged
               └──────────(not run)──────────┘           ↺

A call that was not allowed goes from `decided` straight to `released`: its result is the sentence
that says so. `posted` may come again, once per attempt. `check_order` holds this order.

A `StoredEntry` is one step as it is stored, and `calls_of` makes a `CallRecord` of each call out of
such entries. A `ChainEntry` is what the chain knows of one: its link hashes the entry and the link
before it, so nothing in between can change. The words of an entry are represented by a salted
hash: once they are erased with their salt, nobody can find out by guessing what they were. The
`Head` notes where the chain ends; kept in a file of its own, outside the database, it shows a tail
that was cut off.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import TypeAdapter

from local_tools.outcome import OutcomeStatus
from local_tools.recovery.atomic_files import write_atomically

START: Final = "0" * 64
_SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """One row of the chain.

    Attributes:
        number: From 1, without gaps.
        details: Canonical JSON.
        text_hash: Salted, of the words that belong to it; empty when there are none.
    """

    number: int
    profile: str
    conversation_id: str
    call_id: str
    step: str
    at: str
    tool: str
    digest: str
    details: str
    text_hash: str

    def link_after(self, previous: str) -> str:
        """Return the link of this entry, when `previous` is the one before."""
        row = json.dumps(astuple(self), ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(f"{previous}\n{row}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Head:
    """How many entries there are and the link of the last."""

    count: int = 0
    link: str = START


@dataclass(frozen=True, slots=True)
class LedgerOrigin:
    """Where a record begins that took the place of a damaged one.

    The links begin with its hash, so that the cut cannot be hidden later.

    Attributes:
        at: When it was begun; ISO 8601, UTC.
        before: Where the damaged record ended, as far as that was known.
        kept: So many entries could still be read; they are the first ones, numbered anew.
        count: So many entries the record began with, some that close calls included.
    """

    at: str
    before: Head
    kept: int
    count: int

    @property
    def head(self) -> Head:
        """What the first entry follows."""
        said = [self.at, *astuple(self.before), self.kept, self.count]
        row = json.dumps(said, separators=(",", ":"))
        return Head(0, hashlib.sha256(f"begun anew\n{row}".encode()).hexdigest())

    def explains(self, noted: Head | None, count: int) -> bool:
        """Tell whether a note of the end is the one from before the cut, or not made yet."""
        return noted in (None, self.before) and count <= self.count


def new_salt() -> bytes:
    """Return a salt for one text."""
    return os.urandom(_SALT_BYTES)


def salted_hash(salt: bytes, text: str) -> str:
    """Return the hash that stands for a text."""
    return hashlib.sha256(salt + text.encode("utf-8", "surrogatepass")).hexdigest()


def read_head(path: Path) -> Head | None:
    """Return the head as noted; None when there is no readable note."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Head(int(data["count"]), str(data["link"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_head(path: Path, head: Head) -> None:
    """Note the head, whole or not at all."""
    write_atomically(path, json.dumps(asdict(head)))


INTERRUPTED_TEXT: Final = "Error: interrupted, outcome unknown"

Decision: TypeAlias = Literal["allowed", "edited", "denied", "answered", "refused", "closed"]
RUNNABLE: Final[frozenset[Decision | None]] = frozenset({"allowed", "edited"})
"""The decisions after which a call may be started."""


class Step(StrEnum):
    """Where a call stands."""

    ASKED = "asked"
    DECIDED = "decided"
    STARTED = "started"
    FINISHED = "finished"
    RELEASED = "released"
    POSTED = "posted"
    ACKNOWLEDGED = "acknowledged"


_FOLLOWING: Final[Mapping[Step, frozenset[Step]]] = {
    Step.ASKED: frozenset({Step.DECIDED}),
    Step.DECIDED: frozenset({Step.STARTED, Step.RELEASED}),
    Step.STARTED: frozenset({Step.FINISHED}),
    Step.FINISHED: frozenset({Step.RELEASED}),
    Step.RELEASED: frozenset({Step.POSTED}),
    Step.POSTED: frozenset({Step.POSTED, Step.ACKNOWLEDGED}),
    Step.ACKNOWLEDGED: frozenset(),
}


class LedgerError(Exception):
    """The ledger cannot be read or written. The message is a sentence for the user."""


class LedgerDamagedError(LedgerError):
    """The file is no ledger that can be used any more."""


class LedgerOrderError(LedgerError):
    """A step that cannot follow the one before: a fault of the caller."""


@dataclass(frozen=True, slots=True)
class CallKey:
    """Which call: ids of calls are unique within a conversation only."""

    profile: str
    conversation_id: str
    call_id: str


@dataclass(frozen=True, slots=True)
class StepDetails:
    """What a step adds; never words of the user or the assistant, those are its text.

    Attributes:
        decision: With `decided`. `edited` is allowed with another input, `answered` is what the
            user said instead; `refused` is by the program, before a card; `closed` means stopped
            or shut down.
        decided_by: With `decided`: who, or which rule.
        status: With `finished`, as are the two below.
        release: With `released`, where a person decided how a result leaves: with its secrets
            `masked`, or only `some` of them, `as_is`, a `part` of it, or `kept_back`.
        masked: With `released`: how many secrets were masked in what left.
    """

    decision: Decision | None = None
    decided_by: str = ""
    status: OutcomeStatus | None = None
    duration_ms: int | None = None
    cut_bytes: int = 0
    release: Literal["masked", "some", "as_is", "part", "kept_back"] | None = None
    masked: int = 0


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call as it stands.

    Attributes:
        step: The latest.
        asked_at: ISO 8601, UTC; `changed_at` likewise.
        reason: The user's words: why it was denied, the answer instead, or the input that ran in
            place of the one asked for; empty when there are none or they were erased.
        input_text: Canonical JSON; None when erased.
        result_text: What may be posted or was; None before there is one and when erased.
    """

    key: CallKey
    tool: str
    digest: str
    step: Step
    asked_at: str
    changed_at: str
    details: StepDetails
    reason: str
    input_text: str | None
    result_text: str | None

    @property
    def is_interrupted(self) -> bool:
        """Whether it was started and nobody knows how it ended. Never run again."""
        return self.step is Step.STARTED


@dataclass(frozen=True, slots=True)
class Verification:
    """What checking the whole chain found.

    Attributes:
        state: `erased` is whole too, but some words were removed on request.
        broken_at: The number of the first entry that is not what was written.
        call_count: How many calls the entries are about, up to there.
        begun_at: When the record was begun anew, because the one before it was damaged; empty
            where that never happened.
        before_count: How many entries the damaged record had, as far as that was known.
        kept_count: How many of them could be taken over.
    """

    state: Literal["ok", "erased", "broken"]
    entry_count: int
    erased_count: int
    broken_at: int | None = None
    call_count: int = 0
    begun_at: str = ""
    before_count: int = 0
    kept_count: int = 0


def check_order(before: Step | None, decision: Decision | None, step: Step) -> None:
    """Make sure that `step` may come now.

    Args:
        before: The call's latest step; None when it is new.
        decision: What was decided, if that is known.
        step: The one to come.

    Raises:
        LedgerOrderError: When it may not.
    """
    allowed = frozenset({Step.ASKED}) if before is None else _FOLLOWING[before]
    if before is Step.DECIDED and decision not in RUNNABLE:
        allowed -= {Step.STARTED}
    if step not in allowed:
        raise LedgerOrderError(f"A call cannot be {step} when it is {before or 'not asked'}.")


_DETAILS: Final = TypeAdapter(StepDetails)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry with its words; None when there were none or they were erased.

    Attributes:
        link: Where somebody asked for it.
        is_unsent: Its words did not leave as they are, and an export has none of them.
    """

    entry: ChainEntry
    text: str | None
    link: str = ""
    is_unsent: bool = False

    def known(self) -> dict[str, object]:
        """Return what is recorded, as an export says it: of a result no more than was sent.

        The hashes of the chain are there, so that the lines of a whole record can be checked.
        """
        entry = self.entry
        return {
            "number": entry.number,
            "at": entry.at,
            "profile": entry.profile,
            "conversation_id": entry.conversation_id,
            "call_id": entry.call_id,
            "tool": entry.tool,
            "digest": entry.digest,
            "step": entry.step,
            **json.loads(entry.details),
            "text": None if self.is_unsent else self.text,
            "is_erased": bool(entry.text_hash) and self.text is None,
            "is_unsent": bool(self.is_unsent),
            "text_hash": entry.text_hash,
            "link": self.link,
        }


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Which calls: all, those of a profile, those of a conversation, or a single one."""

    profile: str = ""
    conversation_id: str = ""
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class CallRecordPage:
    """Some calls, newest first, without their results and with the beginning of long inputs.

    `before` leads to the next page, where there is one.
    """

    calls: tuple[CallRecord, ...]
    before: int | None


def details_text(details: StepDetails) -> str:
    """Details as they are stored: canonical JSON, without what is not set."""
    said = {key: value for key, value in asdict(details).items() if value not in (None, "", 0)}
    if details.duration_ms is not None:
        said["duration_ms"] = details.duration_ms
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def read_details(text: str) -> StepDetails:
    """Details from their stored form.

    Raises:
        ValueError: When they are none.
    """
    return _DETAILS.validate_json(text)


def calls_of(stored: Iterable[StoredEntry]) -> tuple[CallRecord, ...]:
    """Return the calls that these entries tell of, oldest first. Entries come in their order.

    Raises:
        ValueError: When an entry is none that we write.
    """
    calls: dict[CallKey, CallRecord] = {}
    for item in stored:
        entry = item.entry
        key = CallKey(entry.profile, entry.conversation_id, entry.call_id)
        calls[key] = _asked(key, item) if key not in calls else _advanced(calls[key], item)
    return tuple(calls.values())


def _asked(key: CallKey, item: StoredEntry) -> CallRecord:
    entry = item.entry
    return CallRecord(
        key=key,
        tool=entry.tool,
        digest=entry.digest,
        step=Step(entry.step),
        asked_at=entry.at,
        changed_at=entry.at,
        details=read_details(entry.details),
        reason="",
        input_text=item.text,
        result_text=None,
    )


def _advanced(call: CallRecord, item: StoredEntry) -> CallRecord:
    step = Step(item.entry.step)
    call = replace(call, step=step, changed_at=item.entry.at)
    said = read_details(item.entry.details)
    if step is Step.DECIDED:
        details = replace(call.details, decision=said.decision, decided_by=said.decided_by)
        return replace(call, details=details, reason=item.text or "")
    if step is Step.FINISHED:
        details = replace(said, decision=call.details.decision, decided_by=call.details.decided_by)
        return replace(call, details=details, result_text=item.text)
    if step is Step.RELEASED:
        details = replace(call.details, release=said.release, masked=said.masked)
        text = call.result_text if item.text is None else item.text
        return replace(call, details=details, result_text=text)
    return call
