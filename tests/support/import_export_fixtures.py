"""Chats to export, and the files that other programs write of theirs."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.chat.items import CallState, ToolCall
from app.import_export.loading import (
    ExportedConversation,
    ExportedHandover,
    ExportedMessage,
    TextPart,
)
from local_tools.ledger.steps import Decider, Decision

NOON = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def chat_of(*texts: str, title: str = "A chat") -> ExportedConversation:
    """Return a chat in which these replies follow a question."""
    question = ExportedMessage("m0", "user", NOON, (TextPart("What is it?"),))
    replies = [
        ExportedMessage(f"m{number}", "assistant", NOON, (TextPart(text, "coder", "Coder"),))
        for number, text in enumerate(texts, start=1)
    ]
    return ExportedConversation("c1", title, NOON, (question, *replies))


def full_chat() -> ExportedConversation:
    """Make a chat with everything that there is: a hand-over, a tool call, a waiting message."""
    call = ToolCall(
        call_id="t1",
        tool="write_file",
        title="Write file",
        target="~/notes/`a`.md",
        state=CallState.DONE,
        decision=Decision.ALLOWED,
        decider=Decider.USER,
        input_text='{"path": "a"}',
        output_text="```\nwritten",
        duration_ms=14,
    )
    reply = (
        TextPart("Let me *see*.", "coder", "Coder"),
        ExportedHandover("Coder", "writer", "Writer"),
        call,
        TextPart("Done.", "writer", "Writer"),
    )
    messages = (
        ExportedMessage("m1", "user", NOON, (TextPart("Tidy up"),)),
        ExportedMessage("m2", "assistant", NOON, reply),
        ExportedMessage("", "user", NOON, (TextPart("And then?"),), is_delivered=False),
    )
    return ExportedConversation("c1", "Tidy *everything*", NOON, messages, is_complete=False)


def chatgpt_chat(chat_id: str = "g1", *said: str, **more: Any) -> dict[str, Any]:
    """Return a chat as ChatGPT exports it, in which `said` was said in turn, the user first."""
    texts = said or ("Hello", "Good day")
    nodes: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    parent = "root"
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        nodes[f"n{number}"] = chatgpt_node(f"n{number}", parent, role, text, number)
        parent = f"n{number}"
    known = {"conversation_id": chat_id, "title": f"About {chat_id}", "update_time": 1.7e9}
    return {**known, "mapping": nodes, "current_node": parent, **more}


def chatgpt_node(
    node_id: str, parent: str, role: str, text: str, at: float = 0, **message: Any
) -> dict[str, Any]:
    """One node of ChatGPT's tree."""
    told = {
        "id": node_id,
        "author": {"role": role},
        "create_time": 1.7e9 + at,
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {"model_slug": "gpt-x"} if role == "assistant" else {},
        **message,
    }
    return {"id": node_id, "parent": parent, "message": told, "children": []}


def claude_chat(chat_id: str = "a1", **more: Any) -> dict[str, Any]:
    """Return a chat as Claude exports it."""
    return {
        "uuid": chat_id,
        "name": "About Claude",
        "updated_at": "2026-01-02T03:04:05Z",
        "chat_messages": [
            {"uuid": "1", "sender": "human", "text": "Hi", "created_at": "2026-01-02T03:04:00Z"},
            {
                "uuid": "2",
                "sender": "assistant",
                "text": "old form",
                "content": [
                    {"type": "thinking", "thinking": "never shown"},
                    {"type": "text", "text": "Hello there"},
                    {"type": "tool_use", "name": "search", "input": {"q": 1}},
                    {"type": "tool_result", "content": [{"type": "text", "text": "found"}]},
                ],
                "created_at": "2026-01-02T03:04:05Z",
            },
        ],
        **more,
    }


def write_json(path: Path, value: object) -> Path:
    """Write a file and return its path."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path
