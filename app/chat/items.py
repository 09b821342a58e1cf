"""What a transcript is made of: one frozen item a row, in the order a person reads them.

Items carry facts only. Words for people come from `app.error_text` and the window, which
translates them; untrusted text (messages, tool input and output) is carried as it came.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from app.error_text import ErrorText


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
    or what kind of rule decided, in the words of `app.chat.call_facts`, empty while nobody did.
    With `needs_folder` it was not run because the chat had no folder, and `has_folder_now` says
    that it has one by now. `release` and `masked` say how the result left, as in `CallFacts`.
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
    words: ErrorText
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
