"""Parley's own file of chats, in JSON: everything that is known, for programs and for import.

    {
      "format": "parley-chats", "version": 1,
      "exported_at": "2026-11-22T14:02:00+00:00",
      "chats": [{
        "id": "c_1", "title": "…", "updated_at": "…" or null, "is_complete": true,
        "messages": [{
          "id": "m_1", "role": "user" or "assistant", "created_at": "…" or null,
          "is_delivered": true,
          "parts": [
            {"type": "text", "text": "…", "agent": {"name": "coder", "display_name": "Coder"}},
            {"type": "handover", "from": "Coder", "agent": {…}},
            {"type": "tool_call", "id": "t_1", "name": "read_file", "title": "Read file",
             "target": "~/notes/a.md", "state": "done", "decided_by": "you",
             "input": "{…}", "output": "…", "duration_ms": 14}
          ]
        }]
      }]
    }

Times are ISO 8601 with their zone. `agent` is null where nobody knows who answered. `id` of a
message is empty while the service does not have it. `state` is one of waiting, running, done,
failed, denied, refused, interrupted. A later version may add fields; readers skip what they do
not know, and refuse a version above their own.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from pydantic import JsonValue

from app.chat.items import ToolCall
from app.import_export.loading import (
    ExportedConversation,
    ExportedHandover,
    ExportedMessage,
    Part,
    TextPart,
)
from local_tools.ledger.steps import Decider, Decision

FORMAT: Final = "parley-chats"
VERSION: Final = 1
DECIDED_BY: Final[dict[tuple[Decider, Decision | None], str]] = {
    (Decider.USER, None): "you",
    (Decider.USER_BEFORE, None): "you, before",
    (Decider.USER, Decision.EDITED): "you, edited",
    (Decider.FOLDER_RULE, None): "folder rule",
    (Decider.INPUT_RULE, None): "input rule",
    (Decider.HOST_RULE, None): "host rule",
    (Decider.TOOL_RULE, None): "tool rule",
}
"""What the file says of who decided; only the decision to change the input is told apart."""


def json_head(now: datetime) -> str:
    """Return the beginning of a file, up to its first chat."""
    head: dict[str, JsonValue] = {"format": FORMAT, "version": VERSION, "exported_at": _time(now)}
    return f'{_dumped(head)[:-2]},\n  "chats": ['


def json_of(chat: ExportedConversation, *, is_first: bool) -> Iterator[str]:
    """Yield one chat, a message at a time."""
    head: dict[str, JsonValue] = {
        "id": chat.chat_id,
        "title": chat.title,
        "updated_at": _time(chat.updated_at),
        "is_complete": chat.is_complete,
    }
    yield f'{"" if is_first else ","}\n{_dumped(head)[:-2]},\n  "messages": ['
    for number, message in enumerate(chat.messages):
        yield f"{',' if number else ''}\n{_dumped(_message(message))}"
    yield "\n]}"


def json_tail() -> str:
    """Return the end of a file, after its last chat."""
    return "\n]}\n"


def _message(message: ExportedMessage) -> dict[str, JsonValue]:
    return {
        "id": message.message_id,
        "role": message.role,
        "created_at": _time(message.created_at),
        "is_delivered": message.is_delivered,
        "parts": [_part(part) for part in message.parts],
    }


def _part(part: Part) -> dict[str, JsonValue]:
    match part:
        case TextPart():
            return {"type": "text", "text": part.text, "agent": _agent(part)}
        case ExportedHandover():
            return {"type": "handover", "from": part.from_display_name, "agent": _agent(part)}
        case ToolCall():
            return {
                "type": "tool_call",
                "id": part.call_id,
                "name": part.tool,
                "title": part.title,
                "target": part.target,
                "state": part.state.value,
                "decided_by": _decided_by(part),
                "input": part.input_text,
                "output": part.output_text,
                "duration_ms": part.duration_ms,
            }


def _decided_by(call: ToolCall) -> str:
    edited = call.decision if call.decision is Decision.EDITED else None
    return "" if call.decider is None else DECIDED_BY[call.decider, edited]


def _agent(part: TextPart | ExportedHandover) -> JsonValue:
    if part.agent_name is None:
        return None
    return {"name": part.agent_name, "display_name": part.agent_display_name or ""}


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None


def _dumped(value: dict[str, JsonValue]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
