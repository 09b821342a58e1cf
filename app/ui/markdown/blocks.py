"""`Block` is one of the parts of a parsed text, to be drawn one below the other.

`make_code` and `cut_code` decide how much of a code block is shown, and how its language is named.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from app.ui.markdown.sanitize import SafeHtml, show_hidden
from app.ui.widgets.stylesheet import Token


class RailKind(Enum):
    """The kind of a level around a block."""

    ITEM = "item"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Rail:
    """One level of indentation around a block; a block lists its rails outermost first.

    `marker` is what stands beside the first block of a list's item: "•", "3.", "[x]" or "[ ]".
    """

    kind: RailKind
    marker: str = ""


@dataclass(frozen=True, slots=True)
class BlockPosition:
    """How a block is indented, and how it follows the block before it.

    `shared` counts the rails that it has in common with that block; with `is_tight` there is no
    more space between the two than between lines. `note` is the number of the footnote that begins
    with the block, or 0.
    """

    rails: tuple[Rail, ...] = ()
    shared: int = 0
    is_tight: bool = False
    note: int = 0


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, or a heading of `level` 1 to 6 (0: a paragraph)."""

    html: SafeHtml
    level: int = 0
    place: BlockPosition = BlockPosition()


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table of `rows` rows with its head."""

    html: SafeHtml
    rows: int
    place: BlockPosition = BlockPosition()


@dataclass(frozen=True, slots=True)
class Code:
    """Code in a language, as it is shown; `left_out` counts the lines that are not."""

    text: str
    language: str = ""
    left_out: int = 0
    place: BlockPosition = BlockPosition()


@dataclass(frozen=True, slots=True)
class HorizontalRule:
    """A line across."""

    place: BlockPosition = BlockPosition()


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that stands alone, as LaTeX."""

    source: str
    place: BlockPosition = BlockPosition()


@dataclass(frozen=True, slots=True)
class OmittedBlock:
    """Says that `count` characters of the block above, or of the whole text, are not shown."""

    count: int
    place: BlockPosition = BlockPosition()


Block = Prose | TableBlock | Code | HorizontalRule | Formula | OmittedBlock


LINE_LIMIT: Final = 2000
SIZE_LIMIT: Final = 64 * 1024
_NAME_LIMIT: Final = 40


def make_code(content: str, info: str, place: BlockPosition) -> Code:
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


@dataclass(frozen=True, slots=True)
class HighlightRange:
    """Characters of one line in the colour of a token."""

    start: int
    length: int
    ink: Token
