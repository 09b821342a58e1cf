"""The items of a transcript: one frozen value a row, in the order a person reads them.

`Inserted`, `Replaced`, `Removed`, `Moved` and `Reset` say how the rows change. `ToolCallStatus` is
what the row of a tool call says, from the live call or from its record; `title_from` and
`given_title` make a chat's name from the first thing that was said in it, or from what the person
typed.

Items carry facts only. Words for people come from `app.common.error_messages` and the window, which
translates them; untrusted text (messages, tool input and output) is carried as it came.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from app.common.error_messages import ErrorMessage
from app.store.plain_text import without_markdown
from local_tools.execution.prepare import PreparedCall
from local_tools.ledger.ledger import INTERRUPTED_TEXT, CallRecord, Step


class SendState(Enum):
    """How far a message of the user has come.

    One that is held waits for a click; one that is unsent was stopped on its way.
    """

    QUEUED = "queued"
    HELD = "held"
    SENDING = "sending"
    SENT = "sent"
    UNCONFIRMED = "unconfirmed"
    UNSENT = "unsent"
    FAILED = "failed"


class CallState(Enum):
    """How far a tool call has come, as a person sees it."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    ANSWERED = "answered"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"


class Tone(Enum):
    """How a notice is coloured."""

    INFO = "info"
    WARN = "warn"
    BAD = "bad"


class Action(Enum):
    """What a person can do about a notice, or about a message that waits, at its place."""

    LOAD_REST = "load_rest"
    SEND_AGAIN = "send_again"
    TRY_AGAIN = "try_again"
    GO_ON = "go_on"
    CHECK_AGAIN = "check_again"
    CANCEL = "cancel"
    OPEN_SETTINGS = "open_settings"
    CHOOSE_FOLDER = "choose_folder"
    STOP_CALL = "stop_call"
    SEND_NOW = "send_now"
    REMOVE = "remove"
    MOVE_UP = "move_up"
    MOVE_DOWN = "move_down"


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message of the user, in a bubble on the right.

    `can_move` says that others wait, too, so that it can be sent before or after them.
    """

    key: str
    text: str
    state: SendState
    created_at: datetime | None
    can_move: bool = False


@dataclass(frozen=True, slots=True)
class ReplyPart:
    """A run of reply text; tool calls and hand-overs divide one reply into several parts.

    `shows_agent` is true for the first part of a reply and after each hand-over: there the
    badge and the name are drawn. `text` is Markdown as it came.
    """

    key: str
    text: str
    agent_name: str | None
    agent_display_name: str | None
    shows_agent: bool
    is_streaming: bool
    created_at: datetime | None


@dataclass(frozen=True, slots=True)
class Handover:
    """A thin line with words: another agent goes on."""

    key: str
    from_display_name: str | None
    to_display_name: str


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool call: a line that opens to show input and output.

    `title` is the tool's name when nobody knows a better one, `target` the resolved path or the
    command. `input_text` and `output_text` are shown when the row is open, `decided_by` is who
    or what kind of rule decided, in the words of `app.chat.items`, empty while nobody did.
    With `needs_folder` it was not run because the chat had no folder, and `has_folder_now` says
    that it has one by now. `release` and `masked` say how the result left, as in `ToolCallStatus`.
    """

    key: str
    tool_name: str
    title: str
    target: str
    state: CallState
    input_text: str
    output_text: str
    duration_ms: int | None
    decided_by: str
    needs_folder: bool = False
    has_folder_now: bool = False
    release: str = ""
    masked: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know, where it happened, with at most two actions.

    `until` is the time (seconds of the monotonic clock) a countdown in `words` runs to: its
    value `seconds` is filled in when it is drawn.
    """

    key: str
    tone: Tone
    words: ErrorMessage
    actions: tuple[Action, ...] = ()
    until: float | None = None


Item = UserMessage | ReplyPart | Handover | ToolRow | Notice


@dataclass(frozen=True, slots=True)
class Inserted:
    """Rows `first` to `first + count - 1` are new."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """The item at `row` is another one with the same key."""

    row: int


@dataclass(frozen=True, slots=True)
class Removed:
    """`count` rows from `first` are gone."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Moved:
    """The item that was at `row` is at `to` now, and may be another one with the same key."""

    row: int
    to: int


@dataclass(frozen=True, slots=True)
class Reset:
    """Everything may be different."""


Change = Inserted | Replaced | Removed | Moved | Reset


@dataclass(frozen=True, slots=True)
class ToolCallStatus:
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
    """Return the command or the paths that a call is about, as the card says them."""
    facts = {label: [f.value for f in call.facts if f.label == label] for label in _TARGET_LABELS}
    return next((", ".join(values) for values in facts.values() if values), "")


def status_from_record(record: CallRecord) -> ToolCallStatus:
    """Return what a recorded call's row says after a restart."""
    is_edited = record.details.decision == "edited"
    return ToolCallStatus(
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


_LIMIT_CHARS: Final = 60
_GIVEN_LIMIT_CHARS: Final = 200
_LOOKED_AT_CHARS: Final = 2000


def title_from(text: str) -> str:
    """One line of at most 60 characters without signs of Markdown, ending at a word if it can."""
    text = text[:_LOOKED_AT_CHARS]
    words = " ".join(without_markdown(text).split()) or " ".join(text.split())
    if len(words) <= _LIMIT_CHARS:
        return words
    head = words[: _LIMIT_CHARS - 1]
    whole = head.rpartition(" ")[0]
    # A single long word is cut where it must be.
    return f"{whole if len(whole) > _LIMIT_CHARS // 2 else head}…"


def given_title(text: str) -> str:
    """Return what somebody typed as a name, as one line of at most 200 characters."""
    return " ".join(text.split())[:_GIVEN_LIMIT_CHARS].rstrip()
