"""How much a click marks: a place between letters, a word, a paragraph."""

from enum import Enum

from PySide6.QtCore import QPointF

from app.ui.transcript.layout import Placed
from app.ui.transcript.selection import Place, Stretch
from app.ui.transcript.spots import Selected, Spot


class Unit(Enum):
    """What is marked at once."""

    LETTER = "letter"
    WORD = "word"
    PARAGRAPH = "paragraph"


def stretch_at(placed: Placed, point: QPointF, unit: Unit) -> Stretch | None:
    """Return what a click on a point of a row marks; None in a row without text."""
    row = placed.row
    spot = row.spot_at(point)
    if spot is None:
        return None
    selected: Selected | None = Selected(spot, spot)
    if unit is Unit.WORD:
        selected = row.word_at(spot)
    elif unit is Unit.PARAGRAPH:
        selected = _paragraph(placed, spot)
    return Stretch.within(placed.index, selected) if selected else None


def nearest_stretch(placed: Placed, point: QPointF, unit: Unit) -> Stretch:
    """Return the same; of a row without text its beginning."""
    here = Place(placed.index, Spot(0, 0))
    return stretch_at(placed, point, unit) or Stretch(here, here)


def _paragraph(placed: Placed, spot: Spot) -> Selected | None:
    text = placed.row.box_of(spot.piece)
    if text is None:
        return placed.row.all_selected()
    span = text.paragraph_at(spot.position)
    return Selected(Spot(spot.piece, span.first), Spot(spot.piece, span.last))
