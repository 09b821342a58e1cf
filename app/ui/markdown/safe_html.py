"""HTML that may be drawn: only tags and addresses from a short list."""

from typing import Final

import nh3

from app.ui.markdown.links import LINK_SCHEMES, allowed_link
from app.ui.markdown.note_links import NOTE_SCHEME, note_number

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
