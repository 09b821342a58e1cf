"""What the row of a tool call says, from the live call or from its record."""

import json
from dataclasses import dataclass
from typing import Final

from app.chat.items import CallState
from local_tools.ledger import INTERRUPTED_TEXT, CallRecord, Step
from local_tools.prepare import PreparedCall


@dataclass(frozen=True, slots=True)
class CallFacts:
    """How a call stands. `title` and `target` are empty while nobody has looked at the input.

    `release` is how a person let the result leave, as in `StepDetails`; `masked` how many secrets
    were masked in it.
    """

    state: CallState = CallState.WAITING
    title: str = ""
    target: str = ""
    input_text: str = ""
    output_text: str = ""
    duration_ms: int | None = None
    decided_by: str = ""
    release: str = ""
    masked: int = 0


# Who decided; a rule is named by its kind ("folder rule").
YOU: Final = "you"
YOU_BEFORE: Final = "you, before"
YOU_EDITED: Final = "you, edited"

# More texts of an input that is not shown by its own place than anybody reads on one line.
_TARGET_LIMIT: Final = 300
_TARGETS: Final = (*("path", "argv", "command", "url", "source", "from"), *("text", "expression"))
_TARGET_LABELS = ("Command", "Address", "Path", "From")
_ENDED_STATES = {
    "denied": CallState.DENIED,
    "answered": CallState.ANSWERED,
    "refused": CallState.REFUSED,
    "closed": CallState.INTERRUPTED,
}


def is_rule(decided_by: str) -> bool:
    """Whether a rule decided, as the record names it ("folder rule 1f2e…")."""
    return decided_by.split(" ")[1:2] == ["rule"]


def decider_words(decided_by: str, *, is_edited: bool = False) -> str:
    """Who decided, as a row is told: "you", "you, before", "you, edited" or "folder rule"."""
    if is_rule(decided_by):
        return " ".join(decided_by.split(" ")[:2])
    return YOU_EDITED if decided_by == YOU and is_edited else decided_by


def target_of(call: PreparedCall) -> str:
    """The command or the paths that a call is about, as the card says them."""
    facts = {label: [f.value for f in call.facts if f.label == label] for label in _TARGET_LABELS}
    return next((", ".join(values) for values in facts.values() if values), "")


def facts_of(record: CallRecord) -> CallFacts:
    """What a recorded call's row says after a restart."""
    is_edited = record.details.decision == "edited"
    return CallFacts(
        state=_state_of(record),
        input_text=(record.reason if is_edited else record.input_text) or "",
        output_text=record.result_text or "",
        duration_ms=record.details.duration_ms,
        decided_by=_decider_of(record, is_edited=is_edited),
        release=record.details.release or "",
        masked=record.details.masked,
    )


def target_in(input_text: str) -> str:
    """What an input is about, where nobody has kept it resolved: its path, command or address."""
    try:
        given = json.loads(input_text)
    except ValueError:
        return ""
    if not isinstance(given, dict):
        return ""
    value = next((given[name] for name in _TARGETS if given.get(name)), "")
    if isinstance(value, list):
        value = " ".join(str(item) for item in value)
    return str(value)[:_TARGET_LIMIT] if isinstance(value, str | int | float) else ""


def _decider_of(record: CallRecord, *, is_edited: bool) -> str:
    if record.details.decision in (None, "refused", "closed"):
        return ""
    return decider_words(record.details.decided_by, is_edited=is_edited)


def _state_of(record: CallRecord) -> CallState:
    if record.step is Step.ASKED:
        return CallState.WAITING
    decision, status = record.details.decision, record.details.status
    if decision in _ENDED_STATES:
        return _ENDED_STATES[decision]
    if status in (None, "stopped") or record.result_text == INTERRUPTED_TEXT:
        return CallState.INTERRUPTED
    return CallState.DONE if status == "ok" else CallState.FAILED
