"""Pydantic models of the service's answers. Unknown fields are ignored, missing text is empty."""

import enum
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Annotated, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

T = TypeVar("T")
Order = Literal["asc", "desc"]

# More than any service lists, and few enough to draw; a page is as long as was asked for.
ROWS_LIMIT: Final = 1_000
MESSAGES_LIMIT: Final = 50_000
# How many models of a service are read at most.
MODELS_LIMIT: Final = 5_000
_MOST_USD: Final = 1e6
_MODEL_ADDRESS: Final = re.compile(r"@https?://[^@\s]+\Z")
_MODEL_FILE: Final = ".gguf"
# Before the colon in the ids of the bundled service; "qwen2.5:7b" is a name of Ollama's.
_PROVIDERS: Final = frozenset(
    {
        "ollama",
        "openai",
        "anthropic",
        "google",
        "openrouter",
        "azure",
        "deepseek",
        "fireworks",
        "groq",
        "mistral",
        "together",
        "xai",
    }
)
# The largest int of Qt's signals and of its plural forms.
_COUNT_LIMIT: Final = 2**31 - 1
# In every time zone these are still dates.
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(9999, 1, 1, tzinfo=UTC)


def name_of_model_id(model_id: str) -> str:
    """Return what people call a model of which only the id is known: no provider, no address.

    The ids of other services are theirs: what is no id of the bundled service stays as it is.
    """
    provider, _, name = model_id.partition(":")
    if provider == "file":
        return PurePath(name).name.removesuffix(_MODEL_FILE) or model_id
    return (provider in _PROVIDERS and _MODEL_ADDRESS.sub("", name)) or model_id


def is_model_id(text: str) -> bool:
    """Return whether this can be an id of the bundled service, and no name of another program."""
    return text.partition(":")[0] in (*_PROVIDERS, "file") and ":" in text


def _read_time(value: object) -> datetime | None:
    """Read an ISO 8601 time; one without a zone is UTC, and anything else reads as None."""
    if not isinstance(value, str):
        return value if isinstance(value, datetime) else None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return zoned if _EARLIEST <= zoned <= _LATEST else None


def _read_count(value: object) -> int:
    """Read a count: 0 where it is no positive number, and `_COUNT_LIMIT` at most."""
    if not isinstance(value, int | float) or not value > 0:
        return 0
    return int(min(value, _COUNT_LIMIT))


def _first_rows(value: object) -> object:
    return value[:ROWS_LIMIT] if isinstance(value, list) else value


def _last_messages(value: object) -> object:
    # Of too many, the newest are what somebody reads.
    return value[-MESSAGES_LIMIT:] if isinstance(value, list) else value


Moment = Annotated[datetime | None, BeforeValidator(_read_time)]
Count = Annotated[int, BeforeValidator(_read_count)]
Rows = Annotated[tuple[T, ...], BeforeValidator(_first_rows)]
"""A list, cut to `ROWS_LIMIT` without an error."""


def _read_usd(value: object) -> float | None:
    """Read a price; None where it is no number from 0 up to `_MOST_USD`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST_USD:
        return None
    return float(value)


def _read_tokens(value: object) -> int | None:
    """Read a number of tokens; what is none is not known."""
    return _read_count(value) or None if not isinstance(value, bool) else None


Usd = Annotated[float | None, BeforeValidator(_read_usd)]
Tokens = Annotated[int | None, BeforeValidator(_read_tokens)]


class _Reader(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore", frozen=True)


class Role(enum.StrEnum):
    """Who wrote a message; a role the interface does not name reads as OTHER."""

    USER = "user"
    ASSISTANT = "assistant"
    OTHER = "other"

    @classmethod
    def _missing_(cls, _value: object) -> "Role":
        return cls.OTHER


class ConversationSummary(_Reader):
    """A row of the list (specification 2.1)."""

    id: str
    created_at: Moment = None
    updated_at: Moment = None
    message_count: Count = 0


class Message(_Reader):
    """One message of a conversation (specification 2.3)."""

    id: str
    role: Role
    content: str
    created_at: Moment = None


class ConversationDetail(_Reader):
    """A conversation with its messages, oldest first (specification 2.2)."""

    id: str
    created_at: Moment = None
    updated_at: Moment = None
    messages: Annotated[tuple[Message, ...], BeforeValidator(_last_messages)] = ()


class PageMeta(_Reader):
    """Where a page lies (specification 2.4)."""

    total: Count
    limit: Count
    offset: Count


class Page(_Reader, Generic[T]):
    """One page of a list (specification 4.1)."""

    data: Rows[T]
    meta: PageMeta


class Envelope(_Reader, Generic[T]):
    """The wrapper around a single resource (specification 4.2)."""

    data: T


class Agent(_Reader):
    """An agent that messages can be routed to (specification 2.5)."""

    name: str
    display_name: str = ""
    description: str = ""
    is_default: bool = False
    is_enabled: bool = True


class Skill(_Reader):
    """What is told of a skill (specification 2.6)."""

    name: str
    display_name: str = ""
    description: str = ""
    version: str = ""
    author: str | None = None


ModelState = Literal["ready", "loadable", "unavailable"]


class ModelPrice(_Reader):
    """What a model costs, in USD per million tokens; None is not known."""

    input: Usd = None
    output: Usd = None
    cached: Usd = None


class Model(_Reader):
    """A model that can be chosen for a chat (extension `models`).

    `id` is opaque: it is sent as it came. `context_window` is in tokens. `reason` says why one is
    unavailable. With a `list_fault` it is none, but stands for those of a server that does not list
    them: it refuses the key ("key_refused"), or does not answer.
    """

    id: str
    display_name: str = ""
    provider: str = ""
    is_default: bool = False
    context_window: Tokens = None
    input: tuple[str, ...] = ("text",)
    has_tools: bool = True
    has_thinking: bool = False
    always_thinks: bool = False
    price: ModelPrice | None = None
    state: ModelState = "ready"
    reason: str | None = None
    list_fault: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How the answers of a chat are to be (extension `settings`).

    `thinking` is "off", "short" or "long". What is empty or None, the model does in its own way.
    """

    thinking: str = ""
    temperature: float | None = None
    max_output_tokens: int | None = None

    def as_json(self) -> dict[str, JsonValue] | None:
        """Return them as a message carries them; None for all in the model's own way."""
        fields: dict[str, JsonValue] = {
            "thinking": self.thinking or None,
            "temperature": self.temperature,
            "max_output_tokens": self.max_output_tokens,
        }
        return {name: value for name, value in fields.items() if value is not None} or None


class ToolDefinition(BaseModel):
    """A tool on this computer, as declared to the service (specification 2.7)."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    name: str
    description: str
    input_schema: dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class SentImage:
    """An image that goes with a message or a tool's result (extension `attachments`)."""

    name: str
    media_type: str
    data: bytes = field(repr=False)


class ErrorDetail(_Reader):
    """Code and message of an error (specification 7.2)."""

    code: str = ""
    message: str = ""


class ErrorBody(_Reader):
    """The body of an error answer (specification 7.2)."""

    error: ErrorDetail = Field(default_factory=ErrorDetail)
