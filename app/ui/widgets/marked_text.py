"""Paint untrusted text on a few lines, with the hits of a search in bold."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from app.store.search_terms import Marks
from app.ui.widgets.fonts import Weight
from app.ui.widgets.labels import LINE_LIMIT, title_pieces

_ELLIPSIS: Final = "…"


def shown_text(text: str, marks: Marks) -> tuple[str, Marks]:
    """Return the text with nothing hidden in it, and where its marks are then."""
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    length = at = 0
    text = text[:LINE_LIMIT]
    for first, last in (*marks, (len(text), len(text))):
        between, marked = "".join(title_pieces(text[at:first])), ""
        if first < len(text):
            marked = "".join(title_pieces(text[first:last]))
            places.append((length + len(between), length + len(between) + len(marked)))
        pieces += (between, marked)
        length += len(between) + len(marked)
        at = max(at, last)
    return "".join(pieces), tuple(places)


@dataclass(frozen=True, slots=True)
class MarkedPen:
    """What marked text is written with."""

    font: QFont
    color: QColor
    mark_color: QColor

    def line_height(self) -> float:
        """Return the height of a line with the room around it."""
        metrics = QFontMetricsF(self.font)
        return metrics.ascent() * 1.64


class MarkedText:
    """Text broken into at most `max_lines` of a width; an ellipsis ends what does not fit."""

    def __init__(
        self, text: str, marks: Marks, pen: MarkedPen, width: float, max_lines: int = 1
    ) -> None:
        self._pen = pen
        self._width = width
        self._lines = self._broken(*shown_text(text, marks), max_lines)

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self._lines) * self._pen.line_height()

    def draw(self, painter: QPainter, at: QPointF) -> None:
        """Draw the lines downwards from `at`."""
        painter.setPen(self._pen.color)
        height = self._pen.line_height()
        for number, line in enumerate(self._lines):
            inset = (height - line.boundingRect().height()) / 2
            line.draw(painter, QPointF(at.x(), at.y() + number * height + inset))

    def _broken(self, text: str, marks: Marks, max_lines: int) -> list[QTextLayout]:
        lines: list[QTextLayout] = []
        while text and len(lines) < max_lines - 1:
            # Keep a reference to the layout: a QTextLine is invalid once its layout is deleted.
            whole = self._laid_out(text, marks, self._width)
            end = whole.lineAt(0).textLength()
            lines.append(self._laid_out(text[:end], marks, self._width))
            text, marks = text[end:], _moved(marks, -end)
        if text:
            lines.append(self._elided(text, marks))
        return lines

    def _elided(self, text: str, marks: Marks) -> QTextLayout:
        layout = self._laid_out(text, marks)
        fits, too_much = 0, len(text) + 1
        while layout.lineAt(0).naturalTextWidth() > self._width and too_much - fits > 1:
            # By halves: where text runs from right to left, no width tells how much of it fits.
            middle = (fits + too_much) // 2
            tried = self._laid_out(text[:middle].rstrip() + _ELLIPSIS, marks)
            if tried.lineAt(0).naturalTextWidth() <= self._width:
                fits = middle
            else:
                too_much = middle
        if fits or too_much <= len(text):
            return self._laid_out(text[:fits].rstrip() + _ELLIPSIS, marks)
        return layout

    def _laid_out(self, text: str, marks: Marks, width: float = 1e6) -> QTextLayout:
        layout = QTextLayout(text, self._pen.font)
        # A word that is wider than a line is broken.
        layout.setTextOption(_wrapping())
        layout.setFormats([self._format(first, last) for first, last in marks if last > 0])
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(width)
        layout.endLayout()
        return layout

    def _format(self, first: int, last: int) -> QTextLayout.FormatRange:
        marked = QTextLayout.FormatRange()
        marked.start, marked.length = max(first, 0), last - max(first, 0)
        look = QTextCharFormat()
        look.setFontWeight(Weight.Bold)
        look.setForeground(self._pen.mark_color)
        marked.format = look
        return marked


def _wrapping() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _moved(marks: Marks, by: int) -> Marks:
    return tuple((first + by, last + by) for first, last in marks)
