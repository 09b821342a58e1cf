"""Heaps of combining marks stay with their letters: nothing is painted over what stands around."""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from app.ui.markdown.blocks import Code, Prose, TableBlock
from app.ui.markdown.sanitize import SafeHtml
from app.ui.theme import Theme
from app.ui.transcript.blocks.code_piece import CodePiece, HighlightScheduler
from app.ui.transcript.blocks.pieces import ProsePiece
from app.ui.transcript.blocks.table_piece import TablePiece
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from tests.app.ui.transcript.conftest import Show
from tests.support.transcript_fixtures import Shown, replied

# Marks that fonts pile up below and above a letter.
_STORM = "".join(letter + "\u031f" * 30 + letter + "\u20d0" * 30 for letter in "storm")
_SIDE_PX = 400


def _piece(kind: str, style: TranscriptStyle) -> ProsePiece | CodePiece | TablePiece:
    if kind == "prose":
        return ProsePiece(style, Prose(SafeHtml(_STORM)))
    if kind == "table":
        cells = f"<table><tr><th>{_STORM}</th></tr><tr><td>{_STORM}</td></tr></table>"
        return TablePiece(style, TableBlock(SafeHtml(cells), 2))
    return CodePiece(style, Code(_STORM), HighlightScheduler(), 0)


@pytest.mark.security(77)
@pytest.mark.parametrize("kind", ["prose", "code", "table"])
def test_marks_do_not_leave_their_block(kind: str, theme: Theme) -> None:
    piece = _piece(kind, TranscriptStyle(theme))
    height = piece.measure(300)
    picture = QImage(_SIDE_PX, 2 * _SIDE_PX, QImage.Format.Format_RGB32)
    picture.fill(theme.color("bg"))
    painter = QPainter(picture)

    piece.paint(PaintContext(painter, 0, 2 * _SIDE_PX), QPointF(20, _SIDE_PX), None)
    painter.end()

    ground = theme.color("bg").rgb()
    outside = [*range(_SIDE_PX - 5), *range(_SIDE_PX + height + 5, 2 * _SIDE_PX)]
    assert all(picture.pixel(x, y) == ground for y in outside for x in range(20, 200))


@pytest.mark.security(77)
def test_lines_around_a_storm_look_as_they_do_without_it(show: Show) -> None:
    calm = show([replied("r", "above\n\nstorm\n\nbelow\n\n> quote")])
    shown = show([replied("r", f"above\n\n{_STORM}\n\nbelow\n\n> quote")])

    for line in ((0, 54), (86, 200)):
        assert _band(shown, *line) == _band(calm, *line)


def _band(shown: Shown, top: int, bottom: int) -> QImage:
    corner, end = shown.point("r", 0, top), shown.point("r", 400, bottom)
    picture = shown.view.viewport().grab().toImage()
    return picture.copy(corner.x(), corner.y(), end.x() - corner.x(), end.y() - corner.y())
