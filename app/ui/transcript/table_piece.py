"""A table: over the whole width, or wider than its block and moved sideways in it."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF

from app.ui.markdown.blocks import Table
from app.ui.transcript.brush import Brush
from app.ui.transcript.look import Look
from app.ui.transcript.pieces import TextPiece
from app.ui.transcript.slide import BAR_PX, Slide
from app.ui.transcript.spots import Span
from app.ui.transcript.table_text import last_position, table_text, wanted_width
from app.ui.transcript.targets import Scroll, Target
from app.ui.transcript.text_box import TextBox

# So much less is no hardship for the columns, and better than a bar.
_SPARE_PX: Final = 24


class TablePiece(TextPiece[Table]):
    """A table whose columns stay wide enough for words to be read."""

    def __init__(self, look: Look, block: Table) -> None:
        super().__init__(look, block)
        self._slide = Slide()
        self._height = 0

    def make_box(self) -> TextBox:
        """Make the table."""
        box = TextBox(self._look, self._look.body, self._look.line_px)
        box.show_table(self.block.html)
        return box

    def estimate(self) -> int:
        """Guess by the number of rows."""
        return self.block.rows * self._look.scaled(30)

    def measure(self, width: float) -> int:
        """Lay out as wide as the columns want to be, but never narrower than `width`."""
        self._width = width
        # Not laid out before it is known how wide: a large table takes a while.
        self._text_box = self._text_box or self.make_box()
        wanted = wanted_width(self._text_box, self._look)
        content = wanted if wanted > width + _SPARE_PX else width
        self._slide.fit(0, width, content, begins_right=self._text_box.is_mirrored)
        self.box.set_width(self.text_width)
        self._height = round(self.box.height)
        return self._height + (BAR_PX if self._slide.can_move else 0)

    def paint(self, brush: Brush, origin: QPointF, span: Span | None) -> None:
        """Draw what is seen of the table; the empty line before it is never marked."""
        cells = Span(max(1, span.first), span.last) if span else None
        painter = brush.painter
        super().paint(brush, origin, cells)
        self._slide.paint_bar(painter, self._look, origin, self._height)
        bar = self._bar().moved(origin.x(), origin.y())
        if brush.focus == bar:
            self._look.draw_focus(painter, bar.box)

    def text(self, span: Span) -> str:
        """Return the cells as they are shown, with tabs between them."""
        return table_text(self.box, span)

    def targets(self) -> list[Target]:
        """Return the links, and the bar."""
        return [*super().targets(), *([self._bar()] if self._slide.can_move else [])]

    def end_box(self) -> QRectF:
        """Return where the last cell goes on, or the end of the block if that is not seen."""
        box = self.box.end_box(last_position(self.box)).translated(self.text_left, 0)
        box.moveLeft(min(box.left(), self._slide.room))
        return box

    @property
    def text_left(self) -> float:
        """Left of the block, when the table is moved."""
        return self._slide.text_left

    @property
    def text_width(self) -> float:
        """As wide as the columns want to be."""
        return self._slide.content

    @property
    def window(self) -> QRectF | None:
        """What is seen of a table that is wider than the block."""
        room = QRectF(0, 0, self._slide.room, self._height)
        return room if self._slide.can_move else None

    @property
    def slide(self) -> Slide | None:
        """What moves the table sideways."""
        return self._slide if self._slide.can_move else None

    def _bar(self) -> Target:
        name = QCoreApplication.translate("Transcript", "Scroll the table sideways")
        return Target(Scroll(), self._slide.bar(self._height), name)
