"""What rows, and the pieces in them, paint with."""

from dataclasses import dataclass, replace

from PySide6.QtGui import QPainter

from app.ui.transcript.hit_targets import Deed, HitTarget
from app.ui.transcript.text_positions import SelectedText, TextRange


@dataclass(frozen=True, slots=True)
class PaintContext:
    """A painter whose origin is a row's top left corner, and what is special just now.

    The visible band is from `top` to `bottom`. `focus` is what the keyboard is at, `done` what
    was done a moment ago, if that is in this row.
    """

    painter: QPainter
    top: float
    bottom: float
    selected: SelectedText | None = None
    focus: HitTarget | None = None
    done: Deed | None = None

    def span_in(self, piece: int, length: int) -> TextRange | None:
        """Return the selected part of a piece of `length` characters."""
        return self.selected.span_in(piece, length) if self.selected else None

    def lowered(self, by: float) -> "PaintContext":
        """Return the context in the measures of what begins `by` further down."""
        focus = self.focus.moved(0, -by) if self.focus else None
        return replace(self, top=self.top - by, bottom=self.bottom - by, focus=focus)
