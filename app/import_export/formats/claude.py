"""Read Claude's export: a list `chat_messages`, text in `text` or in `content` blocks."""

import json
from typing import Final

from pydantic import JsonValue

from app.import_export.formats.reading import (
    ForeignChat,
    Object,
    as_id,
    as_list,
    as_moment,
    as_object,
    as_text,
    as_title,
    latest,
    objects_in,
)
from app.import_export.loading import ExportedMessage, TextPart
from app.import_export.markdown_format import escaped, fenced

_NAME: Final = "Claude"


def is_claude(raw: Object) -> bool:
    """Tell whether this looks like one of these chats."""
    return "chat_messages" in raw


def read_claude(raw: Object) -> ForeignChat:
    """Read one chat.

    Raises:
        UnreadableChat: it has no list of messages.
    """
    told = objects_in(raw, "chat_messages")
    messages = tuple(m for m in map(_message, told) if m is not None)
    return ForeignChat(
        "claude",
        as_id(raw.get("uuid")),
        as_title(raw.get("name")),
        as_moment(raw.get("updated_at")) or latest(messages),
        messages,
    )


def _message(told: Object) -> ExportedMessage | None:
    sender = told.get("sender")
    if sender not in ("human", "assistant"):
        return None
    blocks = [_block(as_object(block)) for block in as_list(told.get("content"))]
    text = "\n\n".join(filter(None, blocks)) or as_text(told.get("text"))
    text = "\n\n".join(filter(None, [text, *_files(told)]))
    if not text.strip():
        return None
    message_id, moment = as_id(told.get("uuid")), as_moment(told.get("created_at"))
    if sender == "human":
        return ExportedMessage(message_id, "user", moment, (TextPart(text),))
    return ExportedMessage(message_id, "assistant", moment, (TextPart(text, "claude", _NAME),))


def _block(block: Object) -> str:
    match block.get("type"):
        case "text":
            return as_text(block.get("text"))
        case "tool_use":
            given = json.dumps(block.get("input"), ensure_ascii=False, indent=2)
            return f"[tool: {escaped(as_text(block.get('name')))}]\n\n{fenced(given, 'json')}"
        case "tool_result":
            return _result(block.get("content"))
        case "image":
            return "[image]"
        case _:
            return ""


def _result(content: JsonValue) -> str:
    texts = [as_text(as_object(part).get("text")) for part in as_list(content)]
    text = as_text(content) or "\n".join(filter(None, texts))
    return fenced(text) if text else ""


def _files(told: Object) -> list[str]:
    found = []
    for value in (*as_list(told.get("attachments")), *as_list(told.get("files"))):
        file = as_object(value)
        name = escaped(as_text(file.get("file_name"))) or "?"
        content = as_text(file.get("extracted_content"))
        found.append(f"[file: {name}]" + (f"\n\n{fenced(content)}" if content else ""))
    return found
