"""The text of a code block: what is shown of it, and how it is named."""

from typing import Final

from app.ui.markdown.blocks import Code, Place
from app.ui.markdown.source import show_hidden

LINE_LIMIT: Final = 2000
SIZE_LIMIT: Final = 64 * 1024
_NAME_LIMIT: Final = 40


def make_code(content: str, info: str, place: Place) -> Code:
    """Make the block for `content`, cut to what can be drawn at once."""
    head = content.removesuffix("\n")
    shown = show_hidden(head[:SIZE_LIMIT])
    return cut_code(Code(shown, info, head.count("\n") + 1, place), is_cut=len(head) > SIZE_LIMIT)


def cut_code(code: Code, *, is_cut: bool) -> Code:
    """Return `code` cut to what can be drawn at once, under the name of its language.

    Its text is as it is shown, its language the words after the fence, and `left_out` the number
    of all lines; with `is_cut` the text was cut already.
    """
    shown = code.text[:SIZE_LIMIT]
    breaks = shown.count("\n")
    if breaks >= LINE_LIMIT:
        shown = "\n".join(shown.split("\n", LINE_LIMIT)[:LINE_LIMIT])
        return Code(shown, _language(code.language), code.left_out - LINE_LIMIT, code.place)
    left_out = code.left_out - breaks if is_cut or len(shown) < len(code.text) else 0
    return Code(shown, _language(code.language), left_out, code.place)


def _language(info: str) -> str:
    words = info.split(maxsplit=1)
    return show_hidden(words[0])[:_NAME_LIMIT] if words else ""
