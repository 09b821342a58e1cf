"""Parse the events of a reply stream (specification 6, and the extensions) into frozen values.

`read_event` parses JSON strictly, so that the input of a tool call cannot be read in two ways, and
ignores events and fields that the interface does not name.
"""

import enum
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeAlias, TypeGuard, TypeVar

from pydantic import JsonValue

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class MessageStart:
    """The reply begins; the agent is named when one handles it."""

    message_id: str
    conversation_id: str
    agent_name: str | None = None
    agent_display_name: str | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A fragment of the reply's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """A fragment of what the model thinks, which is no part of the reply (extension `thinking`)."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What one stream used, or several together (extension `usage`); None where it is not known.

    `context_tokens` of the `context_window` are filled by now; `is_window_assumed` where nobody
    told how large it is. `cost_usd` is in US dollars. `model` is the id of the one that answered
    last, empty where the service does not name it.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    context_tokens: int | None = None
    context_window: int | None = None
    cost_usd: float | None = None
    model: str = ""
    is_window_assumed: bool = False

    def followed_by(self, later: "Usage") -> "Usage":
        """Return what both used together; a sum with something unknown in it is unknown."""
        return Usage(
            input_tokens=_sum(self.input_tokens, later.input_tokens),
            output_tokens=_sum(self.output_tokens, later.output_tokens),
            cached_tokens=_sum(self.cached_tokens, later.cached_tokens),
            context_tokens=later.context_tokens,
            context_window=later.context_window,
            cost_usd=_sum(self.cost_usd, later.cost_usd),
            model=later.model or self.model,
            is_window_assumed=later.is_window_assumed,
        )


@dataclass(frozen=True, slots=True)
class Title:
    """A name for the conversation, made from what was said in it (extension `title`)."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The assistant asks for a tool on this computer (specification 2.8).

    `input` was read with duplicate keys, NaN and nesting beyond 64 refused.
    """

    id: str
    name: str
    input: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgentStart:
    """An agent takes over."""

    agent_name: str
    agent_display_name: str


@dataclass(frozen=True, slots=True)
class AgentEnd:
    """That agent has finished."""

    agent_name: str


@dataclass(frozen=True, slots=True)
class MessageStop:
    """The reply is complete."""


@dataclass(frozen=True, slots=True)
class StreamError:
    """The service failed in the middle of the reply; nothing follows."""

    message: str


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event that is not of the interface, or whose data does not fit it: counted, never used."""

    name: str


Event: TypeAlias = (
    MessageStart
    | TextDelta
    | ThinkingDelta
    | ToolUse
    | AgentStart
    | AgentEnd
    | Usage
    | Title
    | MessageStop
    | StreamError
    | UnknownEvent
)


class PieceKind(enum.Enum):
    """What a piece of a reply is: the events that a reply is kept as, text in one piece."""

    TEXT = "text"
    HANDOVER = "handover"
    CALL = "call"
    THOUGHT = "thought"


_DEPTH_LIMIT: Final = 64
_NAME_LIMIT_CHARS: Final = 64
_MODEL_LIMIT_CHARS: Final = 4200
# What is beyond these is no count of one reply, and would break sums and rows that show it.
_MOST_TOKENS: Final = 10**12
_MOST_USD: Final = 10**9


def read_event(name: str, data: str) -> Event:
    """Read one event; what does not fit the interface comes back as `UnknownEvent`."""
    unknown = UnknownEvent(name[:_NAME_LIMIT_CHARS])
    try:
        fields = _parse(data)
    # json recurses at each level, and gives up before the depth can be checked.
    except (ValueError, RecursionError):
        return unknown
    # Specification 6: `type` equals the name; where they differ, nobody knows which one is meant.
    if not isinstance(fields, dict) or fields.get("type") != name:
        return unknown
    return _typed(fields) or unknown


def _typed(fields: dict[str, JsonValue]) -> Event | None:  # noqa: C901, PLR0911 one case an event
    match fields:
        case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": str(text)}}:
            return TextDelta(text)
        case {"type": "thinking_delta", "text": str(text)}:
            return ThinkingDelta(text)
        case {"type": "usage"}:
            return read_usage(fields)
        case {"type": "title", "title": str(title)}:
            return Title(title)
        case {"type": "message_start", "message_id": str(message), "conversation_id": str(chat)}:
            agent, shown = fields.get("agent_name"), fields.get("agent_display_name")
            return MessageStart(message, chat, _text_or_none(agent), _text_or_none(shown))
        case {"type": "tool_use", "id": str(id_), "name": str(tool), "input": dict(input_)}:
            return ToolUse(id_, tool, input_)
        case {"type": "agent_start", "agent_name": str(agent_name)}:
            shown_name = _text_or_none(fields.get("agent_display_name"))
            return AgentStart(agent_name, shown_name or agent_name)
        case {"type": "agent_end", "agent_name": str(agent_name)}:
            return AgentEnd(agent_name)
        case {"type": "message_stop"}:
            return MessageStop()
        case {"type": "error", "message": str(message)}:
            return StreamError(message)
        case _:
            return None


def read_usage(fields: Mapping[str, JsonValue]) -> Usage:
    """Read what was used; a number that cannot count tokens or dollars becomes unknown."""
    cost = fields.get("cost_usd")
    return Usage(
        input_tokens=_count(fields.get("input_tokens")),
        output_tokens=_count(fields.get("output_tokens")),
        cached_tokens=_count(fields.get("cached_tokens")),
        context_tokens=_count(fields.get("context_tokens")),
        context_window=_count(fields.get("context_window")) or None,
        cost_usd=float(cost) if _is_number(cost) and 0 <= cost <= _MOST_USD else None,
        model=(_text_or_none(fields.get("model")) or "")[:_MODEL_LIMIT_CHARS],
        is_window_assumed=fields.get("is_window_assumed") is True,
    )


def _count(value: JsonValue) -> int | None:
    # In Python, True is an int.
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _MOST_TOKENS else None


def _is_number(value: JsonValue) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sum(one: _Number | None, other: _Number | None) -> _Number | None:
    return None if one is None or other is None else one + other


def _text_or_none(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None


def _parse(data: str) -> JsonValue:
    """Parse JSON once, with one meaning only.

    Raises:
        ValueError: not JSON, a key twice, a number that is none, or nested too deep.
    """
    value: JsonValue = _DECODER.decode(data)
    # Only an escape can smuggle half a surrogate pair past the decoding of the bytes, and it
    # would break every encoder later on.
    if "\\u" in data:
        return _without_surrogates(value)
    _check_depth(value)
    return value


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice")
    return members


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number of JSON")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_refuse_constant
)


def _check_depth(value: JsonValue, depth: int = 0) -> None:
    if depth > _DEPTH_LIMIT:
        raise ValueError("nested too deep")
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            _check_depth(item, depth + 1)


def _without_surrogates(value: JsonValue, depth: int = 0) -> JsonValue:
    """Return the same value with U+FFFD for every half of a surrogate pair."""
    if depth > _DEPTH_LIMIT:
        raise ValueError("nested too deep")
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_without_surrogates(item, depth + 1) for item in value]
        case dict():
            members = value.items()
            return _unique(
                [
                    (str(_without_surrogates(k)), _without_surrogates(v, depth + 1))
                    for k, v in members
                ]
            )
        case _:
            return value
