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
class Place:
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
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Table:
    """A table of `rows` rows with its head."""

    html: SafeHtml
    rows: int
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Code:
    """Code in a language, as it is shown; `left_out` counts the lines that are not."""

    text: str
    language: str = ""
    left_out: int = 0
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""

    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that stands alone, as LaTeX."""

    source: str
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Says that `count` characters of the block above, or of the whole text, are not shown."""

    count: int
    place: Place = Place()


Block = Prose | Table | Code | Rule | Formula | LeftOut
