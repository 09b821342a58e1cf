"""Rows with a single run of words that can be marked and copied."""

from abc import abstractmethod

from PySide6.QtCore import QPointF

from app.ui.transcript.placed_box import PlacedBox
from app.ui.transcript.row import Row
from app.ui.transcript.spots import Selected, Span, Spot
from app.ui.transcript.text_box import TextBox


class BoxRow(Row):
    """A row whose words are in one box. Its places are all in piece 0."""

    _box: TextBox

    @property
    @abstractmethod
    def _text_origin(self) -> QPointF:
        """The top left corner of the words."""

    def spot_at(self, point: QPointF) -> Spot | None:
        """Return the place nearest to `point`."""
        return Spot(0, self._box.position_at(point - self._text_origin))

    @property
    def piece_count(self) -> int:
        """The words are one piece."""
        return 1

    def box_of(self, _piece: int) -> PlacedBox | None:
        """Return the words."""
        return PlacedBox(self._text_origin, self._box)

    def word_at(self, spot: Spot) -> Selected | None:
        """Return the word around a place."""
        word = self._box.word_at(spot.position)
        return Selected(Spot(0, word.first), Spot(0, word.last))

    def all_selected(self) -> Selected | None:
        """Return all words."""
        return Selected(Spot(0, 0), Spot(0, self._box.length))

    def text(self, selected: Selected) -> str:
        """Return what is marked."""
        span = selected.span_in(0, self._box.length)
        return self._box.text(span) if span else ""

    @property
    def shown_text(self) -> str:
        """The words as they are shown now."""
        return self._box.text(Span(0, self._box.length))
