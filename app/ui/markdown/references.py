"""`ReferenceTracker` finds the parts of a text to render again because a name in it was redefined.

`LinkDefinitions` holds what a text defines by name: the addresses of links, and the numbers of
notes.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Final

from markdown_it.common.utils import normalizeReference

# Either ends with its bracket; what is escaped does not end it.
_IN_BRACKETS: Final = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]", re.DOTALL)

References = dict[str, dict[str, Any]]


@dataclass(slots=True)
class LinkDefinitions:
    """Definitions, the first of each name; notes count from 1, also those of a name again."""

    references: References = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    note_count: int = 0

    def copy(self) -> "LinkDefinitions":
        """Return the same names, to be added to."""
        return LinkDefinitions(dict(self.references), dict(self.notes), self.note_count)

    def meanings(self) -> dict[str, str]:
        """Return what each name stands for."""
        addresses = {name: str(found["href"]) for name, found in self.references.items()}
        return addresses | {_of_note(name): str(number) for name, number in self.notes.items()}


def definitions_in(source: str) -> frozenset[str] | None:
    """Return the names that a text may use, as `meanings` has them; None if that is not plain."""
    found = set()
    for label in _IN_BRACKETS.findall(source):
        # What begins the line of a quote would seem to be part of the name.
        if "\n" in label:
            return None
        found.add(_of_note(label[1:]) if label[0] == "^" else normalizeReference(label))
    return frozenset(found)


def _of_note(name: str) -> str:
    # No name of an address has a line break.
    return f"\n{name}"


class ReferenceTracker:
    """Keeps what each part uses, in the order of the parts. Ends with the growing text."""

    def __init__(self) -> None:
        self.names = LinkDefinitions()
        self._uses: list[frozenset[str] | None] = []
        self._meanings: dict[str, str] = {}
        self._unsure: set[int] = set()
        self._due: set[int] = set()

    @property
    def is_due(self) -> bool:
        """Whether some part is to be rendered anew."""
        return bool(self._due)

    def add(self, source: str, names: LinkDefinitions) -> None:
        """Take note of the next part, which was rendered with these names."""
        uses = definitions_in(source) if "[" in source else frozenset()
        meanings = names.meanings() if uses != frozenset() else {}
        used = uses if uses is not None else meanings.keys() | self._meanings.keys()
        if any(meanings.get(name) != self._meanings.get(name) for name in used):
            self._unsure.add(len(self._uses))
        self._uses.append(uses)

    def define(self, names: LinkDefinitions) -> None:
        """Take note of all that the whole text defines now."""
        meanings, before = names.meanings(), self._meanings
        self.names, self._meanings = names, meanings
        self._due |= self._unsure
        self._unsure.clear()
        if meanings == before:
            return
        changed = {name for name, _ in meanings.items() ^ before.items()}
        for number, uses in enumerate(self._uses):
            if uses is None or not uses.isdisjoint(changed):
                self._due.add(number)

    def next(self) -> int | None:
        """Return the first part that is to be rendered anew; it counts as done then."""
        if not self._due:
            return None
        number = min(self._due)
        self._due.discard(number)
        return number
