"""What holds in place of values that only a newer version understands, and puts those back."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

Place = tuple[int | str, ...]
"""The way to a value, table by table; items of a list by their number or their `id`."""

_Known = Mapping[Place, object]


@dataclass(frozen=True, slots=True)
class StandIns:
    """Such values by their places, as they are written and as they are understood.

    Made and kept by the file that they were read from.
    """

    _written: _Known
    _understood: _Known

    @classmethod
    def none(cls) -> Self:
        """Returns those of a file in which everything is understood."""
        return cls({}, {})

    @classmethod
    def taken_from(cls, document: dict[str, Any], places: Iterable[Place]) -> Self:
        """Takes the values at these places out of what was read, so that defaults hold there."""
        named = {place: _by_id(document, place) for place in places}
        return cls({named[place]: _table(document, place).pop(place[-1]) for place in named}, {})

    def understood_as(self, settings: Mapping[str, Any]) -> Self:
        """Returns these with what stands in for them in the settings."""
        found = {place: _table(settings, place).get(place[-1]) for place in self._written}
        return type(self)(self._written, found)

    def put_back(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Puts back what was written where nothing else was chosen meanwhile."""
        for place in list(self._unchanged(settings)):
            _table(settings, place)[place[-1]] = self._written[place]
        return settings

    def left_in(self, settings: Mapping[str, Any]) -> Self:
        """Returns those of these in whose place nothing else was chosen."""
        left = list(self._unchanged(settings))
        known = (self._written, self._understood)
        return type(self)(*({place: values[place] for place in left} for values in known))

    def _unchanged(self, settings: Mapping[str, Any]) -> Iterator[Place]:
        for place, stand_in in self._understood.items():
            if _table(settings, place).get(place[-1]) == stand_in:
                yield place


def _table(tree: Any, place: Place) -> dict[int | str, Any]:
    """Returns the table that the value at `place` is in; an empty one where that is gone."""
    for part in place[:-1]:
        if isinstance(tree, Mapping):
            tree = tree.get(part, {})
        elif isinstance(part, int):
            tree = tree[part]
        else:
            tree = next((item for item in tree if item["id"] == part), {})
    found: dict[int | str, Any] = tree
    return found


def _by_id(document: Mapping[str, Any], place: Place) -> Place:
    """Returns the place with the ids of items instead of their numbers, which change."""
    named: Place = ()
    for depth, part in enumerate(place):
        if isinstance(part, int):
            item = _table(document, place[: depth + 2])
            named = (*named, str(item["id"]))
        else:
            named = (*named, part)
    return named
