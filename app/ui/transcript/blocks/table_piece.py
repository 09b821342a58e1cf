"""`TablePiece` shows a table over the whole width, or wider than its block and scrolled sideways.

The functions read it from its document: `table_text` as text, a line for each row and a tab
between cells; `last_position`, its end; `wanted_width`, the width at which it is easy to read.
"""

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QTextTableCell

from app.ui.markdown.blocks import TableBlock
from app.ui.transcript.blocks.horizontal_scroll import BAR_PX, HorizontalScroll
from app.ui.transcript.blocks.pieces import TextPiece
from app.ui.transcript.blocks.text_box import TextBox
from app.ui.transcript.hit_targets import HitTarget, Scroll
from app.ui.transcript.paint_context import PaintContext
from app.ui.transcript.style import TranscriptStyle
from app.ui.transcript.text_positions import TextRange

# A column that holds more wraps its words, and is never narrower than this because of others.
_COLUMN_PX: Final = 200
_CELL_SIDE_PX: Final = 18
# More letters than a column can hold.
_MEASURED: Final = 60


def table_text(box: TextBox, span: TextRange) -> str:
    """Return the characters of the table in `box`, as a person reads them."""
    table = box.table
    if table is None:
        return box.text(span)
    rows = [
        [_cell_text(box, table.cellAt(row, column), span) for column in box.columns]
        for row in range(table.rows())
    ]
    cells = ([cell for cell in row if cell is not None] for row in rows)
    return "\n".join("\t".join(row) for row in cells if row)


def last_position(box: TextBox) -> int | None:
    """Return the last position inside the table, where it grows."""
    table = box.table
    if table is None:
        return None
    cell = table.cellAt(table.rows() - 1, box.columns[-1])
    return cell.lastCursorPosition().position()


def wanted_width(box: TextBox, look: TranscriptStyle) -> float:
    """Return the width at which each column of the table in `box` can be read with ease."""
    table = box.table
    if table is None:
        return 0.0
    letters, most = QFontMetricsF(look.bold), float(look.scaled(_COLUMN_PX))
    total = 0.0
    for column in range(table.columns()):
        words = (_words(table.cellAt(row, column)) for row in range(table.rows()))
        widest = max((letters.horizontalAdvance(text) for text in set(words)), default=0.0)
        total += min(most, widest) + look.scaled(_CELL_SIDE_PX)
    return total


def _words(cell: QTextTableCell) -> str:
    return cell.firstCursorPosition().block().text()[:_MEASURED]


def _cell_text(box: TextBox, cell: QTextTableCell, span: TextRange) -> str | None:
    first = max(span.first, cell.firstCursorPosition().position())
    last = min(span.last, cell.lastCursorPosition().position())
    return box.text(TextRange(first, last)) if first <= last else None


# So much less is no hardship for the columns, and better than a bar.
_SPARE_PX: Final = 24


class TablePiece(TextPiece[TableBlock]):
    """A table whose columns stay wide enough for words to be read."""

    def __init__(self, look: TranscriptStyle, block: TableBlock) -> None:
        super().__init__(look, block)
        self._slide = HorizontalScroll()
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

    def paint(self, brush: PaintContext, origin: QPointF, span: TextRange | None) -> None:
        """Draw what is seen of the table; the empty line before it is never marked."""
        cells = TextRange(max(1, span.first), span.last) if span else None
        painter = brush.painter
        super().paint(brush, origin, cells)
        self._slide.paint_bar(painter, self._look, origin, self._height)
        bar = self._bar().moved(origin.x(), origin.y())
        if brush.focus == bar:
            self._look.draw_focus(painter, bar.box)

    def text(self, span: TextRange) -> str:
        """Return the cells as they are shown, with tabs between them."""
        return table_text(self.box, span)

    def targets(self) -> list[HitTarget]:
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
    def slide(self) -> HorizontalScroll | None:
        """What moves the table sideways."""
        return self._slide if self._slide.can_move else None

    def _bar(self) -> HitTarget:
        name = QCoreApplication.translate("Transcript", "Scroll the table sideways")
        return HitTarget(Scroll(), self._slide.bar(self._height), name)
