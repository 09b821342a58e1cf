"""These functions make untrusted text, links and pictures safe to parse and lay out.

`clean_source`, `show_hidden` and `break_runs` make text from elsewhere fit for that without
changing what it says. `allowed_link` alone decides which addresses a link in a text may point to.
`SafeHtml` filters HTML down to the tags and addresses of a short list, so that it may be drawn. The
`note_…` functions handle links from a text to its own notes, and the `page_…` functions those from
a page of the manual to another, by schemes that nobody can write in a text.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import nh3

from app.approvals.visible_text import is_hidden

LINK_SCHEMES: Final = frozenset({"https", "http", "mailto"})
LONGEST_ADDRESS: Final = 4096
# White space and controls have no place in an address; programs disagree about what they mean.
_ODD: Final = re.compile(r"[\x00-\x20\x7f-\xa0\u2000-\u200f\u2028-\u202f\u2060-\u206f\ufeff\\]")


def allowed_link(address: str) -> str | None:
    """Return `address` if a click on it may leave the window, or None.

    Web pages with a host and mail addresses pass; paths, other schemes and addresses that start
    from an unknown place do not.
    """
    if len(address) > LONGEST_ADDRESS or _ODD.search(address):
        return None
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme == "mailto":
        return address if parts.path and not parts.netloc else None
    return address if parts.scheme in LINK_SCHEMES and host else None


def host_of(address: str) -> str:
    """Return the host that `address` names, or nothing."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


RUN_LIMIT: Final = 512
"""After so many characters without a blank a line may be broken: layout is quadratic otherwise."""

BREAK_MARK: Final = "\u200b"
"""What allows a break. It draws nothing, and is left out when text is copied."""

# Controls; characters that stand for objects and frames inside Qt's documents; non-characters.
_UNFIT: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffc\ufffe\uffff]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_SEPARATORS: Final = re.compile("\r\n?|[\u2028\u2029\x85]")
# Marks beyond this on one letter would paint over the lines above.
_STORM: Final = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})[\u0300-\u036f\u0483-\u0489\u0591-\u05bd"
    "\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
_LONG_RUN: Final = re.compile(rf"\S{{{RUN_LIMIT}}}(?=\S)")
_RUN: Final = re.compile(r"\s")
_NOT_ASCII: Final = re.compile(r"[^\n\t\x20-\x7e]+")
_PICTURE_JOINERS: Final = frozenset("\u200d\ufe0f")


def clean_source(text: str) -> str:
    """Return `text` with one kind of line break and without characters that no text has.

    Works line by line: cleaning the lines one by one gives the same as cleaning them together.
    """
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _SEPARATORS.sub("\n", text)
    return _STORM.sub(r"\1", _UNFIT.sub("\ufffd", text))


def show_hidden(text: str) -> str:
    """Return code or output with what would draw nothing, or turn text around, written out.

    Tabs and line breaks stay; the joiners inside a picture made of several stay too.
    """
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _NOT_ASCII.sub(lambda found: _write_out(found[0]), _SEPARATORS.sub("\n", text))


def break_runs(text: str) -> str:
    """Return `text` with places to break in every long run without blanks."""
    return _LONG_RUN.sub(lambda found: found[0] + BREAK_MARK, text)


class RunBreaker:
    """Breaks runs that go on over several pieces of one line."""

    def __init__(self) -> None:
        self._run = 0

    def feed(self, piece: str) -> str:
        """Return `piece` with places to break, seen as the continuation of the pieces before."""
        words = _RUN.split(piece)
        if len(words[0]) + self._run > RUN_LIMIT:
            piece = BREAK_MARK + piece
            self._run = 0
        self._run = len(words[-1]) % RUN_LIMIT + (self._run if len(words) == 1 else 0)
        return break_runs(piece)


def _write_out(text: str) -> str:
    shown: list[str] = []
    before = ""
    for character in text:
        joins = character in _PICTURE_JOINERS and before and _is_picture(before)
        hides = is_hidden(character) and not joins
        shown.append(f"‹U+{ord(character):04X}›" if hides else character)
        before = character
    return _STORM.sub(r"\1", "".join(shown))


def _is_picture(character: str) -> bool:
    return character in _PICTURE_JOINERS or unicodedata.category(character) in {"So", "Sk"}


NOTE_SCHEME: Final = "note"

_NOTE_ADDRESS: Final = re.compile(rf"{NOTE_SCHEME}:([1-9]\d{{0,6}})")
_NOTE_LINK: Final = re.compile(rf'<a href="{NOTE_SCHEME}:(\d+)">([^<]*)</a>')


def note_address(number: int) -> str:
    """Return the address of a note."""
    return f"{NOTE_SCHEME}:{number}"


def note_number(address: str) -> int | None:
    """Return the number of the note that an address names, or None if it names none."""
    found = _NOTE_ADDRESS.fullmatch(address)
    return int(found[1]) if found else None


def note_numbers_in(markup: str) -> list[int]:
    """Return the numbers of the notes that cleaned markup refers to, in order."""
    if NOTE_SCHEME not in markup:
        return []
    return [int(number) for number, _ in _NOTE_LINK.findall(markup)]


def replace_note_links(markup: str, make: Callable[[int, str], str]) -> str:
    """Return cleaned markup with what `make` gives for the number and the words of each link."""
    return _NOTE_LINK.sub(lambda found: make(int(found[1]), found[2]), markup)


PAGE_SCHEME: Final = "page"

_PAGE_ADDRESS: Final = re.compile(rf"{PAGE_SCHEME}:([a-z0-9-]{{1,60}})")


def page_address(name: str) -> str:
    """Return the inner address of a page of the manual."""
    return f"{PAGE_SCHEME}:{name}"


def page_name(address: str) -> str | None:
    """Return the name of the page that an inner address leads to, or None if it leads to none."""
    found = _PAGE_ADDRESS.fullmatch(address)
    return found[1] if found else None


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
            url_schemes={*LINK_SCHEMES, NOTE_SCHEME, PAGE_SCHEME},
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
    if attribute != "href" or note_number(value) or page_name(value):
        return value
    return allowed_link(value)
