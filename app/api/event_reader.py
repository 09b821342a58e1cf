"""Turns the name and data of one server-sent event into a typed event.

Strict about JSON, since what a tool is asked to do must be read in one way only; tolerant about
everything the interface does not name.
"""

import json
import math
from typing import NoReturn

from pydantic import JsonValue

from app.api.events import (
    AgentEnd,
    AgentStart,
    Event,
    MessageStart,
    MessageStop,
    StreamError,
    TextDelta,
    ToolUse,
    UnknownEvent,
)

_DEPTH_LIMIT = 64
_NAME_LIMIT_CHARS = 64


def read_event(name: str, data: str) -> Event:
    """Read one event; what does not fit the interface comes back as `UnknownEvent`."""
    unknown = UnknownEvent(name[:_NAME_LIMIT_CHARS])
    try:
        fields = _parse(data)
    except (ValueError, RecursionError):
        return unknown
    if not isinstance(fields, dict) or fields.get("type") != name:
        return unknown
    return _typed(fields) or unknown


def _typed(fields: dict[str, JsonValue]) -> Event | None:  # noqa: PLR0911 one return an event
    match fields:
        case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": str(text)}}:
            return TextDelta(text)
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
        return _mended(value)
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


_DECODER = json.JSONDecoder(
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


def _mended(value: JsonValue, depth: int = 0) -> JsonValue:
    """The same value with U+FFFD for every half of a surrogate pair."""
    if depth > _DEPTH_LIMIT:
        raise ValueError("nested too deep")
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_mended(item, depth + 1) for item in value]
        case dict():
            return _unique([(str(_mended(k)), _mended(v, depth + 1)) for k, v in value.items()])
        case _:
            return value
