"""The text of a table, a line for each row and a tab between cells, and where it ends."""

from PySide6.QtGui import QTextTable, QTextTableCell

from app.ui.transcript.spots import Span
from app.ui.transcript.text_box import TextBox


def table_text(box: TextBox, span: Span) -> str:
    """Return the characters of the table in `box`, as a person reads them."""
    table = _find_table(box)
    if table is None:
        return box.text(span)
    rows = [
        [_cell_text(box, table.cellAt(row, column), span) for column in range(table.columns())]
        for row in range(table.rows())
    ]
    cells = ([cell for cell in row if cell is not None] for row in rows)
    return "\n".join("\t".join(row) for row in cells if row)


def last_position(box: TextBox) -> int | None:
    """Return the last position inside the table, where it grows."""
    table = _find_table(box)
    return table.lastPosition() if table else None


def _find_table(box: TextBox) -> QTextTable | None:
    frame = next(iter(box.document.rootFrame().childFrames()), None)
    return frame if isinstance(frame, QTextTable) else None


def _cell_text(box: TextBox, cell: QTextTableCell, span: Span) -> str | None:
    first = max(span.first, cell.firstCursorPosition().position())
    last = min(span.last, cell.lastCursorPosition().position())
    return box.text(Span(first, last)) if first <= last else None
