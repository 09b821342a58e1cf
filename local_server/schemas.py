"""Strict writers and readers of the interface specification: exactly its fields, in strict JSON.

The client has its own, tolerant ones; sharing them would hide a misreading on both sides.
`parse_json` follows RFC 8259 and refuses every value that could not be written back. An `Extension`
is announced by the service and requested by a client; a stream has the events of an extension only
if the client requested it.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    field_validator,
    model_validator,
)

MOST_VALUES: Final = 20_000
_DEEPEST: Final = 100
_NAMED_CHARS: Final = 60
# As long as the largest finite float, written out in digits.
_LONGEST_INTEGER_CHARS: Final = 310
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class JsonTextError(ValueError):
    """The text is not JSON; the message says why, in words for its sender."""


def parse_json(text: str | bytes, most_values: int = MOST_VALUES) -> Any:
    """Parse JSON strictly.

    Args:
        text: The JSON.
        most_values: How many values it may hold.

    Raises:
        JsonTextError: On malformed JSON or UTF-8; NaN and Infinity; too deep nesting, too large
            numbers or too many values; duplicate keys in one object, since parsers differ in which
            value they take; and lone surrogates, which cannot be stored or sent.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8")
        _refuse_crowd(decoded, most_values)
        value = json.loads(
            decoded,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_short_integer,
            object_pairs_hook=_unique,
        )
        _refuse_depth(value)
        if _SURROGATE.search(decoded):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as exc:
        raise JsonTextError("the text is not UTF-8") from exc
    except UnicodeEncodeError as exc:
        raise JsonTextError("the text holds half of a surrogate pair") from exc
    except RecursionError as exc:
        raise JsonTextError("the JSON is nested too deeply") from exc
    except json.JSONDecodeError as exc:
        raise JsonTextError(f"the JSON is broken at line {exc.lineno}: {exc.msg}") from exc
    return value


def _refuse_crowd(text: str, most_values: int) -> None:
    """Refuse so many values that making them would hold up everybody else.

    8 MiB of small lists take a second to parse, and a thread would not let go of the interpreter
    meanwhile; this looks at the text as a whole, in some 30 ms, and at its beginning before that.
    """
    if len(text) <= 2 * most_values:
        # Shorter texts cannot hold so many values that reading them would keep others waiting.
        return
    beginning = text[: 8 * most_values]
    if _holds_crowd(beginning, most_values) or _holds_crowd(text, most_values):
        raise JsonTextError(f"the JSON holds more than {most_values:,} values")


def _holds_crowd(text: str, most_values: int) -> bool:
    """Return whether a text may have more than `most_values`; only exact for valid JSON."""
    plain = text.replace("\\\\", "").replace('\\"', "")
    if plain.count('"') > 4 * most_values:
        return True
    outside = plain.split('"')[::2]
    return sum(part.count(sign) for part in outside for sign in ",[{") > most_values


def _refuse_constant(name: str) -> None:
    raise JsonTextError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) == len(pairs):
        return whole
    counts = Counter(key for key, _ in pairs)
    twice = next(key for key, count in counts.items() if count > 1)
    raise JsonTextError(f"the JSON has the key “{_named(twice)}” twice in one object")


def _named(key: str) -> str:
    """Return a key so that it can be said: in one line, short, and possible to encode."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in key)
    return shown if len(shown) <= _NAMED_CHARS else f"{shown[:_NAMED_CHARS]}…"


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JsonTextError("the JSON holds a number that is too large")
    return number


def _short_integer(text: str) -> int:
    # The time that a number takes grows with the square of its length.
    if len(text) > _LONGEST_INTEGER_CHARS:
        raise JsonTextError("the JSON holds a number that is too long")
    return int(text)


def _refuse_depth(value: Any) -> None:
    """Refuse what the parser can nest but others, on the way to the model, cannot."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for whole in level for part in _parts(whole)]
        if not level:
            return
    raise JsonTextError("the JSON is nested too deeply")


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


Extension = Literal["models", "settings", "usage", "thinking", "title", "fork", "attachments"]

ANNOUNCE_HEADER: Final = "Parley-Extensions"
ACCEPT_HEADER: Final = "Parley-Accept"
# Served wherever the service runs; the others, where users may choose.
ALWAYS: Final[tuple[Extension, ...]] = ("usage", "thinking", "fork", "attachments")
_KNOWN: Final[tuple[Extension, ...]] = get_args(Extension)


def announcement(extensions: Iterable[Extension]) -> str:
    """Return the value of the header `Parley-Extensions`, sorted."""
    return ", ".join(sorted(extensions, key=_KNOWN.index))


def accepted(value: str) -> frozenset[Extension]:
    """Parse the value of the header `Parley-Accept`; unknown names are ignored."""
    names = {name.strip() for name in value.split(",")}
    return frozenset(name for name in _KNOWN if name in names)


JsonObject = dict[str, Any]
MOST_GIVEN_MESSAGES: Final = 10_000


class _Written(BaseModel):
    """What the service says."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_serialization_defaults_required=True
    )


class _Read(BaseModel):
    """A request body. Unknown fields are ignored (our choice); no type is converted."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class ConversationSummary(_Written):
    """Specification 2.1."""

    id: str
    created_at: datetime
    updated_at: datetime
    message_count: int


class MessageBody(_Written):
    """Specification 2.3."""

    id: str
    role: Literal["user", "assistant"]
    content: str
    created_at: datetime


class ConversationDetail(_Written):
    """Specification 2.2. Messages in conversation order."""

    id: str
    created_at: datetime
    updated_at: datetime
    messages: list[MessageBody]


class PageMeta(_Written):
    """Specification 2.4."""

    total: int
    limit: int
    offset: int


class ConversationPage(_Written):
    """Response of specification 4.1."""

    data: list[ConversationSummary]
    meta: PageMeta


class ConversationEnvelope(_Written):
    """Response of specification 4.2, and of our `POST /v1/conversations`."""

    data: ConversationDetail


class AgentBody(_Written):
    """Specification 2.5."""

    name: str
    display_name: str
    description: str
    is_default: bool
    is_enabled: bool


class SkillBody(_Written):
    """Specification 2.6."""

    name: str
    display_name: str
    description: str
    version: str
    author: str | None


class PriceBody(_Written):
    """What a model costs, in USD per million tokens."""

    input: float
    output: float
    cached: float | None


def _with_optional_fields(schema: JsonObject) -> None:
    optional = ("always_thinks", "list_fault")
    schema["required"] = [name for name in schema["required"] if name not in optional]


class ModelBody(_Written):
    """A model that can be chosen for a chat (extension `models`).

    With a `list_fault` it stands for the models of a server that does not list them.
    """

    model_config = ConfigDict(json_schema_extra=_with_optional_fields)

    id: str
    display_name: str
    provider: str
    is_default: bool
    context_window: int | None
    input: list[Literal["text", "image"]]
    has_tools: bool
    has_thinking: bool
    price: PriceBody | None
    state: Literal["ready", "loadable", "unavailable"]
    reason: str | None
    # Left out unless there is something to say.
    always_thinks: bool = False
    list_fault: Literal["key_refused", "no_answer"] | None = None


class ModelsBody(_Written):
    """Response of `GET /v1/models` (extension `models`)."""

    data: list[ModelBody]


class ErrorDetail(_Written):
    """The value of `error` in an `ErrorBody`."""

    code: str
    message: str


class ErrorBody(_Written):
    """Specification 7.2."""

    error: ErrorDetail


class ProofBody(_Written):
    """Answer of `/proof`, in child mode only."""

    proof: str


class InputSchema(_Read):
    """The schema of a client tool's input. Further keywords of JSON Schema are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    type: Literal["object"]
    properties: JsonObject


class ClientTool(_Read):
    """Specification 2.7."""

    name: Annotated[str, Field(min_length=1)]
    description: str
    input_schema: InputSchema


def _moment(value: object) -> datetime:
    """Read a moment with its zone, as UTC; a number is none."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        if moment is not None and moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ValueError("Write a moment with its zone, such as 2026-01-31T12:00:00Z")


class GivenMessage(_Read):
    """A message of the text that a conversation begins with (extension `fork`)."""

    role: Literal["user", "assistant"]
    content: str
    created_at: Annotated[datetime, PlainValidator(_moment, json_schema_input_type=str)]


class CreateRequest(_Read):
    """Body of our `POST /v1/conversations`: empty, or what to copy (extension `fork`).

    `from` copies another conversation, `messages` starts with the given text; not both.
    """

    fork_id: Annotated[str | None, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = None
    source: Annotated[str | None, Field(alias="from")] = None
    through: str | None = None
    messages: Annotated[list[GivenMessage] | None, Field(max_length=MOST_GIVEN_MESSAGES)] = None

    @model_validator(mode="after")
    def _names_one_origin(self) -> "CreateRequest":
        is_fork = self.source is not None or self.messages is not None
        if (self.fork_id is not None) != is_fork:
            raise ValueError("fork_id goes with either from or messages")
        if self.source is not None and self.messages is not None:
            raise ValueError("from and messages exclude each other")
        if self.source is not None and "through" not in self.model_fields_set:
            raise ValueError("from needs through: the last message to copy, or null for none")
        return self


class AttachmentBody(_Read):
    """An image that goes with a message or a tool's result (extension `attachments`)."""

    name: Annotated[str, Field(min_length=1, max_length=255)]
    media_type: str
    # In base64.
    data: Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})]


class ChatRequest(_Read):
    """Body of specification 4.4."""

    conversation_id: str
    # The pattern is for the description; what is white space is decided below.
    message: Annotated[str, Field(json_schema_extra={"pattern": r"\S"})]
    client_tools: list[ClientTool] | None = None
    agent_name: str | None = None
    # Of the extension `models`; elsewhere it is ignored, as any field is that nobody knows.
    model: Annotated[Any, Field(json_schema_extra={"type": "string"})] = None
    # Of the extension `settings`, ignored elsewhere like `model`: a `SettingsBody`, and a text.
    settings: Any = None
    instructions: Any = None
    attachments: list[AttachmentBody] | None = None

    @field_validator("message")
    @classmethod
    def _says_something(cls, message: str) -> str:
        if not message.strip():
            raise ValueError("the message is empty")
        return message

    @field_validator("client_tools")
    @classmethod
    def _has_each_name_once(cls, tools: list[ClientTool] | None) -> list[ClientTool] | None:
        names = Counter(tool.name for tool in tools or [])
        twice = [name for name, count in names.items() if count > 1]
        if twice:
            raise ValueError(f"the tool name “{twice[0][:80]}” is declared more than once")
        return tools


class SettingsBody(_Read):
    """The field `settings` of a message (extension `settings`)."""

    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    max_output_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    thinking: Literal["off", "short", "long"] | None = None


class ToolResultRequest(_Read):
    """Body of specification 4.5."""

    conversation_id: str
    tool_call_id: str
    result: str
    attachments: list[AttachmentBody] | None = None


class MessageStart(_Written):
    """The first event of every stream. The agent fields go together."""

    type: Literal["message_start"] = "message_start"
    message_id: str
    conversation_id: str
    agent_name: str | None = None
    agent_display_name: str | None = None


class TextDelta(_Written):
    """The `delta` of a `content_block_delta`."""

    type: Literal["text_delta"] = "text_delta"
    text: str


class ContentBlockDelta(_Written):
    """A fragment of the reply."""

    type: Literal["content_block_delta"] = "content_block_delta"
    delta: TextDelta


class ToolUse(_Written):
    """A tool that the client is asked to run."""

    type: Literal["tool_use"] = "tool_use"
    id: str
    name: str
    input: JsonObject


class AgentStart(_Written):
    """An agent begins."""

    type: Literal["agent_start"] = "agent_start"
    agent_name: str
    agent_display_name: str


class AgentEnd(_Written):
    """The agent that began has finished."""

    type: Literal["agent_end"] = "agent_end"
    agent_name: str


class ThinkingEvent(_Written):
    """A fragment of what the model thinks (extension `thinking`); never part of the reply."""

    type: Literal["thinking_delta"] = "thinking_delta"
    text: str


class UsageEvent(_Written):
    """What one stream used (extension `usage`); a field is null if its value is unknown.

    `context_tokens` is how many tokens of the model's `context_window` the conversation now fills.
    """

    type: Literal["usage"] = "usage"
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    context_tokens: int | None
    context_window: int | None
    cost_usd: float | None


class NamedUsageEvent(UsageEvent):
    """The same for a client that may choose models (extension `models`).

    `model` is the id of the one that answered, as it is listed; null for one that is not listed.
    `is_window_assumed` is true where nobody told the window, so that it is a careful guess.
    """

    model: str | None
    is_window_assumed: bool


class TitleEvent(_Written):
    """A title for the conversation (extension `title`); sent once in its life."""

    type: Literal["title"] = "title"
    title: str


class MessageStop(_Written):
    """The last event of a stream that went well."""

    type: Literal["message_stop"] = "message_stop"


class StreamError(_Written):
    """The last event of a stream that failed."""

    type: Literal["error"] = "error"
    message: str


StreamEvent = (
    MessageStart
    | ContentBlockDelta
    | ToolUse
    | AgentStart
    | AgentEnd
    | MessageStop
    | StreamError
    | ThinkingEvent
    | UsageEvent
    | NamedUsageEvent
    | TitleEvent
)
