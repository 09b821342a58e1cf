"""How far blocks of a reply stand apart."""

from typing import Final

from app.ui.markdown.blocks import Block, Code, Formula, LeftOut, Prose, Rule, Table

_TIGHT_PX: Final = 6
# Above and below.
_HEADING: Final = (16, 6)
_ROOM: Final[dict[type[Block], tuple[int, int]]] = {
    Prose: (0, 8),
    Table: (8, 14),
    Code: (8, 14),
    Rule: (12, 12),
    Formula: (6, 14),
    LeftOut: (6, 8),
}


def gap(before: Block, block: Block) -> int:
    """Return the room between a block and the one before it."""
    if block.place.is_tight and isinstance(before, Prose):
        return 0
    if before.place.shared and block.place.is_tight:
        return _TIGHT_PX
    return max(_room(before)[1], _room(block)[0])


def _room(block: Block) -> tuple[int, int]:
    if isinstance(block, Prose) and block.level:
        return _HEADING
    return _ROOM[type(block)]
