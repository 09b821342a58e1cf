"""Read raw chats from a stream of JSON, one at a time, each within limits of size.

Three shapes are known: a list of chats; an object with a list `chats` or `conversations`; and one
chat alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Protocol

import ijson
from pydantic import JsonValue

DEPTH_LIMIT: Final = 64
VALUES_LIMIT: Final = 1_000_000
CHARS_LIMIT: Final = 64 * 1024**2

_LISTS: Final = frozenset({"chats", "conversations"})
_HEAD_LIMIT: Final = 100

Event = tuple[str, Any]


class Readable(Protocol):
    """A file, or whatever else is read like one."""

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes."""


@dataclass(frozen=True, slots=True)
class JsonObjectStream:
    """One chat as it stands in the file; `value` is None where it went past a bound.

    `head` is what stood before the list in the same object: a format and its version.
    """

    value: JsonValue
    head: dict[str, JsonValue]


class DamagedJson(Exception):
    """The file is no JSON from here on; what came before stands."""


def raw_chats(source: Readable) -> Iterator[JsonObjectStream]:
    """Yield the chats in `source`.

    Raises:
        DamagedJson: what is left cannot be read.
    """
    try:
        yield from _chats(ijson.basic_parse(source))
    except (ijson.JSONError, ValueError, OverflowError) as exc:
        raise DamagedJson from exc


def _chats(events: Iterator[Event]) -> Iterator[JsonObjectStream]:
    kind, _ = next(events)
    if kind == "start_array":
        yield from _elements(events, {})
    elif kind == "start_map":
        yield from _from_object(events)
    else:
        raise DamagedJson


def _from_object(events: Iterator[Event]) -> Iterator[JsonObjectStream]:
    """Yield the object as its own chat, unless a list of chats is in it."""
    head: dict[str, JsonValue] = {}
    budget = _Budget()
    has_list = False
    for kind, key in events:
        if kind == "end_map":
            break
        first = next(events)
        if first[0] == "start_array" and key in _LISTS:
            has_list = True
            yield from _elements(events, dict(head))
        else:
            value = _value(first, events, budget)
            if len(head) < _HEAD_LIMIT:
                head[key] = value
    if not has_list:
        yield JsonObjectStream(None if budget.is_spent else head, {})


def _elements(events: Iterator[Event], head: dict[str, JsonValue]) -> Iterator[JsonObjectStream]:
    for event in events:
        if event[0] == "end_array":
            return
        budget = _Budget()
        value = _value(event, events, budget)
        yield JsonObjectStream(None if budget.is_spent else value, head)


class _Budget:
    """What one chat may cost; once it is spent, the rest of the chat is read and dropped."""

    def __init__(self) -> None:
        self._values = VALUES_LIMIT
        self._chars = CHARS_LIMIT
        self.is_spent = False

    def add(self, value: object) -> None:
        self._values -= 1
        if isinstance(value, str):
            self._chars -= len(value)
        if self._values < 0 or self._chars < 0:
            self.is_spent = True


class _Builder:
    """Builds one JSON value from parser events, without recursion; drops what exceeds limits."""

    def __init__(self, budget: _Budget) -> None:
        self._budget = budget
        self._root: list[JsonValue] = []
        self._open: list[dict[str, JsonValue] | list[JsonValue]] = [self._root]
        self._keys = [""]
        self._depth = 0

    @property
    def value(self) -> JsonValue:
        return self._root[0] if self._root else None

    def add(self, kind: str, value: Any) -> bool:
        """Take an event; tell whether the value is whole now."""
        if kind in ("end_map", "end_array"):
            self._close()
        elif kind == "map_key":
            self._budget.add(value)
            if self._depth < DEPTH_LIMIT:
                self._keys[-1] = value
        elif kind in ("start_map", "start_array"):
            self._begin({} if kind == "start_map" else [])
        else:
            # ijson reads fractions as Decimal.
            self._put(float(value) if isinstance(value, Decimal) else value)
        return self._depth == 0

    def _begin(self, container: dict[str, JsonValue] | list[JsonValue]) -> None:
        if self._depth < DEPTH_LIMIT:
            self._put(container)
            self._open.append(container)
            self._keys.append("")
        else:
            self._budget.is_spent = True
        self._depth += 1

    def _close(self) -> None:
        if self._depth <= DEPTH_LIMIT:
            self._open.pop()
            self._keys.pop()
        self._depth -= 1

    def _put(self, value: JsonValue) -> None:
        self._budget.add(value)
        if self._budget.is_spent or self._depth > DEPTH_LIMIT:
            return
        into = self._open[-1]
        if isinstance(into, dict):
            into[self._keys[-1]] = value
        else:
            into.append(value)


def _value(first: Event, events: Iterator[Event], budget: _Budget) -> JsonValue:
    """Build one value, whose first event is here already."""
    builder = _Builder(budget)
    event = first
    while not builder.add(*event):
        event = next(events)
    return builder.value
