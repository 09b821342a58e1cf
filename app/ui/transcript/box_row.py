"""Rows with a single run of words that can be marked and copied."""

from app.ui.transcript.row import Row
from app.ui.transcript.spots import Selected, Span, Spot
from app.ui.transcript.text_box import TextBox


class BoxRow(Row):
    """A row whose words are in one box. Its places are all in piece 0."""

    _box: TextBox

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
