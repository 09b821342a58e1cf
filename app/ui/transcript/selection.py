"""What is marked in the transcript: text within one row, made by dragging or clicking."""

from dataclasses import dataclass

from app.ui.transcript.row import Row
from app.ui.transcript.spots import Selected, Spot


@dataclass(slots=True)
class Selection:
    """The marked text: where it was begun, and where it goes to.

    One for a view.
    """

    key: str = ""
    _begun: Selected | None = None
    _now: Selected | None = None

    def begin(self, key: str, spot: Spot) -> None:
        """Begin to mark in a row."""
        self.key = key
        self._begun = self._now = Selected(spot, spot)

    def take(self, key: str, selected: Selected | None) -> None:
        """Mark this; going on from here keeps it marked."""
        self.key = key
        self._begun = self._now = selected

    def go_to(self, spot: Spot) -> None:
        """Mark up to a place."""
        if self._begun:
            self._now = Selected(min(self._begun.first, spot), max(self._begun.last, spot))

    def clear(self) -> None:
        """Mark nothing."""
        self.key = ""
        self._begun = self._now = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is marked."""
        return self._now is None or self._now.first == self._now.last

    def in_row(self, key: str) -> Selected | None:
        """Return what is marked in a row."""
        return self._now if key == self.key and not self.is_empty else None

    def text(self, row: Row) -> str:
        """Return the marked text of the row that it is in."""
        return row.text(self._now) if self._now and not self.is_empty else ""
