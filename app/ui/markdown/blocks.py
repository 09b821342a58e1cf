"""What a text is made of once it is parsed: blocks to draw one below the other."""

from dataclasses import dataclass
from enum import Enum

from app.ui.markdown.safe_html import SafeHtml


class RailKind(Enum):
    """What a block stands in."""

    ITEM = "item"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Rail:
    """One level that a block is moved in by, outermost first.

    `marker` is what stands beside the first block of a list's item: "•", "3.", "[x]" or "[ ]".
    """

    kind: RailKind
    marker: str = ""


@dataclass(frozen=True, slots=True)
class BlockPosition:
    """Where a block stands.

    `shared` counts the rails that it has in common with the block before it; `is_tight` says that
    it follows that block as the next line would. `note` is the number of the note that begins
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
