"""Tables whose text goes from right to left: their first column is the one on the right."""

import re
import unicodedata
from typing import Final

_TAG: Final = re.compile(r"<[^>]*>")
_ROW: Final = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL: Final = re.compile(r"<t([hd])[ >].*?</t\1>", re.DOTALL)
_STRONG: Final = frozenset({"L", "R", "AL"})


def begins_right_to_left(markup: str) -> bool:
    """Tell by the first letter that has a direction, as is done for a paragraph."""
    directions = map(unicodedata.bidirectional, _TAG.sub("", markup))
    return next((found for found in directions if found in _STRONG), "L") != "L"


def mirror_columns(markup: str) -> str:
    """Return a cleaned table with its columns in the other order.

    WORKAROUND Qt lays columns out from left to right, whatever direction a table has (6.11).
    """
    return _ROW.sub(lambda row: _mirrored(row[0]), markup)


def _mirrored(row: str) -> str:
    cells = "".join(cell[0] for cell in reversed(list(_CELL.finditer(row))))
    return f"<tr>{cells}</tr>"
