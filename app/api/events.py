"""What a reply is made of: the events of a stream (specification 6), as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import JsonValue


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
    | ToolUse
    | AgentStart
    | AgentEnd
    | MessageStop
    | StreamError
    | UnknownEvent
)
