"""The text of a code block: what is shown of it, and how it is named."""

from typing import Final

from app.ui.markdown.blocks import Code, Place
from app.ui.markdown.source import show_hidden

LINE_LIMIT: Final = 2000
SIZE_LIMIT: Final = 64 * 1024
_NAME_LIMIT: Final = 40


def make_code(content: str, info: str, place: Place) -> Code:
    """Make the block for `content`, cut to what can be drawn at once."""
    text = content.removesuffix("\n")
    shown = text[:SIZE_LIMIT]
    lines = shown.split("\n", LINE_LIMIT)
    if len(lines) > LINE_LIMIT:
        shown = "\n".join(lines[:LINE_LIMIT])
    left_out = text.count("\n", len(shown)) + (not text.startswith("\n", len(shown)))
    return Code(
        show_hidden(shown),
        _language(info),
        left_out if len(shown) < len(text) else 0,
        place,
    )


def _language(info: str) -> str:
    words = info.split(maxsplit=1)
    return show_hidden(words[0])[:_NAME_LIMIT] if words else ""
