"""What a text defines by name: the addresses of links, and the numbers of notes."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

from markdown_it.common.utils import normalizeReference

# Either ends with its bracket; what is escaped does not end it.
_IN_BRACKETS: Final = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]", re.DOTALL)

References = dict[str, dict[str, Any]]


@dataclass(slots=True)
class Names:
    """Definitions, the first of each name; notes count from 1, also those of a name again."""

    references: References = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    note_count: int = 0

    def copy(self) -> "Names":
        """Return the same names, to be added to."""
        return Names(dict(self.references), dict(self.notes), self.note_count)

    def meanings(self) -> dict[str, str]:
        """Return what each name stands for."""
        addresses = {name: str(found["href"]) for name, found in self.references.items()}
        return addresses | {_of_note(name): str(number) for name, number in self.notes.items()}


def names_in(source: str) -> frozenset[str] | None:
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
