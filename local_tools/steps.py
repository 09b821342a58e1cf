"""The steps of a tool call, in the words used everywhere, and in which order they may come.

    asked → decided → started → finished → released → posted → acknowledged
               └──────────(not run)──────────┘           ↺

A call that was not allowed goes from `decided` straight to `released`: its result is the sentence
that says so. `posted` may come again, once per attempt.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from local_tools.outcome import OutcomeStatus

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
