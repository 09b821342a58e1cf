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
            {"type": "thought", "text": "…"},
            {"type": "tool_call", "id": "t_1", "name": "read_file", "title": "Read file",
             "target": "~/notes/a.md", "state": "done", "decided_by": "you",
             "input": "{…}", "output": "…", "duration_ms": 14}
          ]
        }],
        "versions": [
          {"id": "c_0", "parent": null, "shared": [], "updated_at": "…" or null,
           "is_complete": true, "messages": […]},
          {"id": "c_1", "parent": "c_0", "shared": ["m_1"]}
        ]
      }]
    }

`versions` is there if the chat has several, oldest first. The one with the chat's `id` is shown,
and `messages` of the chat are its own. Each other one begins with the first messages of `parent`
that have an id, one for each id in `shared`, which they have here; its `messages` follow on these.

Times are ISO 8601 with their zone. `agent` is null where nobody knows who answered. `id` of a
message is empty while the service does not have it. `state` is one of waiting, running, done,
failed, denied, refused, interrupted. A later version may add fields; readers skip what they do
not know, and refuse a version above their own.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, takewhile
from typing import Final

from pydantic import JsonValue

from app.chat.items import CallState, ToolCall
from app.import_export.formats.reading import (
    ForeignChat,
    ForeignVersion,
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
from app.import_export.loading import (
    ExportedConversation,
    ExportedHandover,
    ExportedImage,
    ExportedMessage,
    ExportedVersion,
    Part,
    TextPart,
    ThoughtPart,
)
from local_tools.ledger.steps import Decider, Decision

FORMAT: Final = "parley-chats"
VERSION: Final = 1
# What the versions of a chat may be together, as each is kept whole.
_MOST_VERSIONS: Final = 2_000
_MOST_PARTS: Final = 200_000
_MOST_CHARS: Final = 64 * 1024**2
# What the file says of who decided; only the decision to change the input is told apart.
_DECIDED_BY: Final[dict[tuple[Decider, Decision | None], str]] = {
    (Decider.USER, None): "you",
    (Decider.USER_BEFORE, None): "you, before",
    (Decider.USER, Decision.EDITED): "you, edited",
    (Decider.FOLDER_RULE, None): "folder rule",
    (Decider.INPUT_RULE, None): "input rule",
    (Decider.HOST_RULE, None): "host rule",
    (Decider.TOOL_RULE, None): "tool rule",
    (Decider.ATTACHING, None): "attaching",
}
_DECIDERS: Final = {words: decided for decided, words in _DECIDED_BY.items()}
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
    chat_id = as_id(raw.get("id"))
    moment = as_moment(raw.get("updated_at")) or latest(messages)
    told = as_list(raw.get("versions"))
    versions = _VersionReader(ForeignVersion(chat_id, None, 0, moment, messages))
    for version in told[:_MOST_VERSIONS]:
        versions.read(as_object(version))
    return ForeignChat(
        "parley",
        chat_id,
        as_title(raw.get("title")),
        moment,
        _with_parts(messages),
        versions=versions.result(),
        left_versions=versions.left_count + len(told[_MOST_VERSIONS:]),
    )


class _VersionReader:
    """Reads the versions of one chat, whatever stands there. Made for it, used once.

    One that follows on nothing that is here, or would make a chat far larger than any is, is left
    out and counted. The one that is shown never is: where its place is not known, it parts behind
    the last message that the first version has, too.
    """

    def __init__(self, shown: ForeignVersion) -> None:
        self._shown = shown
        self._placed: dict[str, ForeignVersion] = {}
        self._left_parts = _MOST_PARTS
        self._left_chars = _MOST_CHARS
        self.left_count = 0

    def read(self, told: Object) -> None:
        """Read the next version; one that fits nowhere is left out and counted."""
        version_id = as_id(told.get("id"))
        is_shown = version_id == self._shown.origin_id
        version = None
        if version_id and version_id not in self._placed:
            version = self._read(version_id, told, is_shown=is_shown)
        if version is not None:
            self._placed[version_id] = version
        elif not is_shown:
            self.left_count += 1

    def result(self) -> tuple[ForeignVersion, ...]:
        """Return all that have a place, oldest first; none where the chat has only one."""
        shown = self._shown
        if not shown.origin_id:
            self.left_count += len(self._placed)
            return ()
        if self._placed and shown.origin_id not in self._placed:
            first = next(iter(self._placed.values()))
            pairs = zip(first.messages, shown.messages, strict=False)
            alike = takewhile(lambda pair: pair[0].text == pair[1].text, pairs)
            placed = replace(shown, parent_id=first.origin_id, shared_count=len(list(alike)))
            self._placed[shown.origin_id] = placed
        versions = tuple(map(_without_empty, self._placed.values()))
        return versions if len(versions) > 1 else ()

    def _read(self, version_id: str, told: Object, *, is_shown: bool) -> ForeignVersion | None:
        """Read one version; None where it fits at no place of the others."""
        ids = [as_id(id_) for id_ in as_list(told.get("shared"))]
        parent_id = as_id(told.get("parent")) or None
        if parent_id is None:
            beginning: list[ExportedMessage] | None = None if ids or self._placed else []
        elif parent_id in self._placed:
            beginning = _begun(self._placed[parent_id].messages, ids)
        else:
            beginning = None
        if beginning is None:
            return None
        if is_shown:
            own = _begun(self._shown.messages, ids)
            placed = replace(self._shown, parent_id=parent_id, shared_count=len(own or ()))
            return placed if own is not None else None
        rest = [_message(as_object(message)) for message in as_list(told.get("messages"))]
        messages = (*beginning, *rest)
        self._left_parts -= sum(max(1, len(message.parts)) for message in messages)
        self._left_chars -= sum(map(_size_of, messages))
        if not messages or self._left_parts < 0 or self._left_chars < 0:
            return None
        moment = as_moment(told.get("updated_at")) or latest(messages)
        return ForeignVersion(version_id, parent_id, len(beginning), moment, messages)


def _begun(messages: Sequence[ExportedMessage], ids: Sequence[str]) -> list[ExportedMessage] | None:
    """Return the first messages that have an id, under these; None where there are too few."""
    with_ids = list(islice((message for message in messages if message.message_id), len(ids)))
    if len(with_ids) < len(ids):
        return None
    return [replace(m, message_id=id_) for m, id_ in zip(with_ids, ids, strict=True)]


def _size_of(message: ExportedMessage) -> int:
    """Count the characters of what was said, and of what tools were given and returned."""
    calls = (part for part in message.parts if isinstance(part, ToolCall))
    told = (len(call.target) + len(call.input_text) + len(call.output_text) for call in calls)
    return len(message.text) + sum(told)


def _without_empty(version: ForeignVersion) -> ForeignVersion:
    shared = _with_parts(version.messages[: version.shared_count])
    messages = (*shared, *_with_parts(version.messages[version.shared_count :]))
    return replace(version, shared_count=len(shared), messages=messages)


def _with_parts(messages: Iterable[ExportedMessage]) -> tuple[ExportedMessage, ...]:
    return tuple(message for message in messages if message.parts)


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
    yield from _json_messages(chat.messages)
    yield "\n]"
    for number, version in enumerate(chat.versions):
        yield ',\n  "versions": [' if number == 0 else ","
        yield from _json_version(version)
    yield "\n]}" if chat.versions else "}"


def _json_version(version: ExportedVersion) -> Iterator[str]:
    head: dict[str, JsonValue] = {
        "id": version.version_id,
        "parent": version.parent_id,
        "shared": list(version.shared),
    }
    if version.messages is None:
        yield f"\n{_dumped(head)}"
        return
    head |= {"updated_at": _time(version.updated_at), "is_complete": version.is_complete}
    yield f'\n{_dumped(head)[:-2]},\n  "messages": ['
    yield from _json_messages(version.messages)
    yield "\n]}"


def _json_messages(messages: Iterable[ExportedMessage]) -> Iterator[str]:
    for number, message in enumerate(messages):
        yield f"{',' if number else ''}\n{_dumped(_json_message(message))}"


def json_tail() -> str:
    """Return the end of a file, after its last chat."""
    return "\n]}\n"


def _json_message(message: ExportedMessage) -> dict[str, JsonValue]:
    return {
        "id": message.message_id,
        "role": message.role,
        "created_at": _time(message.created_at),
        "is_delivered": message.is_delivered,
        "parts": [_json_part(part) for part in message.parts],
    }


def _json_part(part: Part) -> dict[str, JsonValue]:
    match part:
        case TextPart():
            return {"type": "text", "text": part.text, "agent": _json_agent(part)}
        case ExportedHandover():
            return {"type": "handover", "from": part.from_display_name, "agent": _json_agent(part)}
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
        case ThoughtPart(text):
            return {"type": "thought", "text": text}
        case ExportedImage():
            return {"type": "image", "name": part.name, "address": part.address}


def _decided_by(call: ToolCall) -> str:
    edited = call.decision if call.decision is Decision.EDITED else None
    return "" if call.decider is None else _DECIDED_BY[call.decider, edited]


def _json_agent(part: TextPart | ExportedHandover) -> JsonValue:
    if part.agent_name is None:
        return None
    return {"name": part.agent_name, "display_name": part.agent_display_name or ""}


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None


def _dumped(value: dict[str, JsonValue]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
