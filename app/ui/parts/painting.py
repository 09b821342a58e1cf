"""Text in rows that delegates paint: one line with an ellipsis, or a paragraph."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QWidget

# Of the height that letters reach above the line.
_LINE_HEIGHT: Final = 1.64
_START: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_END: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Pen:
    """What text is written with."""

    font: QFont
    color: QColor

    def line_height(self) -> float:
        """The height of a line with the room around it."""
        return QFontMetricsF(self.font).ascent() * _LINE_HEIGHT

    def width_of(self, text: str) -> float:
        """The width that the text needs on one line."""
        return QFontMetricsF(self.font).horizontalAdvance(text)

    def write(self, painter: QPainter, room: QRectF, text: str) -> None:
        """Write one line from the left, with an ellipsis for what does not fit."""
        self._write(painter, room, text, _START)

    def write_at_end(self, painter: QPainter, room: QRectF, text: str) -> None:
        """Write one line that ends at the right."""
        self._write(painter, room, text, _END)

    def _write(
        self, painter: QPainter, room: QRectF, text: str, alignment: Qt.AlignmentFlag
    ) -> None:
        metrics = QFontMetricsF(self.font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.setFont(self.font)
        painter.setPen(self.color)
        painter.drawText(room, int(alignment | Qt.TextFlag.TextSingleLine), shown)


def paint_focus_ring(widget: QWidget, color: QColor, radius_px: float, width_px: int = 2) -> None:
    """Draw that the keyboard is in `widget`, just inside its edge; only while it paints itself."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, width_px))
    inside = width_px / 2
    ring = QRectF(widget.rect()).adjusted(inside, inside, -inside, -inside)
    painter.drawRoundedRect(ring, radius_px, radius_px)


class Paragraph:
    """Text broken into lines of a width, at most `max_lines` of them; the last may be cut."""

    def __init__(self, text: str, pen: Pen, width: float, max_lines: int) -> None:
        self._pen = pen
        self._lines = _break(text, pen, width, max_lines)

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self._lines) * self._pen.line_height()

    def write(self, painter: QPainter, at: QPointF, width: float) -> None:
        """Write the lines downwards from `at`."""
        for number, line in enumerate(self._lines):
            top = at.y() + number * self._pen.line_height()
            self._pen.write(painter, QRectF(at.x(), top, width, self._pen.line_height()), line)


def _break(text: str, pen: Pen, width: float, max_lines: int) -> list[str]:
    layout = QTextLayout(text, pen.font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) < max_lines and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        is_last = len(lines) == max_lines - 1
        end = None if is_last else line.textStart() + line.textLength()
        lines.append(_part(text, line.textStart(), end).strip())
    layout.endLayout()
    return lines


def _part(text: str, start: int, end: int | None) -> str:
    """Cut by positions of Qt, which counts pictograms and rare letters as two."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * start : None if end is None else 2 * end].decode("utf-16-le", "surrogatepass")
