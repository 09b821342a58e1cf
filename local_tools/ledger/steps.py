"""The steps of a tool call, their order, and what each of them records.

    asked → decided → started → finished → released → posted → acknowledged
               └──────────(not run)──────────┘           ↺

A call that was not allowed goes from `decided` straight to `released`: its result is the sentence
that says so. `posted` may come again, once per attempt. `check_order` holds this order.

A `StoredEntry` is one step as it is stored, and `calls_of` makes a `CallRecord` of each call out of
such entries. Enums are stored by their values. `read_details` and `CallRecord.after` translate what
earlier versions stored as sentences instead; nothing else reads those.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Final

from pydantic import JsonValue, TypeAdapter

from local_tools.ledger.chain import ChainEntry
from local_tools.outcome import OutcomeStatus

INTERRUPTED_TEXT: Final = "Error: interrupted, outcome unknown"
# What earlier versions told of a call that was refused because its chat had no folder.
_EARLIER_NO_FOLDER: Final = "No folder is chosen for this chat"
_EARLIER_DECIDERS: Final = {"you": "user", "you, before": "user_before"}
_EARLIER_RULE: Final = re.compile(r"(folder|input|host|tool) rule(?: (.*))?")


class Decision(StrEnum):
    """What was decided about a call."""

    ALLOWED = "allowed"
    EDITED = "edited"
    """Allowed, with another input than the one asked for."""
    DENIED = "denied"
    ANSWERED = "answered"
    """Not run; the user answered in its place."""
    REFUSED = "refused"
    """Not run; the program refused it before anybody was asked."""
    CLOSED = "closed"
    """Not run; stopped, or the program closed, before anybody decided."""

    @property
    def is_runnable(self) -> bool:
        """Whether the call may be started after this decision."""
        return self in (Decision.ALLOWED, Decision.EDITED)


class Decider(StrEnum):
    """Who decided about a call: the user, a kind of rule of theirs, or their attaching a file."""

    USER = "user"
    USER_BEFORE = "user_before"
    """The user denied the same call earlier in the reply, and was not asked again."""
    FOLDER_RULE = "folder_rule"
    INPUT_RULE = "input_rule"
    HOST_RULE = "host_rule"
    TOOL_RULE = "tool_rule"
    ATTACHING = "attaching"
    """The user attached the file that the call reads."""

    @property
    def is_rule(self) -> bool:
        """Whether a rule decided."""
        return self not in (Decider.USER, Decider.USER_BEFORE, Decider.ATTACHING)


class RefusalReason(StrEnum):
    """Why the program refused a call before anybody was asked."""

    UNKNOWN_TOOL = "unknown_tool"
    INVALID_INPUT = "invalid_input"
    NO_FOLDER = "no_folder"
    """The chat has no folder, and the call needs one."""


class ReleaseKind(StrEnum):
    """How a result left, where a person decided about that."""

    MASKED = "masked"
    """With all its secrets masked."""
    SOME = "some"
    """With some of its secrets masked."""
    AS_IS = "as_is"
    PART = "part"
    KEPT_BACK = "kept_back"


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
        decision: With `decided`, as are the three below.
        decider: None where nobody was asked and no rule decided.
        rule_id: Which rule decided.
        refusal: Why the program refused the call; None of calls that earlier versions refused for
            any other reason than that the chat had no folder.
        status: With `finished`, as are the two below.
        release: With `released`, where a person decided how a result leaves.
        masked: With `released`: how many secrets were masked in what left.
    """

    decision: Decision | None = None
    decider: Decider | None = None
    rule_id: str = ""
    refusal: RefusalReason | None = None
    status: OutcomeStatus | None = None
    duration_ms: int | None = None
    cut_bytes: int = 0
    release: ReleaseKind | None = None
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
    result_text: str | None = None

    @property
    def is_interrupted(self) -> bool:
        """Whether it was started and nobody knows how it ended. Never run again."""
        return self.step is Step.STARTED

    def after(self, step: Step, at: str, details: StepDetails, text: str | None) -> "CallRecord":
        """Return the call once it has taken another step.

        Args:
            step: Any but `asked`.
            at: When; ISO 8601, UTC.
            details: What the step adds.
            text: The words of the step; empty when there are none, None when they were erased.
        """
        call = replace(self, step=step, changed_at=at)
        before = self.details
        if step is Step.DECIDED:
            return replace(call, details=details, reason=text or "")
        if step is Step.FINISHED:
            if details.status == "crashed" and text == INTERRUPTED_TEXT:
                # Earlier versions had no status of its own for this.
                details = replace(details, status="interrupted")
            details = replace(
                details,
                decision=before.decision,
                decider=before.decider,
                rule_id=before.rule_id,
            )
            return replace(call, details=details, result_text=text)
        if step is Step.RELEASED:
            refusal = before.refusal
            if refusal is None and before.decision is Decision.REFUSED:
                # Earlier versions recorded no reason, but told it to the assistant.
                refusal = RefusalReason.NO_FOLDER if _EARLIER_NO_FOLDER in (text or "") else None
            details = replace(
                before, release=details.release, masked=details.masked, refusal=refusal
            )
            return replace(call, details=details, result_text=text or self.result_text)
        return call


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
    if before is Step.DECIDED and not (decision and decision.is_runnable):
        allowed -= {Step.STARTED}
    if step not in allowed:
        raise LedgerOrderError(f"A call cannot be {step} when it is {before or 'not asked'}.")


_GIVEN: Final = TypeAdapter(dict[str, JsonValue])
_DETAILS: Final = TypeAdapter(StepDetails)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry with its words; None when there were none or they were erased.

    Attributes:
        link: The link of the chain, in hex; empty unless it was asked for.
        is_unsent: Its words were not sent as they are, so an export leaves them out.
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
    """Return details as they are stored: canonical JSON, without what is not set."""
    said = {key: value for key, value in asdict(details).items() if value not in (None, "", 0)}
    if details.duration_ms is not None:
        said["duration_ms"] = details.duration_ms
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def read_details(text: str) -> StepDetails:
    """Return details from their stored form, of this version or an earlier one.

    Raises:
        ValueError: When they are none.
    """
    given = _GIVEN.validate_json(text)
    if "decided_by" in given:
        given |= _earlier_decider(str(given.pop("decided_by")))
    return _DETAILS.validate_python(given)


def _earlier_decider(words: str) -> dict[str, JsonValue]:
    """Return what earlier versions stored in words: "you", "you, before", "folder rule 1f2e…"."""
    rule = _EARLIER_RULE.fullmatch(words)
    if rule is None:
        return {"decider": _EARLIER_DECIDERS.get(words)}
    return {"decider": f"{rule[1]}_rule", "rule_id": rule[2] or ""}


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
    entry = item.entry
    return call.after(Step(entry.step), entry.at, read_details(entry.details), item.text)
