"""`SafeHtml` filters HTML down to the tags and addresses of a short list, so that it may be drawn.

The `note_…` functions handle links from a text to its own notes, as they stand in markup. These
use a scheme that nobody can write in a text.
"""

import re
from collections.abc import Callable
from typing import Final

import nh3

from app.ui.markdown.sanitize import LINK_SCHEMES, allowed_link

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


_TAGS: Final = {
    "a",
    "br",
    "code",
    "em",
    "s",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
}
_ATTRIBUTES: Final = {"a": {"href"}, "td": {"align"}, "th": {"align"}}


class SafeHtml:
    """Markup in which nothing can be fetched, run, or styled.

    Making one cleans it, so there is none that was not cleaned. Frozen; equal when the markup is.
    """

    __slots__ = ("_text",)

    def __init__(self, untrusted: str) -> None:
        self._text = nh3.clean(
            untrusted,
            tags=_TAGS,
            attributes=_ATTRIBUTES,
            attribute_filter=_filter_attribute,
            url_schemes={*LINK_SCHEMES, NOTE_SCHEME},
            url_relative="deny",
            link_rel=None,
        )

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"SafeHtml({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SafeHtml) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


def _filter_attribute(_tag: str, attribute: str, value: str) -> str | None:
    if attribute != "href" or note_number(value):
        return value
    return allowed_link(value)
