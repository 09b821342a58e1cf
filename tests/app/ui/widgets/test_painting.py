"""Text in rows: where a paragraph is broken, and what of it is written."""

from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from app.ui.widgets.painting import PaintedParagraph, Pen

_WORD = "\N{GRINNING FACE}" * 3


@dataclass(frozen=True)
class _Told(Pen):
    """Tells its lines instead of writing them."""

    lines: list[str] = field(default_factory=list)

    def write(self, painter: QPainter, room: QRectF, text: str) -> None:
        del painter, room
        self.lines.append(text)


@pytest.mark.usefixtures("qapp")
def test_a_paragraph_is_broken_between_words_of_pictograms() -> None:
    pen = _Told(QFont(), QColor("black"))
    text, width = " ".join([_WORD] * 6), pen.width_of(f"{_WORD} {_WORD} ") + 1

    PaintedParagraph(text, pen, width, max_lines=3).write(QPainter(), QPointF(), width)

    assert pen.lines == [f"{_WORD} {_WORD}"] * 3
