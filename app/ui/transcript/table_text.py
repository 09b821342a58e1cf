"""The text of a table, a line for each row and a tab between cells; its end, and its width."""

from typing import Final

from PySide6.QtGui import QFontMetricsF, QTextTableCell

from app.ui.transcript.look import Look
from app.ui.transcript.spots import Span
from app.ui.transcript.text_box import TextBox

# A column that holds more wraps its words, and is never narrower than this because of others.
_COLUMN_PX: Final = 200
_CELL_SIDE_PX: Final = 18
# More letters than a column can hold.
_MEASURED: Final = 60


def table_text(box: TextBox, span: Span) -> str:
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


def wanted_width(box: TextBox, look: Look) -> float:
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


def _cell_text(box: TextBox, cell: QTextTableCell, span: Span) -> str | None:
    first = max(span.first, cell.firstCursorPosition().position())
    last = min(span.last, cell.lastCursorPosition().position())
    return box.text(Span(first, last)) if first <= last else None
