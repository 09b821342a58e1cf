"""The text of a table: a line for each row, a tab between cells."""

from PySide6.QtGui import QTextTable, QTextTableCell

from app.ui.transcript.spots import Span
from app.ui.transcript.text_box import TextBox


def table_text(box: TextBox, span: Span) -> str:
    """Return the characters of the table in `box`, as a person reads them."""
    frame = next(iter(box.document.rootFrame().childFrames()), None)
    if not isinstance(frame, QTextTable):
        return box.text(span)
    rows = [
        [_cell_text(box, frame.cellAt(row, column), span) for column in range(frame.columns())]
        for row in range(frame.rows())
    ]
    cells = ([cell for cell in row if cell is not None] for row in rows)
    return "\n".join("\t".join(row) for row in cells if row)


def _cell_text(box: TextBox, cell: QTextTableCell, span: Span) -> str | None:
    first = max(span.first, cell.firstCursorPosition().position())
    last = min(span.last, cell.lastCursorPosition().position())
    return box.text(Span(first, last)) if first <= last else None
