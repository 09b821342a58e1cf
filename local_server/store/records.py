"""The rows of the store as frozen dataclasses."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from typing import Any, Final, Literal

Mode = Literal["live", "test"]
Role = Literal["user", "assistant"]
# A queued call follows once the call before it, of the same round, has its result.
CallState = Literal["queued", "pending", "answered", "closed"]
# What a model is asked without: for want of room, or since it does not take it at all.
Omission = Literal[
    "skills",
    "some_tools",
    "tools",
    "instructions",
    "tools_not_taken",
    "images_not_taken",
    "images",
    "results",
    "beginning",
    "temperature",
    "thinking",
    "max_output_tokens",
]


ThinkingLength = Literal["off", "short", "long"]


class Unchanged(Enum):
    """Says that a value stays what it was, where None is a value too."""

    UNCHANGED = auto()


@dataclass(frozen=True)
class ReplySettings:
    """How replies are to be written; None leaves it to the model.

    Attributes:
        temperature: From 0 (steady) to 2.
        max_output_tokens: How long one answer of the model may be, at least 1.
    """

    temperature: float | None = None
    max_output_tokens: int | None = None
    thinking: ThinkingLength | None = None


DEFAULT_SETTINGS: Final = ReplySettings()


@dataclass(frozen=True)
class ChatChoices:
    """What was chosen for a conversation.

    Attributes:
        model: The id of the model; None for the default.
        instructions: What the conversation adds to an agent's instruction, after it.
    """

    model: str | None = None
    settings: ReplySettings = DEFAULT_SETTINGS
    instructions: str = ""


DEFAULT_CHOICES: Final = ChatChoices()


@dataclass(frozen=True)
class ChoiceChanges:
    """What a message changes of the choices of its conversation, for itself and those after it."""

    model: str | Unchanged | None = Unchanged.UNCHANGED
    settings: ReplySettings | Unchanged = Unchanged.UNCHANGED
    instructions: str | Unchanged = Unchanged.UNCHANGED


NO_CHANGES: Final = ChoiceChanges()


@dataclass(frozen=True)
class Owner:
    """Whose rows: a project's live or test data. Each sees only its own."""

    project: str
    mode: Mode


@dataclass(frozen=True)
class Notice:
    """A part of a reply in which the service, not the model, says what the model was asked without.

    Attributes:
        offset: How many characters of the reply come before it.
        length: How many characters it has.
        omissions: What it says, in the order of `Omission`.
    """

    offset: int
    length: int
    omissions: tuple[Omission, ...]


@dataclass(frozen=True)
class Message:
    """One message; an assistant's may still be growing.

    Attributes:
        notices: What of its content is the service's, first to last.
    """

    id: str
    role: Role
    content: str
    created_at: datetime
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True)
class NewImage:
    """An image that a client sends, as it came.

    Attributes:
        media_type: `image/png`, `image/jpeg` or `image/webp`.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class MessageImage:
    """An image of a conversation that a model is shown.

    Attributes:
        message_id: The message that it goes with, or the reply whose call returned it.
        call_id: That call; empty for none.
    """

    message_id: str
    call_id: str
    name: str
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class PastCall:
    """A tool call of an earlier reply, as a model is reminded of it.

    Attributes:
        message_id: The reply that asked for it.
        offset: How many characters of the reply came before the call.
        round: Calls of one reply with the same number were asked for together.
        result: What was sent; None where the user did not answer.
        is_cut: `result` is only the beginning of what was sent.
    """

    id: str
    message_id: str
    name: str
    input: dict[str, Any]
    offset: int
    round: int
    result: str | None
    is_cut: bool = False


@dataclass(frozen=True)
class Conversation:
    """A conversation with its messages, first to last.

    Attributes:
        calls: The latest tool calls of its replies, first to last; read where a turn begins.
        has_title: A client was told a title.
        images: The newest, which a model is shown, first to last; read where a turn begins.
    """

    id: str
    created_at: datetime
    updated_at: datetime
    messages: tuple[Message, ...]
    calls: tuple[PastCall, ...] = ()
    choices: ChatChoices = DEFAULT_CHOICES
    has_title: bool = False
    images: tuple[MessageImage, ...] = ()


@dataclass(frozen=True)
class Summary:
    """A conversation as a row of the list."""

    id: str
    created_at: datetime
    updated_at: datetime
    message_count: int


@dataclass(frozen=True)
class Page:
    """Some rows of the list, and how many there are in all."""

    rows: tuple[Summary, ...]
    total: int


@dataclass(frozen=True)
class StoredTool:
    """A tool that the client declared with its chat request."""

    name: str
    description: str
    input_schema: dict[str, Any]


@dataclass(frozen=True)
class Origin:
    """An answer as its provider wrote it, with what the model has to see again: signed thoughts.

    Attributes:
        model: The id of the model, the only one that is shown it.
        content: JSON, for whoever asks that model.
    """

    model: str
    content: str


@dataclass(frozen=True)
class ToolCall:
    """A tool the client was asked to run, within a reply.

    Attributes:
        agent_name: The agent that asked.
        offset: How many characters of the reply came before the call.
        round: Calls of one reply with the same number were asked for together.
        used_skills: The names of the skills that the reply had used by then.
        hand_overs_left: How often the reply may still go to another agent.
        origin: The answer that asked for it and those of its round, kept with the first of them.
        is_finished: The continuation that the result led to was written to its end.
    """

    id: str
    conversation_id: str
    message_id: str
    name: str
    input: dict[str, Any]
    tools: tuple[StoredTool, ...]
    agent_name: str
    offset: int
    state: CallState
    result: str | None
    is_finished: bool
    round: int = 0
    used_skills: tuple[str, ...] = ()
    hand_overs_left: int = 0
    origin: Origin | None = None


@dataclass(frozen=True)
class Permit:
    """What an operator allows a project beside the specification; a ceiling of None is none.

    Attributes:
        models: The ids of the models that its users may choose.
        max_output_tokens: How long one answer of a model may be.
        tokens_per_day: How many tokens it may use between two midnights (UTC).
        micro_usd_per_day: What it may cost in that time, in millionths of a USD.
    """

    models: tuple[str, ...] = ()
    has_settings: bool = False
    has_titles: bool = False
    max_output_tokens: int | None = None
    tokens_per_day: int | None = None
    micro_usd_per_day: int | None = None

    @property
    def has_ceiling(self) -> bool:
        """Whether what the project uses is counted."""
        return self.tokens_per_day is not None or self.micro_usd_per_day is not None


@dataclass(frozen=True)
class Spent:
    """What a project used on a day."""

    tokens: int = 0
    micro_usd: int = 0


@dataclass(frozen=True)
class KeyRecord:
    """A key without the key: who it is for, and what it may do."""

    id: str
    hash: str
    hint: str
    owner: Owner
    plan: str
    per_minute: int
    created_at: datetime
    revoked_at: datetime | None
