"""Read ChatGPT's export: a tree `mapping` of messages, with a `current_node`."""

import re
from typing import Final

from pydantic import JsonValue

from app.import_export.formats.reading import (
    ForeignChat,
    Object,
    UnreadableChat,
    as_id,
    as_list,
    as_moment,
    as_object,
    as_text,
    as_title,
    latest,
)
from app.import_export.loading import ExportedMessage, TextPart
from app.import_export.markdown_format import escaped, fenced

_NAME: Final = "ChatGPT"
# Marks of sources, which mean nothing outside of the program that made them.
_SOURCES: Final = re.compile("\ue200[^\ue201]{0,500}\ue201")
_UNSEEN_KINDS: Final = frozenset(
    {"user_editable_context", "model_editable_context", "thoughts", "reasoning_recap"}
)


def is_chatgpt(raw: Object) -> bool:
    """Tell whether this looks like one of these chats."""
    return "mapping" in raw


def read_chatgpt(raw: Object) -> ForeignChat:
    """Read one chat: the branch of the tree that was looked at last.

    Raises:
        UnreadableChat: there is no tree.
    """
    nodes = raw.get("mapping")
    if not isinstance(nodes, dict):
        raise UnreadableChat
    branch = _branch(raw, nodes)
    told = [_message_of(nodes[id_]) for id_ in branch]
    messages = tuple(m for m in map(_message, told) if m is not None)
    return ForeignChat(
        "chatgpt",
        as_id(raw.get("conversation_id")) or as_id(raw.get("id")),
        as_title(raw.get("title")),
        as_moment(raw.get("update_time")) or latest(messages),
        messages,
        _count_others(nodes, branch),
    )


def _branch(raw: Object, nodes: Object) -> list[str]:
    """Return the nodes from the root to the current one."""
    at = as_text(raw.get("current_node"))
    if at not in nodes:
        at = _newest_leaf(nodes)
    return _way_up(nodes, at, set())[::-1]


def _way_up(nodes: Object, at: str, seen: set[str]) -> list[str]:
    """Return the ids from a node to the root, or to what was `seen`: a tree may run in a circle."""
    way: list[str] = []
    while at in nodes and at not in seen:
        seen.add(at)
        way.append(at)
        at = as_text(as_object(nodes[at]).get("parent"))
    return way


def _count_others(nodes: Object, branch: list[str]) -> int:
    """Count the other branches that have something in them that was shown."""
    seen = set(branch)
    parents = {as_text(as_object(node).get("parent")) for node in nodes.values()}
    ways = (_way_up(nodes, end, seen) for end in nodes if end not in parents)
    return sum(any(_message(_message_of(nodes[id_])) for id_ in way) for way in ways)


def _message_of(node: JsonValue) -> Object:
    return as_object(as_object(node).get("message"))


def _newest_leaf(nodes: Object) -> str:
    leaves = [id_ for id_, node in nodes.items() if not as_list(as_object(node).get("children"))]
    # A cycle has no leaf: then any node will do.
    return max(leaves or nodes, key=lambda id_: _time_of(nodes[id_]), default="")


def _time_of(node: JsonValue) -> float:
    moment = as_moment(_message_of(node).get("create_time"))
    return moment.timestamp() if moment is not None else 0.0


def _message(told: Object) -> ExportedMessage | None:
    metadata = as_object(told.get("metadata"))
    role = as_text(as_object(told.get("author")).get("role"))
    if metadata.get("is_visually_hidden_from_conversation") or role not in (
        "user",
        "assistant",
        "tool",
    ):
        return None
    text = "\n\n".join(filter(None, [_content(told, role), *_attachments(metadata)]))
    if not text.strip():
        return None
    moment, message_id = as_moment(told.get("create_time")), as_id(told.get("id"))
    if role == "user":
        return ExportedMessage(message_id, "user", moment, (TextPart(text),))
    words = TextPart(text, as_title(metadata.get("model_slug")) or "chatgpt", _NAME)
    return ExportedMessage(message_id, "assistant", moment, (words,))


def _content(told: Object, role: str) -> str:
    content = as_object(told.get("content"))
    kind = as_text(content.get("content_type"))
    if kind in _UNSEEN_KINDS:
        return ""
    if kind == "code":
        return fenced(as_text(content.get("text")), _language(content))
    if kind == "execution_output":
        return fenced(as_text(content.get("text")))
    parts = [_part(part) for part in as_list(content.get("parts"))]
    text = "\n\n".join(filter(None, parts)) or _other_text(content)
    text = _SOURCES.sub("", text)
    return _from_tool(told, text) if role == "tool" and text else text


def _language(content: Object) -> str:
    language = as_text(content.get("language"))
    return language if re.fullmatch(r"[a-z0-9+#-]{1,20}", language) else ""


def _part(part: JsonValue) -> str:
    if isinstance(part, str):
        return part
    told = as_object(part)
    kind = as_text(told.get("content_type"))
    if kind == "audio_transcription":
        return as_text(told.get("text"))
    words = kind.removesuffix("_asset_pointer").replace("_", " ").strip()
    return f"[{escaped(words)}]" if words else as_text(told.get("text"))


def _other_text(content: Object) -> str:
    return as_text(content.get("text")) or as_text(content.get("result"))


def _from_tool(told: Object, text: str) -> str:
    name = escaped(as_text(as_object(told.get("author")).get("name"))) or "?"
    return f"[tool: {name}]\n\n{text}"


def _attachments(metadata: Object) -> list[str]:
    names = [as_text(as_object(a).get("name")) for a in as_list(metadata.get("attachments"))]
    return [f"[file: {escaped(name)}]" for name in names if name]
