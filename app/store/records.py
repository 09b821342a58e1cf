"""The rows of the store as frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path

from app.api.events import PieceKind, Usage
from app.api.models import AnswerSettings


class TurnState(Enum):
    """The state of an accepted message.

    queued → sending → streaming → (asking → running → streaming)* → done, failed or stopped;
    waiting (for a rate limit) and unconfirmed (may have been delivered) lead back to sending or
    streaming, or end in failed. Only `app.chat.turn`, and `app.chat.sync` after a restart, change
    the state.
    """

    QUEUED = "queued"
    SENDING = "sending"
    STREAMING = "streaming"
    ASKING = "asking"
    RUNNING = "running"
    WAITING = "waiting"
    UNCONFIRMED = "unconfirmed"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"

    @property
    def is_under_way(self) -> bool:
        """Whether the message is being sent or answered; found at a start, it was interrupted."""
        return self in _UNDER_WAY


_UNDER_WAY = frozenset(
    {
        TurnState.SENDING,
        TurnState.STREAMING,
        TurnState.ASKING,
        TurnState.RUNNING,
        TurnState.WAITING,
    }
)


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """A piece of a reply; pieces are in the order of arrival.

    `message_id` is the message of the service that it belongs to, empty before `message_start`.
    Text pieces carry `text`; hand-overs the agent that goes on; calls `call_id`, the name of the
    tool in `text`, and what the row shows in `title` and `target`; thoughts `text` and how many
    `seconds` they took.
    """

    kind: PieceKind
    text: str = ""
    message_id: str = ""
    agent_name: str | None = None
    agent_display_name: str | None = None
    call_id: str = ""
    title: str = ""
    target: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class StoredFailure:
    """Why a turn ended: an `ErrorCode`, and what its words mention."""

    reason: str
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NewAttachment:
    """A file that is about to be kept; see `StoredAttachment`."""

    name: str
    kind: str
    content: bytes
    unit: str = ""
    count: int = 0
    width: int = 0
    height: int = 0
    is_inline: bool = False


@dataclass(frozen=True, slots=True)
class StoredAttachment:
    """A file that was attached to a message or to a draft; its contents are kept beside.

    Attributes:
        kind: A `FileKind` of `local_tools`.
        sha256: Of the contents, in hexadecimal.
        unit: What its parts are called in English; empty where it has none, with a `count` of 0.
        width: Of an image, in pixels, as is `height`; otherwise 0.
        is_inline: Its text stands in the message itself.
        turn_id: The turn of its message; None while it is in a draft.
        call_id: The tool call that returned it; empty where a person attached it.
    """

    attachment_id: str
    name: str
    kind: str
    size_bytes: int
    sha256: str
    unit: str = ""
    count: int = 0
    width: int = 0
    height: int = 0
    is_inline: bool = False
    turn_id: str | None = None
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """An accepted message and what came of it.

    `sequence` orders the turns of a conversation. `known_upto` is how far the messages of the
    service were known before sending (`MessageTable.high_water`); None when it was never sent.
    `declared` are the tools that were declared with it: name → digest of the definition.
    `user_message_id` is the service's id of the message, once it was seen there. `usage` is what
    all streams of the reply used, None while nothing of that is known. `model` is the name of the
    model that answered or was chosen to, as people know it; empty where that is not known.
    `is_kept` is False while the disk has less of it than is known here. The first `words_length`
    characters of the text are what the person wrote; what follows tells of the `attachments`.
    `call_images` are what the tools of the reply returned.
    """

    turn_id: str
    conversation_id: str
    sequence: int
    text: str
    agent_name: str | None
    state: TurnState
    created_at: datetime
    known_upto: int | None = None
    user_message_id: str | None = None
    failure: StoredFailure | None = None
    declared: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[ReplyPiece, ...] = ()
    usage: Usage | None = None
    model: str = ""
    is_kept: bool = True
    words_length: int | None = None
    attachments: tuple[StoredAttachment, ...] = ()
    call_images: tuple[StoredAttachment, ...] = ()

    @property
    def words(self) -> str:
        """What the person wrote."""
        return self.text[: self.words_length]

    @property
    def reply_ids(self) -> tuple[str, ...]:
        """The service's ids of the messages that the reply consists of, in order."""
        return tuple(dict.fromkeys(p.message_id for p in self.pieces if p.message_id))


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as the service last told it. `role` is the interface's word."""

    message_id: str
    role: str
    text: str
    created_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """What is known of a conversation without asking the service.

    `title` is empty while nobody knows the first message. `tools_off` are the names of the tools
    that the chat goes without. `agent_name` is who was chosen to answer, `model` the id of the
    model; None for nobody. `answers` are the settings of the chat and `instructions` those of the
    chat alone; None before anybody chose or wrote any.
    """

    conversation_id: str
    title: str = ""
    message_count: int = 0
    updated_at: datetime | None = None
    folder: Path | None = None
    is_pinned: bool = False
    is_unread: bool = False
    tools_off: frozenset[str] = frozenset()
    agent_name: str | None = None
    model: str | None = None
    answers: AnswerSettings | None = None
    instructions: str | None = None


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A rule about what may run.

    `body` is what it says, in the words of `app.approvals`; `conversation_id` is empty when it
    holds in every chat. `calls_left` is None when it is not counted. `ended` says why it holds no
    longer, and is empty while it does.
    """

    rule_id: str
    conversation_id: str
    body: str
    calls_left: int | None = None
    use_count: int = 0
    last_used_at: datetime | None = None
    ended: str = ""
