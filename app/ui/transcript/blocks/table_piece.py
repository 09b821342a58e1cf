"""`TablePiece` shows a table, as wide as its columns want to be, in a text box of its own kind.

One whose text goes from right to left is mirrored, so that its first column is the one on the
right.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFontMetricsF,
    QTextTable,
    QTextTableCell,
)

from app.ui.markdown.blocks import TableBlock
from app.ui.markdown.sanitize import SafeHtml
from app.ui.transcript.blocks.horizontal_scroll import BAR_PX, HorizontalScroll
from app.ui.transcript.blocks.pieces import TextPiece
from app.ui.transcript.blocks.text_box import CODE_SHEET, TextBox
from app.ui.transcript.hit_targets import HitTarget, Scroll
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.selection import TextRange

# A column that holds more wraps its words, and is never narrower than this because of others.
_COLUMN_PX: Final = 200
_CELL_SIDE_PX: Final = 18
# More letters than a column can hold.
_MEASURED: Final = 60


class TableBox(TextBox):
    """The text box of one table; it copies cells with tabs between them.

    Made by a `TablePiece`, and dropped with it or when it is far from the viewport.
    """

    def __init__(self, style: TranscriptStyle) -> None:
        super().__init__(style, style.body, style.line_px)
        self._is_mirrored = False

    @property
    def is_mirrored(self) -> bool:
        """Whether the table begins on the right."""
        return self._is_mirrored

    def show_table(self, html: SafeHtml) -> None:
        """Show a table over the whole width, its first column where its text begins."""
        style, markup = self._style, str(html)
        self._is_mirrored = _begins_right_to_left(markup)
        if self._is_mirrored:
            markup = _mirror_columns(markup)
        above, between, below = style.scaled(3), style.scaled(14), style.scaled(5)
        sides = (0, below, between) if self._is_mirrored else (between, below, 0)
        self._document.setDefaultStyleSheet(
            f"th, td {{ border-bottom: 1px solid {style.color('line').name()};"
            f" padding: {above}px {sides[0]}px {sides[1]}px {sides[2]}px; }}"
            "th { font-weight: 600; text-align: left; }" + CODE_SHEET
        )
        self._show_markup(markup.replace("<table>", '<table cellspacing="0" width="100%">', 1))

    def text(self, span: TextRange) -> str:
        """Return the cells as a person reads them, with tabs between them."""
        table = self._table
        if table is None:
            return self._characters(span)
        rows = [
            [self._cell_text(table.cellAt(row, column), span) for column in self._columns]
            for row in range(table.rows())
        ]
        cells = ([cell for cell in row if cell is not None] for row in rows)
        return "\n".join("\t".join(row) for row in cells if row)

    def end_box(self) -> QRectF:
        """Return the box of a letter after the last one in the last cell."""
        table = self._table
        if table is None:
            return super().end_box()
        cell = table.cellAt(table.rows() - 1, self._columns[-1])
        return self.box_after(cell.lastCursorPosition().position())

    def wanted_width(self) -> float:
        """Return the width at which each column can be read with ease."""
        table, style = self._table, self._style
        if table is None:
            return 0.0
        letters, most = QFontMetricsF(style.bold), float(style.scaled(_COLUMN_PX))
        total = 0.0
        for column in range(table.columns()):
            words = (_words(table.cellAt(row, column)) for row in range(table.rows()))
            widest = max((letters.horizontalAdvance(text) for text in set(words)), default=0.0)
            total += min(most, widest) + style.scaled(_CELL_SIDE_PX)
        return total

    def _selection(self, span: TextRange) -> QAbstractTextDocumentLayout.Selection:
        # The empty line before the table is never selected.
        return super()._selection(TextRange(max(1, span.first), span.last))

    @property
    def _table(self) -> QTextTable | None:
        frame = next(iter(self._document.rootFrame().childFrames()), None)
        return frame if isinstance(frame, QTextTable) else None

    @property
    def _columns(self) -> Sequence[int]:
        """The numbers of the columns in the order of reading."""
        count = self._table.columns() if self._table else 0
        return range(count - 1, -1, -1) if self._is_mirrored else range(count)

    def _cell_text(self, cell: QTextTableCell, span: TextRange) -> str | None:
        first = max(span.first, cell.firstCursorPosition().position())
        last = min(span.last, cell.lastCursorPosition().position())
        return self._characters(TextRange(first, last)) if first <= last else None


def _words(cell: QTextTableCell) -> str:
    return cell.firstCursorPosition().block().text()[:_MEASURED]


# So much less is no hardship for the columns, and better than a bar.
_SPARE_PX: Final = 24


class TablePiece(TextPiece[TableBlock]):
    """Shows a table whose columns stay wide enough for words to be read."""

    _text_box: TableBox | None

    def __init__(self, style: TranscriptStyle, block: TableBlock) -> None:
        super().__init__(style, block)
        self._scroll = HorizontalScroll()
        self._height = 0

    def make_box(self) -> TableBox:
        """Make the table."""
        box = TableBox(self._style)
        box.show_table(self.block.html)
        return box

    def estimate(self) -> int:
        """Guess by the number of rows."""
        return self.block.rows * self._style.scaled(30)

    def measure(self, width: float) -> int:
        """Lay out as wide as the columns want to be, but never narrower than `width`."""
        self._width = width
        # Not laid out before it is known how wide: a large table takes a while.
        box = self._text_box = self._text_box or self.make_box()
        wanted = box.wanted_width()
        content = wanted if wanted > width + _SPARE_PX else width
        self._scroll.fit(0, width, content, begins_right=box.is_mirrored)
        self.box.set_width(self.text_width)
        self._height = round(self.box.height)
        return self._height + (BAR_PX if self._scroll.can_move else 0)

    def paint(self, context: PaintContext, origin: QPointF, span: TextRange | None) -> None:
        """Draw the visible part of the table, and the bar."""
        painter = context.painter
        super().paint(context, origin, span)
        self._scroll.paint_bar(painter, self._style, origin, self._height)
        bar = self._bar().moved(origin.x(), origin.y())
        if context.focus == bar:
            self._style.draw_focus(painter, bar.box)

    def targets(self) -> list[HitTarget]:
        """Return the links, and the bar."""
        return [*super().targets(), *([self._bar()] if self._scroll.can_move else [])]

    def end_box(self) -> QRectF:
        """Return the end of the last cell, or the end of the block if that is not visible."""
        box = super().end_box()
        box.moveLeft(min(box.left(), self._scroll.room))
        return box

    @property
    def text_left(self) -> float:
        """The left edge of the table: left of the block when it is scrolled."""
        return self._scroll.text_left

    @property
    def text_width(self) -> float:
        """The width that the columns want."""
        return self._scroll.content

    @property
    def window(self) -> QRectF | None:
        """The visible part of a table that is wider than the block."""
        room = QRectF(0, 0, self._scroll.room, self._height)
        return room if self._scroll.can_move else None

    @property
    def scroll(self) -> HorizontalScroll | None:
        """The horizontal scroll of a table that is wider than the block."""
        return self._scroll if self._scroll.can_move else None

    def _bar(self) -> HitTarget:
        name = QCoreApplication.translate("Transcript", "Scroll the table horizontally")
        return HitTarget(Scroll(), self._scroll.bar(self._height), name)


_TAG: Final = re.compile(r"<[^>]*>")
_ROW: Final = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL: Final = re.compile(r"<t([hd])[ >].*?</t\1>", re.DOTALL)
_STRONG: Final = frozenset({"L", "R", "AL"})


def _begins_right_to_left(markup: str) -> bool:
    """Return whether the first letter that has a direction goes from right to left."""
    directions = map(unicodedata.bidirectional, _TAG.sub("", markup))
    return next((found for found in directions if found in _STRONG), "L") != "L"


def _mirror_columns(markup: str) -> str:
    """Return a cleaned table with its columns in the other order.

    WORKAROUND Qt lays columns out from left to right, whatever direction a table has (6.11).
    """
    return _ROW.sub(lambda row: _mirrored(row[0]), markup)


def _mirrored(row: str) -> str:
    cells = "".join(cell[0] for cell in reversed(list(_CELL.finditer(row))))
    return f"<tr>{cells}</tr>"
