"""Requests to the offline assistant, and what it makes of them, without a service around it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from local_server.assistant.agents import Agent
from local_server.assistant.offline.composing import compose
from local_server.assistant.reply import Piece, ReplyRequest, Text
from local_server.assistant.skills import Skill
from local_server.store.records import Message, Tool, ToolCall

NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)
STEPS = "# Title\n\nSteps:\n\n1. First this,\n   with more of it.\n2. Then that.\n\nAnd a rule."


def tool(name: str, *required: str, **properties: str) -> Tool:
    """Declare a tool whose arguments have these JSON types."""
    schema = {
        "type": "object",
        "properties": {argument: {"type": kind} for argument, kind in properties.items()},
        "required": list(required),
    }
    return Tool(name, "", schema)


TOOLS = tuple(
    tool(name) for name in ("read_file", "list_folder", "write_file", "run_command", "current_time")
)


def agent(name: str, display_name: str) -> Agent:
    """Make an agent."""
    return Agent(name, display_name, "", "", None, None, None, is_default=False, is_enabled=True)


ASSISTANT, FILES = agent("assistant", "Assistant"), agent("file-worker", "Files")


def skill(name: str, display_name: str, description: str = "", *triggers: str) -> Skill:
    """Make a skill with two steps."""
    return Skill(
        name, display_name, description, "1.2", None, STEPS, Path("nowhere"), triggers=triggers
    )


def request(message: str, tools: Sequence[Tool] = TOOLS, *said_before: str) -> ReplyRequest:
    """Ask the agent `assistant`, which said some things before."""
    before = [Message("msg_0", "assistant", said, NOW) for said in said_before]
    history = (*before, Message("msg_1", "user", message, NOW))
    return ReplyRequest(message, history, ASSISTANT, (), tuple(tools))


def answered(name: str, given: dict[str, object], result: str, round_: int = 0) -> ToolCall:
    """Make a call that has its result."""
    call = ToolCall(
        "call_1", "conv_1", "msg_2", name, given, TOOLS, "a", 0, "answered", result, False
    )
    return replace(call, round=round_)


def pieces_of(asked: ReplyRequest) -> list[Piece]:
    """What the assistant makes of a request, at noon of 21 November 2026."""
    return compose(asked, NOW)


def text_of(asked: ReplyRequest) -> str:
    """The words of a reply that is nothing but words."""
    (piece,) = pieces_of(asked)
    assert isinstance(piece, Text)
    return piece.text


def said(message: str, tools: Sequence[Tool] = TOOLS) -> str:
    """The words of the reply to a message."""
    return text_of(request(message, tools))
