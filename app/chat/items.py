"""The items of a transcript: one frozen value a row, in the order a person reads them.

`Inserted`, `Replaced`, `Removed`, `Moved` and `Reset` say how the rows change. `tool_call` makes a
`ToolCall` of its record in the ledger, for a call that runs now as for one of long ago, and
`tool_calls` those of a chat.
`title_from`, `offered_title` and `given_title` make a chat's name from the first thing that was
said in it (`words_for_title`), from what the service calls it, or from what the person typed.

Items carry facts only. Words for people come from `app.common.error_messages` and the window, which
translates them; untrusted text (messages, tool input and output) is carried as it came.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from itertools import count
from typing import Final

from app.api.events import Usage
from app.common.error_messages import ErrorMessage
from app.store.plain_text import without_markdown
from app.store.records import ReplyPiece, StoredAttachment, StoredTurn
from local_tools.canonical import parse_text
from local_tools.errors import InvalidInputError
from local_tools.ledger.steps import (
    CallRecord,
    Decider,
    Decision,
    RefusalReason,
    ReleaseKind,
    Step,
)
from local_tools.registry import ToolRegistry


class SendState(Enum):
    """The delivery state of a user's message.

    A held message waits for a click; an unsent one was stopped before it left.
    """

    QUEUED = "queued"
    HELD = "held"
    SENDING = "sending"
    SENT = "sent"
    UNCONFIRMED = "unconfirmed"
    UNSENT = "unsent"
    FAILED = "failed"


class CallState(Enum):
    """The state of a tool call, as shown."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    ANSWERED = "answered"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"


class Tone(Enum):
    """The colour role of a notice."""

    INFO = "info"
    WARN = "warn"
    BAD = "bad"


class Action(Enum):
    """An action offered with a notice or with a waiting message."""

    LOAD_REST = "load_rest"
    SEND_AGAIN = "send_again"
    TRY_AGAIN = "try_again"
    GO_ON = "go_on"
    CHECK_AGAIN = "check_again"
    CANCEL = "cancel"
    OPEN_SETTINGS = "open_settings"
    CHOOSE_FOLDER = "choose_folder"
    CHOOSE_MODEL = "choose_model"
    CONTINUE_REPLY = "continue_reply"
    STOP_CALL = "stop_call"
    SEND_NOW = "send_now"
    REMOVE = "remove"
    MOVE_UP = "move_up"
    MOVE_DOWN = "move_down"
    ASK_ANEW = "ask_anew"
    EDIT = "edit"
    BRANCH = "branch"
    UNDO_CALL = "undo_call"
    OLDER_VERSION = "older_version"
    NEWER_VERSION = "newer_version"


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message of the user, in a bubble on the right.

    `can_move` says that others wait, too, so that it can be sent before or after them. The first
    `words_length` characters are what the person wrote, None for all; what follows tells of the
    `attachments`. `version` is which one of `version_count` versions of the chat begins with it;
    both are 0 where there is one. `is_edited` says that its text is in the message box, to be sent
    in its place.
    """

    key: str
    text: str
    state: SendState
    created_at: datetime | None
    can_move: bool = False
    version: int = 0
    version_count: int = 0
    words_length: int | None = None
    attachments: tuple[StoredAttachment, ...] = ()
    is_edited: bool = False

    @property
    def words(self) -> str:
        """What the person wrote."""
        return self.text[: self.words_length]


@dataclass(frozen=True, slots=True)
class ReplyPart:
    """A run of reply text; tool calls and hand-overs divide one reply into several parts.

    `shows_agent` is true for the first part of a reply and after each hand-over: there the
    badge and the name are drawn. `text` is Markdown as it came. `ends_reply` is true for the last
    text of a reply that nothing is added to any more, unless a `ToolCall` behind it `closes` it.
    At the part that ends a reply, `model` is the name of the model that answered, or that was
    chosen to, and `usage` what the whole reply used; empty and None where that is not known.
    """

    key: str
    text: str
    agent_name: str | None
    agent_display_name: str | None
    shows_agent: bool
    is_streaming: bool
    created_at: datetime | None
    ends_reply: bool = False
    model: str = ""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model thought before it went on: a folded line, no part of the reply.

    `shows_agent` is as with `ReplyPart`. `seconds` is how long it took, None where nobody knows.
    While it thinks, `since` is when that began (seconds of the monotonic clock), afterwards None.
    Without `text` nothing of the reply has come yet; while `is_choosing`, nobody knows who answers.
    """

    key: str
    text: str
    seconds: float | None
    agent_name: str | None
    agent_display_name: str | None
    shows_agent: bool
    since: float | None = None
    is_choosing: bool = False


@dataclass(frozen=True, slots=True)
class Handover:
    """A thin line with words: another agent goes on."""

    key: str
    from_display_name: str | None
    to_display_name: str


@dataclass(frozen=True, slots=True)
class CallChange:
    """What a call of a file tool changed, looked up when somebody opens its row.

    Attributes:
        conversation_id: The chat in which it was made; in a copied chat, that is another one.
        diff: As the approval card showed it; empty where there is none.
        is_new: It made the file.
        can_undo: It can be undone now.
    """

    conversation_id: str
    diff: str = ""
    is_new: bool = False
    can_undo: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call as it stands: the same in the chat, in the Activity panel and in an export.

    Attributes:
        key: The row that shows it in a transcript; empty elsewhere.
        title: How people call the tool; empty while nobody looked the call up.
        target: The resolved paths or the command that it is about.
        input_text: JSON; what ran, where the user changed the input.
        output_text: What the assistant was told, or what the tool has shown so far.
        decider: Who made the decision; None while nobody did, and where the program refused.
        refusal: Why the program refused it; may be None of a refused call of earlier versions.
        release: How the user let the result leave; None where nobody was asked.
        masked: How many secrets were masked in the result; 0 of earlier versions.
        has_folder_now: The chat has a folder by now, which the call lacked.
        is_undone: What it changed was put back since.
        images: What the tool returned beside its text.
        closes: The last text of the reply that ends with this call; None everywhere else.
        change: What it changed; None while nobody looked, and where nothing is known of it.
    """

    call_id: str
    tool: str
    key: str = ""
    title: str = ""
    target: str = ""
    state: CallState = CallState.WAITING
    input_text: str = ""
    output_text: str = ""
    duration_ms: int | None = None
    decision: Decision | None = None
    decider: Decider | None = None
    refusal: RefusalReason | None = None
    release: ReleaseKind | None = None
    masked: int = 0
    has_folder_now: bool = False
    is_undone: bool = False
    images: tuple[StoredAttachment, ...] = ()
    closes: ReplyPart | None = None
    change: CallChange | None = None

    @property
    def needs_folder(self) -> bool:
        """Whether it was not run because the chat had no folder."""
        return self.refusal is RefusalReason.NO_FOLDER


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


Item = UserMessage | ReplyPart | Thought | Handover | ToolCall | Notice


@dataclass(frozen=True, slots=True)
class Inserted:
    """Rows `first` to `first + count - 1` were inserted."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """The item at `row` was replaced by one with the same key."""

    row: int


@dataclass(frozen=True, slots=True)
class Removed:
    """`count` rows from `first` were removed."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Moved:
    """The item at `row` moved to `to`, and may have been replaced by one with the same key."""

    row: int
    to: int


@dataclass(frozen=True, slots=True)
class Reset:
    """All rows may have changed."""


Change = Inserted | Replaced | Removed | Moved | Reset


def changes_between(before: Sequence[Item], after: Sequence[Item]) -> tuple[Change, ...]:
    """Return the changes from one list of items to another; common beginning and end stay."""
    if not before or not after:
        return (Reset(),) if before or after else ()
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone, new = len(before) - head - tail, len(after) - head - tail
    same = range(head, head + gone) if gone == new else range(0)
    if same and all(before[row].key == after[row].key for row in same):
        # Each keeps its place: one that is removed first leaves a gap until the next frame.
        return tuple(Replaced(row) for row in same if before[row] != after[row])
    changes: tuple[Change, ...] = (Removed(head, gone),) if gone else ()
    return changes + ((Inserted(head, new),) if new else ())


# The longest target on the one line of a row; a longer input is cut there.
_TARGET_CHARS: Final = 300
_NOT_RUN_STATES: Final = {
    Decision.DENIED: CallState.DENIED,
    Decision.ANSWERED: CallState.ANSWERED,
    Decision.REFUSED: CallState.REFUSED,
    Decision.CLOSED: CallState.INTERRUPTED,
}


def tool_call(
    record: CallRecord, *, title: str = "", target: str = "", is_running: bool = False
) -> ToolCall:
    """Return a call as its record has it; every `ToolCall` of this computer is made here.

    Args:
        record: From the ledger, at any step.
        title: How people call the tool, as far as that is known.
        target: What the call is about, likewise.
        is_running: The program runs it at this moment; a call that was started is interrupted
            otherwise.
    """
    details = record.details
    is_edited = details.decision is Decision.EDITED
    return ToolCall(
        call_id=record.key.call_id,
        tool=record.tool,
        title=title,
        target=target,
        state=_state_of(record, is_running=is_running),
        input_text=(record.reason if is_edited else record.input_text) or "",
        output_text=record.result_text or "",
        duration_ms=details.duration_ms,
        decision=details.decision,
        decider=details.decider,
        refusal=details.refusal,
        release=details.release,
        masked=details.masked,
    )


def call_in_reply(key: str, piece: ReplyPiece, call: ToolCall | None) -> ToolCall:
    """Return the row of a call in a reply; `call` is what is known of it beside its piece."""
    call = call or ToolCall(piece.call_id, piece.text)
    target = piece.target
    if not target and call.state is not CallState.WAITING:
        # The program ended before this row was stored.
        target = call.target
    title = call.title or piece.title or piece.text
    return replace(call, key=key, tool=piece.text, title=title, target=target)


def tool_calls(records: Iterable[CallRecord], registry: ToolRegistry) -> dict[str, ToolCall]:
    """Return calls by their ids, each with the target that its input names."""
    calls = [tool_call(record) for record in records]
    return {call.call_id: replace(call, target=target_in(call, registry)) for call in calls}


def with_images(calls: Mapping[str, ToolCall], turns: Iterable[StoredTurn]) -> dict[str, ToolCall]:
    """Return `calls`, each with the images of its result that `turns` have stored."""
    images: defaultdict[str, list[StoredAttachment]] = defaultdict(list)
    for turn in turns:
        for image in turn.call_images:
            images[image.call_id].append(image)
    return {
        call_id: replace(call, images=tuple(images[call_id])) if call_id in images else call
        for call_id, call in calls.items()
    }


def target_in(call: ToolCall, registry: ToolRegistry) -> str:
    """Return the command, address or path in the input of a call, where no resolved one is kept.

    Empty when its tool is gone, or its input is not readable as a whole.
    """
    tool = registry.get(call.tool)
    try:
        values = parse_text(call.input_text).value
    except InvalidInputError:
        return ""
    return "" if tool is None else tool.target_in(values)[:_TARGET_CHARS]


def _state_of(record: CallRecord, *, is_running: bool) -> CallState:
    if record.step is Step.ASKED:
        return CallState.WAITING
    decision, status = record.details.decision, record.details.status
    if decision in _NOT_RUN_STATES:
        return _NOT_RUN_STATES[decision]
    if status is None:
        return CallState.RUNNING if is_running else CallState.INTERRUPTED
    if status in ("stopped", "interrupted"):
        return CallState.INTERRUPTED
    return CallState.DONE if status == "ok" else CallState.FAILED


_LIMIT_CHARS: Final = 60
_GIVEN_LIMIT_CHARS: Final = 200
# Four digits are a year.
_NUMBERED: Final = re.compile(r" \([1-9]\d{0,2}\)$")
_LOOKED_AT_CHARS: Final = 2000


_FILE_MARK: Final = re.compile(r"\[(?:attachment|image): ([^\]\n]+?)(?: \([^()\n]*\))?\]")
# As `text_with` writes a small text into a message; the end of it may be cut off.
_FILE_BLOCK: Final = re.compile(
    r"(?:\A|(?<=\n\n))([^\n`]{0,99}\.[^\s.`]{1,12}|\S{1,100}):\n(`{3,})[a-z0-9+]{0,12}\n"
    r".*?(?:\n\2(?=\n\n|\Z)|\Z)",
    re.DOTALL,
)


def title_from(text: str) -> str:
    """Return one line of at most 60 characters without Markdown, cut between words if possible."""
    text = text[:_LOOKED_AT_CHARS]
    # A file names the chat only where there are no words beside it; its contents never do.
    alone = _FILE_BLOCK.sub(r"\1", text)
    text = _FILE_MARK.sub("", _FILE_BLOCK.sub("", text)).strip() or _FILE_MARK.sub(r"\1", alone)
    words = " ".join(without_markdown(text).split()) or " ".join(text.split())
    if len(words) <= _LIMIT_CHARS:
        return words
    head = words[: _LIMIT_CHARS - 1]
    whole = head.rpartition(" ")[0]
    # A single long word is cut where it must be.
    return f"{whole if len(whole) > _LIMIT_CHARS // 2 else head}…"


def words_for_title(first_message: str, turns: Iterable[StoredTurn]) -> str:
    """Return what the title of a chat with this first message is made from.

    Of a message that was sent from here that is what the person wrote, or else the names of what
    was attached; of another it is all of it.
    """
    turn = next((turn for turn in turns if turn.text == first_message), None)
    if turn is None or turn.words_length is None:
        return first_message
    return turn.words.strip() or " ".join(item.name for item in turn.attachments) or first_message


def offered_title(text: str) -> str:
    """Return the name that a service made for a chat, as `title_from` does, of visible letters."""
    visible = (c if c.isprintable() else " " for c in text[:_LOOKED_AT_CHARS])
    return title_from("".join(visible))


def copied_title(title: str, others: Container[str]) -> str:
    """Return the title of a copy of a chat: the same with a number that no other chat has."""
    name = _NUMBERED.sub("", title)
    numbered = (f"{name} ({number})" for number in count(2))
    return next(one for one in numbered if one not in others) if name else title


def given_title(text: str) -> str:
    """Return what somebody typed as a name, as one line of at most 200 characters."""
    return " ".join(text.split())[:_GIVEN_LIMIT_CHARS].rstrip()
