"""Links from a text to its own notes, as they stand in markup. Nobody can write one."""

import re
from collections.abc import Callable
from typing import Final

NOTE_SCHEME: Final = "note"

_ADDRESS: Final = re.compile(rf"{NOTE_SCHEME}:([1-9]\d{{0,6}})")
_LINK: Final = re.compile(rf'<a href="{NOTE_SCHEME}:(\d+)">([^<]*)</a>')


def note_address(number: int) -> str:
    """Return the address of a note."""
    return f"{NOTE_SCHEME}:{number}"


def note_number(address: str) -> int | None:
    """Return the number of the note that an address names, or None if it names none."""
    found = _ADDRESS.fullmatch(address)
    return int(found[1]) if found else None


def note_numbers_in(markup: str) -> list[int]:
    """Return the numbers of the notes that cleaned markup refers to, in order."""
    return [int(number) for number, _ in _LINK.findall(markup)] if NOTE_SCHEME in markup else []


def replace_note_links(markup: str, make: Callable[[int, str], str]) -> str:
    """Return cleaned markup with what `make` gives for the number and the words of each link."""
    return _LINK.sub(lambda found: make(int(found[1]), found[2]), markup)
