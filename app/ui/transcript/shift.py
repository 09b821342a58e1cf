"""Scrolling by moving what is painted already, so that only the new strip is painted."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from app.ui.transcript.layout import Placed

Places = Mapping[str, tuple[int, int]]


def places_of(placed: Sequence[Placed]) -> Places:
    """Return the top and height of each row."""
    return {row.key: (row.top, row.row.height) for row in placed}


def common_way(before: Places, after: Places) -> int | None:
    """Return how far all rows moved down, or None when they did not move as one."""
    both = before.keys() & after.keys()
    ways = {after[key][0] - before[key][0] for key in both}
    has_same_heights = all(after[key][1] == before[key][1] for key in both)
    return ways.pop() if len(ways) == 1 and has_same_heights else None


def shift(window: QWidget, way: int, floating: QRect) -> None:
    """Move the picture of a window; what floats above it neither goes along nor leaves traces."""
    window.scroll(0, way, window.rect())
    window.update(floating.united(floating.translated(0, way)))
