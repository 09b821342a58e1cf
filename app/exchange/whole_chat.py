"""A chat with everything that is known of it: what is exported, and what an import makes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.chat.items import CallState

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Words:
    """A run of text; of a reply also who wrote it, as far as is known."""

    text: str
    agent_name: str | None = None
    agent_display_name: str | None = None


@dataclass(frozen=True, slots=True)
class HandedOver:
    """Another agent goes on from here."""

    from_display_name: str
    agent_name: str | None
    agent_display_name: str | None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as it is kept; input and output may be erased.

    `decided_by` says who or what kind of rule decided, in the words of `app.chat.call_facts`.
    `tool_name` is the tool's own name, `title` the one that people read.
    """

    call_id: str
    tool_name: str
    title: str
    target: str
    state: CallState
    decided_by: str
    input_text: str
    output_text: str
    duration_ms: int | None


Part = Words | HandedOver | Call


@dataclass(frozen=True, slots=True)
class WholeMessage:
    """One message with its parts in order.

    `message_id` is the service's, or empty for what the service does not have. `is_delivered` is
    false for a message of the user that did not reach the service, as far as is known.
    """

    message_id: str
    role: Role
    created_at: datetime | None
    parts: tuple[Part, ...]
    is_delivered: bool = True

    @property
    def text(self) -> str:
        """Its words alone."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, Words))


@dataclass(frozen=True, slots=True)
class WholeChat:
    """A chat and its messages, oldest first. `is_complete`: nothing is known to be missing."""

    chat_id: str
    title: str
    updated_at: datetime | None
    messages: tuple[WholeMessage, ...]
    is_complete: bool = True
