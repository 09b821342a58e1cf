"""The rows of the store as frozen dataclasses."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from typing import Any, Final, Literal

Mode = Literal["live", "test"]
Role = Literal["user", "assistant"]
# A queued call follows once the call before it, of the same round, has its result.
CallState = Literal["queued", "pending", "answered", "closed"]
# What was left out of a question: there was no room, or the model does not support it.
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
    """A sentinel for "leave unchanged", used where None is a value of its own."""

    UNCHANGED = auto()


@dataclass(frozen=True)
class ReplySettings:
    """Sampling settings of replies; None uses the model's default.

    Attributes:
        temperature: From 0 (steady) to 2.
        max_output_tokens: Limit of one answer of the model, at least 1.
    """

    temperature: float | None = None
    max_output_tokens: int | None = None
    thinking: ThinkingLength | None = None


DEFAULT_SETTINGS: Final = ReplySettings()


@dataclass(frozen=True)
class ChatChoices:
    """The model, settings and instructions that a conversation uses.

    Attributes:
        model: The id of the model; None for the default.
        instructions: Text that is appended to the agent's instructions.
    """

    model: str | None = None
    settings: ReplySettings = DEFAULT_SETTINGS
    instructions: str = ""


DEFAULT_CHOICES: Final = ChatChoices()


@dataclass(frozen=True)
class ChoiceChanges:
    """Changes to a conversation's `ChatChoices` that come with a message and hold from it on."""

    model: str | Unchanged | None = Unchanged.UNCHANGED
    settings: ReplySettings | Unchanged = Unchanged.UNCHANGED
    instructions: str | Unchanged = Unchanged.UNCHANGED


NO_CHANGES: Final = ChoiceChanges()


@dataclass(frozen=True)
class Owner:
    """The owner of rows: a project and whether its live or test data; owners see only their own."""

    project: str
    mode: Mode


@dataclass(frozen=True)
class Notice:
    """A part of a reply that the service wrote, not the model: what was left out of the request.

    Attributes:
        offset: Its position in the reply, in characters.
        length: In characters.
        omissions: What was left out, in the order of `Omission`.
    """

    offset: int
    length: int
    omissions: tuple[Omission, ...]


@dataclass(frozen=True)
class Message:
    """One message; an assistant's may still be growing.

    Attributes:
        notices: The parts of its content that the service wrote, in order.
    """

    id: str
    role: Role
    content: str
    created_at: datetime
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True)
class NewImage:
    """An image as a client sent it.

    Attributes:
        media_type: `image/png`, `image/jpeg` or `image/webp`.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class MessageImage:
    """An image of a conversation that is sent to the model.

    Attributes:
        message_id: The message it was sent with, or the reply whose tool call returned it.
        call_id: The tool call that returned it; empty for none.
    """

    message_id: str
    call_id: str
    name: str
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class PastCall:
    """A tool call of an earlier reply, as it is sent to the model again.

    Attributes:
        message_id: The reply that asked for it.
        offset: The position of the call in the reply, in characters.
        round: Calls of one reply with the same number were requested together (parallel).
        result: The text that was sent; None if the user did not answer.
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
        calls: The latest tool calls of its replies, oldest first; read only when a turn begins.
        has_title: A client was told a title.
        images: The newest ones, sent to the model, oldest first; read only when a turn begins.
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
    """A page of the list, with the total count."""

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
    """The provider's raw answer, with signed thinking blocks that the model must get back.

    Attributes:
        model: The id of the model; only this model gets it back.
        content: JSON in the format of the module that asks that model.
    """

    model: str
    content: str


@dataclass(frozen=True)
class ToolCall:
    """A tool the client was asked to run, within a reply.

    Attributes:
        agent_name: The agent that requested it.
        offset: The position of the call in the reply, in characters.
        round: Calls of one reply with the same number were requested together (parallel).
        used_skills: The names of the skills that the reply had used before the call.
        hand_overs_left: How many hand-overs to another agent the reply may still make.
        origin: The answer that requested this round of calls; stored with the first of them.
        is_finished: The continuation after its result was written to its end.
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
    """What an operator allows a project beyond the specification; a ceiling of None is no limit.

    Attributes:
        models: The ids of the models that its users may choose.
        max_output_tokens: Limit of one answer of a model.
        tokens_per_day: Limit between two midnights (UTC).
        micro_usd_per_day: Limit of cost in the same time, in millionths of a USD.
    """

    models: tuple[str, ...] = ()
    has_settings: bool = False
    has_titles: bool = False
    max_output_tokens: int | None = None
    tokens_per_day: int | None = None
    micro_usd_per_day: int | None = None

    @property
    def has_ceiling(self) -> bool:
        """Whether any ceiling is set, so that usage has to be counted."""
        return self.tokens_per_day is not None or self.micro_usd_per_day is not None

    def is_reached_by(self, used: "Spent") -> bool:
        """Return whether so much is all that the project may use in a day."""
        return self.is_passed_by(used + Spent(1, 1))

    def is_passed_by(self, used: "Spent") -> bool:
        """Return whether so much is more than the project may use in a day."""
        tokens, micro_usd = self.tokens_per_day, self.micro_usd_per_day
        return (tokens is not None and used.tokens > tokens) or (
            micro_usd is not None and used.micro_usd > micro_usd
        )


@dataclass(frozen=True)
class Spent:
    """A project's usage on one day (UTC)."""

    tokens: int = 0
    micro_usd: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        """Return the sum of both usages."""
        return Spent(self.tokens + other.tokens, self.micro_usd + other.micro_usd)


@dataclass(frozen=True)
class Reservation:
    """The result of an attempt to reserve part of a project's daily budget.

    Attributes:
        permit: None where the project is allowed nothing.
        id: The id of the reservation; empty if the project has no ceiling, or it was refused.
        refused: Why: the budget is used up, or the rest is reserved by replies under way.
    """

    permit: Permit | None
    id: str = ""
    refused: Literal["spent", "reserved"] | None = None


@dataclass(frozen=True)
class KeyRecord:
    """What is stored about a key, without the key itself."""

    id: str
    hash: str
    hint: str
    owner: Owner
    plan: str
    per_minute: int
    created_at: datetime
    revoked_at: datetime | None
