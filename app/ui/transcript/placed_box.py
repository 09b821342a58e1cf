"""A text of a row, where it stands in it, and where its letters are."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from app.ui.transcript.decoration import boxes_in, x_in_line
from app.ui.transcript.spots import Span
from app.ui.transcript.text_box import TextBox


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A text, and its top left corner in the measures of the row.

    Of a text that is wider than its block only what lies inside `window` is seen.
    """

    origin: QPointF
    box: TextBox
    window: QRectF | None = None

    def moved(self, x: float, y: float) -> "PlacedBox":
        """Return the same text in the measures of what the row stands in."""
        window = self.window.translated(x, y) if self.window else None
        return PlacedBox(self.origin + QPointF(x, y), self.box, window)

    def boxes(self, span: Span) -> list[QRectF]:
        """Return where the letters of a span are seen, line by line."""
        document = self.box.document
        found: list[QRectF] = []
        block = document.findBlock(span.first)
        while block.isValid() and block.position() < span.last:
            end = block.position() + block.length() - 1
            found += boxes_in(document, max(span.first, block.position()), min(span.last, end))
            block = block.next()
        placed = [self._in_row(box) for box in found]
        if self.window is None:
            return placed
        seen = [box.intersected(self.window) for box in placed]
        return [box for box in seen if not box.isEmpty()]

    def shows(self, caret: QRectF) -> bool:
        """Tell whether a caret is seen."""
        return self.window is None or self.window.left() <= caret.x() <= self.window.right()

    def caret(self, position: int) -> QRectF:
        """Return where a caret before a position stands; it has no width."""
        document = self.box.document
        inside = min(position, self.box.length)
        block = document.findBlock(inside)
        line = block.layout().lineForTextPosition(inside - block.position())
        if not line.isValid():
            return self.box.end_box(inside).translated(self.origin)
        place = document.documentLayout().blockBoundingRect(block)
        left = place.left() + x_in_line(line, inside - block.position())
        return self._in_row(QRectF(left, place.top() + line.y(), 0, line.height()))

    def paragraph_at(self, position: int) -> Span:
        """Return the paragraph, or the line of code, around a position."""
        block = self.box.document.findBlock(min(position, self.box.length))
        return Span(block.position(), block.position() + block.length() - 1)

    def _in_row(self, box: QRectF) -> QRectF:
        return box.translated(self.origin.x(), self.origin.y() - self.box.rise)
