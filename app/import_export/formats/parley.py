"""Chats as Parley exports them: see `app.import_export.json_format`."""

from typing import Final

from app.chat.items import CallState, ToolCall
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
from app.import_export.json_format import DECIDED_BY, FORMAT, VERSION
from app.import_export.loading import (
    ExportedHandover,
    ExportedMessage,
    Part,
    TextPart,
)

_DECIDERS: Final = {words: decided for decided, words in DECIDED_BY.items()}
_STATES: Final = {state.value: state for state in CallState}


def is_own(head: Object) -> bool:
    """Tell whether a file with this beginning is ours."""
    return head.get("format") == FORMAT


def is_too_new(head: Object) -> bool:
    """Tell whether a later version of Parley wrote the file."""
    version = head.get("version")
    return is_own(head) and (not isinstance(version, int) or version > VERSION)


def read_own(raw: Object) -> ForeignChat:
    """Read one chat.

    Raises:
        UnreadableChat: it has no list of messages.
    """
    messages = tuple(map(_message, objects_in(raw, "messages")))
    return ForeignChat(
        "parley",
        as_id(raw.get("id")),
        as_title(raw.get("title")),
        as_moment(raw.get("updated_at")) or latest(messages),
        tuple(m for m in messages if m.parts),
    )


def _message(told: Object) -> ExportedMessage:
    parts = [_part(as_object(part)) for part in as_list(told.get("parts"))]
    return ExportedMessage(
        as_id(told.get("id")),
        "user" if told.get("role") == "user" else "assistant",
        as_moment(told.get("created_at")),
        tuple(part for part in parts if part is not None),
        is_delivered=told.get("is_delivered") is not False,
    )


def _part(told: Object) -> Part | None:
    match told.get("type"):
        case "text":
            return TextPart(as_text(told.get("text")), *_agent(told))
        case "handover":
            return ExportedHandover(as_title(told.get("from")), *_agent(told))
        case "tool_call":
            return _call(told)
        case _:
            return None


def _agent(told: Object) -> tuple[str | None, str | None]:
    agent = as_object(told.get("agent"))
    name = as_title(agent.get("name"))
    return (name or None, as_title(agent.get("display_name")) or name or None)


def _call(told: Object) -> ToolCall:
    duration = told.get("duration_ms")
    decider, decision = _DECIDERS.get(as_text(told.get("decided_by")), (None, None))
    return ToolCall(
        call_id=as_id(told.get("id")),
        tool=as_title(told.get("name")),
        title=as_title(told.get("title")) or as_title(told.get("name")),
        target=as_text(told.get("target")),
        state=_STATES.get(as_text(told.get("state")), CallState.INTERRUPTED),
        decider=decider,
        decision=decision,
        input_text=as_text(told.get("input")),
        output_text=as_text(told.get("output")),
        duration_ms=duration if type(duration) is int else None,
    )
