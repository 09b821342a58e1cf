"""Helpers for reading foreign JSON, whose values may be of any type and size."""

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic import JsonValue

from app.import_export.loading import ExportedMessage

Origin = Literal["parley", "chatgpt", "claude"]
Object = Mapping[str, JsonValue]

_TITLE_CHARS: Final = 500
_ID_CHARS: Final = 200
# Before and after any chat, and far from the limits of `datetime`, which another zone may cross.
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(3000, 1, 1, tzinfo=UTC)


class UnreadableChat(Exception):
    """This is no chat of the kind it looks like."""


@dataclass(frozen=True, slots=True)
class ForeignVersion:
    """A version of a chat: it parts from `parent_id` behind its first `shared_count` messages."""

    origin_id: str
    parent_id: str | None
    shared_count: int
    updated_at: datetime | None
    messages: tuple[ExportedMessage, ...]


@dataclass(frozen=True, slots=True)
class ForeignChat:
    """A chat as another program wrote it down. `origin_id` is empty where it has none.

    `left_branches` counts the other ways that the chat went on, which are not in `messages`.
    `versions` are all those ways where they can be told apart, oldest first, and that of `messages`
    among them; `left_versions` counts those that make no sense.
    """

    origin: Origin
    origin_id: str
    title: str
    updated_at: datetime | None
    messages: tuple[ExportedMessage, ...]
    left_branches: int = 0
    versions: tuple[ForeignVersion, ...] = ()
    left_versions: int = 0


def as_object(value: JsonValue) -> Object:
    """Return `value` if it is an object, else one with nothing in it."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """Return `value` if it is a list, else one with nothing in it."""
    return value if isinstance(value, list) else []


def objects_in(raw: Object, name: str) -> list[Object]:
    """Return the objects in the list of this name, which every chat has.

    Raises:
        UnreadableChat: there is no list.
    """
    found = raw.get(name)
    if not isinstance(found, list):
        raise UnreadableChat
    return [as_object(value) for value in found]


def as_text(value: JsonValue) -> str:
    """Return `value` if it is text, else an empty text."""
    return value if isinstance(value, str) else ""


def as_title(value: JsonValue) -> str:
    """Return a title on one line, of a length that people may have written."""
    return " ".join(as_text(value)[:_TITLE_CHARS].split())


def as_id(value: JsonValue) -> str:
    """Return an id; one that is too long to be one is told apart by its digest."""
    text = as_text(value)
    return text if len(text) <= _ID_CHARS else hashlib.sha256(_bytes(text)).hexdigest()


def as_moment(value: JsonValue) -> datetime | None:
    """Return a time, told in seconds since 1970 or in ISO 8601; without a zone it is UTC."""
    moment = _from_iso(value) if isinstance(value, str) else _from_seconds(value)
    return moment if moment is not None and _EARLIEST < moment < _LATEST else None


def latest(messages: Iterable[ExportedMessage]) -> datetime | None:
    """Return when something was last said."""
    return max((m.created_at for m in messages if m.created_at is not None), default=None)


def _from_iso(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _from_seconds(value: JsonValue) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    is_sensible = math.isfinite(value) and 0 < value < _LATEST.timestamp()
    return datetime.fromtimestamp(value, UTC) if is_sensible else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
