"""The steps of a tool call, their order, and what each of them records.

    asked → decided → started → finished → released → posted → acknowledged
               └──────────(not run)──────────┘           ↺

A call that was not allowed goes from `decided` straight to `released`: its result is a sentence
that says so. `posted` repeats, once per attempt. `check_order` enforces this order.

A `StoredEntry` is one step as stored; `calls_of` builds a `CallRecord` for each call from such
entries. Enums are stored by their values. Earlier versions stored sentences instead; only
`read_details` and `CallRecord.after` translate those.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Final

from pydantic import ConfigDict, JsonValue, TypeAdapter, with_config

from local_tools.ledger.chain import ChainEntry
from local_tools.outcome import OutcomeStatus

INTERRUPTED_TEXT: Final = "Error: interrupted, outcome unknown"
# What earlier versions told of a call that was refused because its chat had no folder.
_EARLIER_NO_FOLDER: Final = "No folder is chosen for this chat"
_EARLIER_DECIDERS: Final = {"you": "user", "you, before": "user_before"}
_EARLIER_RULE: Final = re.compile(r"(folder|input|host|tool) rule(?: (.*))?")


class Decision(StrEnum):
    """The decision about a call."""

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
        """Whether this decision lets the call run."""
        return self in (Decision.ALLOWED, Decision.EDITED)


class Decider(StrEnum):
    """Who decided about a call: the user, a kind of rule, or the act of attaching a file."""

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
    """Why the program refused a call without asking."""

    UNKNOWN_TOOL = "unknown_tool"
    INVALID_INPUT = "invalid_input"
    NO_FOLDER = "no_folder"
    """The chat has no folder, and the call needs one."""


class ReleaseKind(StrEnum):
    """How a person let a result be sent."""

    MASKED = "masked"
    """With all its secrets masked."""
    SOME = "some"
    """With some of its secrets masked."""
    AS_IS = "as_is"
    PART = "part"
    KEPT_BACK = "kept_back"


class Step(StrEnum):
    """The steps of a call; its latest one is its state."""

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
    """The file is damaged, or not a ledger."""


class LedgerOrderError(LedgerError):
    """A step that must not follow the previous one: a bug of the caller."""


@dataclass(frozen=True, slots=True)
class CallKey:
    """Identifies a call: call ids are unique only within a conversation."""

    profile: str
    conversation_id: str
    call_id: str


@with_config(defer_build=True)
@dataclass(frozen=True, slots=True)
class StepDetails:
    """The data of a step, without text of the user or the assistant, which is stored apart.

    Attributes:
        decision: For `decided`, as are the next three.
        decider: None if nobody was asked and no rule decided.
        rule_id: The rule that decided.
        refusal: Why the program refused the call. Earlier versions stored it only for a chat
            without a folder, so it may be None for their calls.
        status: For `finished`, as are the next two.
        release: For `released`, if a person decided how the result is sent.
        masked: For `released`: how many secrets were masked in the text that was sent.
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
    """The current state of one call.

    Attributes:
        step: The latest step.
        asked_at: ISO 8601, UTC; `changed_at` likewise.
        reason: The user's text: why it was denied, the answer given instead, or the edited input
            that ran; empty if there is none or it was erased.
        input_text: Canonical JSON; None if erased.
        result_text: The text that may be or was posted; None before there is one, and if erased.
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
        """Whether it was started and its end is unknown. Such a call never runs again."""
        return self.step is Step.STARTED

    def after(self, step: Step, at: str, details: StepDetails, text: str | None) -> "CallRecord":
        """Return the call's state after another step.

        Args:
            step: Any but `asked`.
            at: When; ISO 8601, UTC.
            details: What the step adds.
            text: The step's text; empty if there is none, None if it was erased.
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
    """Check that `step` may follow `before`.

    Args:
        before: The call's latest step; None when it is new.
        decision: The decision about the call, if known.
        step: The next step.

    Raises:
        LedgerOrderError: When it must not.
    """
    allowed = frozenset({Step.ASKED}) if before is None else _FOLLOWING[before]
    if before is Step.DECIDED and not (decision and decision.is_runnable):
        allowed -= {Step.STARTED}
    if step not in allowed:
        raise LedgerOrderError(f"A call cannot be {step} when it is {before or 'not asked'}.")


_GIVEN: Final = TypeAdapter(dict[str, JsonValue], config=ConfigDict(defer_build=True))
_DETAILS: Final = TypeAdapter(StepDetails)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry with its text; None if there was none or it was erased.

    Attributes:
        link: The link of the chain, in hex; empty unless requested.
        is_unsent: Its text was not sent in this form, so an export omits it.
    """

    entry: ChainEntry
    text: str | None
    link: str = ""
    is_unsent: bool = False

    def known(self) -> dict[str, object]:
        """Return the entry as an export contains it: of a result only what was sent.

        The hashes of the chain are included, so that an export of the whole ledger can be verified.
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
    """Selects all calls, those of a profile, those of some conversations, or a single one."""

    profile: str = ""
    conversation_ids: tuple[str, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class CallRecordPage:
    """A page of calls, newest first, without results; long inputs are cut.

    `before` is the cursor of the next page; None on the last.
    """

    calls: tuple[CallRecord, ...]
    before: int | None


def details_text(details: StepDetails) -> str:
    """Return details in their stored form: canonical JSON without fields that are None."""
    said = {key: value for key, value in asdict(details).items() if value not in (None, "", 0)}
    if details.duration_ms is not None:
        said["duration_ms"] = details.duration_ms
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def read_details(text: str) -> StepDetails:
    """Parse stored details of this version or an earlier one.

    Raises:
        ValueError: When the text is not such details.
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
    """Return the calls that these entries belong to, oldest first; entries must be in order.

    Raises:
        ValueError: When an entry is malformed.
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
