"""What of a written file a model does not understand, and how that stays in the file."""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)
Place = tuple[int | str, ...]
"""The way to a value, table by table; items of a list by their number."""
_Tree = dict[str, Any]


@dataclass(frozen=True, slots=True)
class InvalidValue:
    """Something that is not understood, whole: a value, a table, or an item of a list.

    `place` leads to it as it is written, with the numbers of items; `value` is what stands there.
    """

    place: Place
    value: object

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list, which is lost once the list is written again."""
        return isinstance(self.place[-1], int)


@dataclass(frozen=True, slots=True)
class PartialResult(Generic[Model]):
    """A file as a model understands it, with defaults in place of each value that does not fit."""

    model: Model
    misfits: tuple[InvalidValue, ...]


def validate_leniently(
    document: _Tree, model: type[Model], without: Iterable[Place] = ()
) -> PartialResult[Model]:
    """Understands as much of a document as can be; a fault takes no more with it than it must.

    A fault that a validator of the model knows the place of is raised as a `PydanticCustomError`
    with that `place` in its context. What stands at `without` is left out as if it were at fault.

    Raises:
        ValidationError: it cannot be said what is at fault.
    """
    out = set(without)
    while True:
        try:
            understood = model.model_validate(_without(document, out))
        except ValidationError as error:
            faults = error.errors(include_url=False, include_input=False)
            locations = [fault.get("ctx", {}).get("place", fault["loc"]) for fault in faults]
            places = {_smallest(document, out, location) for location in locations}
            if () in places:
                raise
            out |= places
        else:
            whole = sorted(filter(lambda place: not _is_inside(place, out), out), key=str)
            return PartialResult(
                understood, tuple(InvalidValue(p, _at(document, p)) for p in whole)
            )


def write_changes(
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
            write_changes(written, value, known or {})
        elif _has_tables(value):
            table[name] = _changed_items(written, value, known or ())
        elif name not in table or value != known:
            table[name] = value


def _has_tables(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(item, Mapping) for item in value)


def _changed_items(
    written: object, now: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]
) -> list[_Tree]:
    """Return the items of a list of tables, each with what is in the file under its id."""
    items = written if isinstance(written, list) else []
    # Of two with one id the first is understood.
    in_file = {item.get("id"): item for item in reversed(items) if isinstance(item, dict)}
    known = {item["id"]: item for item in before}
    changed: list[_Tree] = []
    for item in now:
        table = dict(in_file.get(item["id"], {}))
        write_changes(table, item, known.get(item["id"], {}))
        changed.append(table)
    return changed


def _without(tree: Any, out: set[Place], here: Place = ()) -> Any:
    """Copy a tree without what stands at these places."""
    if isinstance(tree, dict):
        items = ((name, (*here, name)) for name in tree)
        return {name: _without(tree[name], out, at) for name, at in items if at not in out}
    if isinstance(tree, list):
        numbered = ((item, (*here, number)) for number, item in enumerate(tree))
        return [_without(item, out, at) for item, at in numbered if at not in out]
    return tree


def _smallest(document: Any, out: set[Place], location: Place) -> Place:
    """Return the place of the least that has to go, for a fault in what is left of a document.

    What is missing, or gone already, is a fault of what it is missing in.
    """
    place: Place = ()
    tree = document
    for part in location:
        if isinstance(tree, list) and isinstance(part, int):
            left = [number for number in range(len(tree)) if (*place, number) not in out]
            place = (*place, left[part])
        elif isinstance(tree, dict) and part in tree:
            place = (*place, part)
        else:
            break
        tree = tree[place[-1]]
    while place in out:
        place = place[:-1]
    return place


def _is_inside(place: Place, places: set[Place]) -> bool:
    return any(place[:depth] in places for depth in range(len(place)))


def _at(tree: Any, place: Place) -> object:
    for part in place:
        tree = tree[part]
    return tree
