"""Read a TOML file leniently, and write changes without losing what was not understood."""

import copy
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)
Place = tuple[int | str, ...]
"""The way to a value, table by table; items of a list by their number."""


@dataclass(frozen=True, slots=True)
class InvalidValue:
    """Something that is not understood, whole: a value, a table, or an item of a list.

    Items are counted in `place` without those that are invalid before them.
    """

    place: Place
    value: object

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list, which is lost once the list is written again."""
        return isinstance(self.place[-1], int)


def validate_leniently(
    document: Mapping[str, Any], model: type[Model]
) -> tuple[Model, tuple[InvalidValue, ...]]:
    """Validate a document without what is invalid in it, which is returned beside the model.

    A validator of the model that knows the place of a fault raises a `PydanticCustomError` with
    that `place` in its context.

    Raises:
        ValidationError: it cannot be said what is at fault.
    """
    tree = copy.deepcopy(dict(document))
    invalid: list[InvalidValue] = []
    while True:
        try:
            return model.model_validate(tree), tuple(invalid)
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            removed = _remove(tree, fault.get("ctx", {}).get("place", fault["loc"]))
            if removed is None:
                raise
            invalid = [found for found in invalid if not _is_inside(found, removed)]
            invalid.append(removed)


def _is_inside(value: InvalidValue, other: InvalidValue) -> bool:
    depth = len(other.place)
    # Two items of a list have one place where the first is removed before the second.
    return len(value.place) > depth and value.place[:depth] == other.place


def _remove(tree: Any, location: Place) -> InvalidValue | None:
    """Remove what stands there; what is missing is a fault of the table that it is missing in."""
    place: Place = ()
    parent: Any = None
    for part in location:
        is_there = part in tree if isinstance(tree, dict) else isinstance(tree, list)
        if not is_there:
            break
        place, parent, tree = (*place, part), tree, tree[part]
    if parent is None:
        return None
    del parent[place[-1]]
    return InvalidValue(place, tree)


def changed_toml(text: str, now: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Return a TOML text with what differs from `before` changed, its comments kept.

    Raises:
        ValueError: `text` is not TOML.
    """
    # Reading settings takes tomllib alone; tomlkit is slow to import.
    import tomlkit  # noqa: PLC0415
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document = tomlkit.parse(text)
    except (TOMLKitError, RecursionError) as error:
        raise ValueError("no TOML") from error
    _write_changes(document, now, before)
    return tomlkit.dumps(document)


def _write_changes(
    table: MutableMapping[str, Any], now: Mapping[str, Any], before: Mapping[str, Any]
) -> None:
    """Write what differs from `before`, or is not in the table yet; everything else stays in it.

    So a value that is not understood stays until another one is chosen in its place.

    Args:
        table: A table of the file, as tomlkit has read it.
        now: What holds from now on.
        before: What the same table was understood as; empty to write everything.
    """
    for name in before.keys() - now.keys():
        table.pop(name, None)
    for name, value in now.items():
        known, written = before.get(name), table.get(name)
        if isinstance(value, Mapping) and isinstance(written, MutableMapping):
            _write_changes(written, value, known or {})
        elif isinstance(value, tuple) and any(isinstance(item, Mapping) for item in value):
            table[name] = _changed_items(written, value, known or ())
        elif name not in table or value != known:
            table[name] = value


def _changed_items(
    written: object, now: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the items of a list of tables, each with what is in the file under its id."""
    items = written if isinstance(written, list) else []
    # If two have the same id, the first counts.
    # An item whose id is no text is invalid: nothing refers to it.
    in_file = {
        item_id: item
        for item in reversed(items)
        if isinstance(item, dict) and isinstance(item_id := item.get("id"), str)
    }
    known = {item["id"]: item for item in before}
    changed: list[dict[str, Any]] = []
    for item in now:
        table = dict(in_file.get(item["id"], {}))
        _write_changes(table, item, known.get(item["id"], {}))
        changed.append(table)
    return changed
