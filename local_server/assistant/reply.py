"""What an assistant is asked, and what it answers, whatever stands behind it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Protocol

from local_server.assistant.agents import Agent
from local_server.assistant.skills import Skill
from local_server.store.records import Message, Tool, ToolCall


@dataclass(frozen=True)
class Text:
    """A fragment of the reply."""

    text: str


@dataclass(frozen=True)
class ToolRequest:
    """The wish to have a declared tool run. It is the last thing of its reply."""

    name: str
    input: dict[str, Any]


@dataclass(frozen=True)
class ReplyRequest:
    """All that a reply is made from.

    Attributes:
        message: The user's latest message.
        history: The conversation up to and with that message, and the reply so far.
        tools: What the client declared with that message.
        calls: The tool calls of the reply so far, all of them answered.
    """

    message: str
    history: tuple[Message, ...]
    agent: Agent
    skills: tuple[Skill, ...]
    tools: tuple[Tool, ...]
    calls: tuple[ToolCall, ...] = ()

    @property
    def answered(self) -> ToolCall | None:
        """The tool call whose result the reply goes on from; None at its start."""
        return self.calls[-1] if self.calls else None


class Assistant(Protocol):
    """Answers requests. One for the life of the service."""

    def reply(self, request: ReplyRequest) -> AsyncGenerator[Text | ToolRequest]:
        """Write the reply piece by piece.

        Raises:
            StreamFailureError: When the reply cannot go on, with words for the user.
        """
