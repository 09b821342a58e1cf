"""Read a TOML file leniently, and write changes without losing what was not understood."""

import copy
from collections.abc import Container, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)
Place = tuple[int | str, ...]
"""The way to a value, table by table; items of a list by their number."""


@dataclass(frozen=True, slots=True)
class InvalidValue:
    """A value, a table or an item of a list that is not understood as a whole.

    Items are counted in `place` as they stood when it was found.
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

    A validator of the model that knows the places of faults raises a `PydanticCustomError` with
    them as `places` in its context.

    Raises:
        ValidationError: the fault cannot be located.
    """
    tree = copy.deepcopy(dict(document))
    invalid: list[InvalidValue] = []
    while True:
        try:
            return model.model_validate(tree), tuple(invalid)
        except ValidationError as error:
            places = _places(tree, error)
            if not places:
                raise
            # Of a list, later items first: those before them stay where they are.
            removed = {place: _remove(tree, place) for place in sorted(places, reverse=True)}
            invalid = [found for found in invalid if not _is_inside(found.place, removed)]
            invalid += (InvalidValue(place, removed[place]) for place in places)


def _places(tree: Any, error: ValidationError) -> list[Place]:
    """Return the places to remove, in the order they were found, without places inside others."""
    faults = error.errors(include_url=False, include_input=False)
    locations = [
        location
        for fault in faults
        for location in fault.get("ctx", {}).get("places", (fault["loc"],))
    ]
    places = dict.fromkeys(place for one in locations if (place := _place(tree, one)))
    return [place for place in places if not _is_inside(place, places)]


def _is_inside(place: Place, others: Container[Place]) -> bool:
    return any(place[:depth] in others for depth in range(1, len(place)))


def _place(tree: Any, location: Place) -> Place:
    """Return as much of a place as exists; a missing field is a fault of the table around it."""
    place: Place = ()
    for part in location:
        is_there = part in tree if isinstance(tree, dict) else isinstance(tree, list)
        if not is_there:
            break
        place, tree = (*place, part), tree[part]
    return place


def _remove(tree: Any, place: Place) -> object:
    for part in place[:-1]:
        tree = tree[part]
    return tree.pop(place[-1])


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
