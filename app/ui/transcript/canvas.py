"""`Canvas` paints the visible part of the transcript: background, rows, selection and search hits.

`blit_scroll` scrolls by moving what is painted already, so that only the new strip is painted;
`common_shift` says whether that is possible.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QRegion
from PySide6.QtWidgets import QWidget

from app.ui.theme import Theme
from app.ui.transcript.layout import PlacedRow, TranscriptLayout
from app.ui.transcript.navigation import Caret, InteractionState
from app.ui.transcript.painting import PaintContext
from app.ui.transcript.selection import SelectedText, TextRange

_CARET_PX: Final = 1.5
_BAR_PX: Final = 3
_BAR_GAP_PX: Final = 12
_FRAME_PX: Final = 2
_OVER: Final = QPainter.CompositionMode.CompositionMode_SourceOver
_DARKEN: Final = QPainter.CompositionMode.CompositionMode_Darken
_LIGHTEN: Final = QPainter.CompositionMode.CompositionMode_Lighten


class Canvas:
    """Paints the rows of a layout. One for a view."""

    def __init__(
        self, layout: TranscriptLayout, theme: Theme, interaction: InteractionState
    ) -> None:
        self._layout = layout
        self._theme = theme
        self._interaction = interaction
        self._caret = Caret(layout)
        self._last_foot = ""

    def paint(self, painter: QPainter, region: QRegion, *, has_focus: bool) -> None:
        """Paint each rectangle of a region on its own.

        The bounding rectangle of a strip at the top and a button at the bottom would be the whole
        viewport, although nothing between them has changed.
        """
        self._last_foot = self._layout.foot_at_end()
        for area in region:  # type: ignore[attr-defined]  # the stubs lack what regions can do
            painter.setClipRect(area)
            painter.fillRect(area, self._theme.color("bg"))
            for placed in self._layout.placed:
                # The bottom of a QRect is its last line of pixels, not the edge below it.
                if placed.top < area.bottom() + 1 and placed.top + placed.row.height > area.top():
                    self._paint_row(painter, placed, area, has_focus=has_focus)

    def _paint_row(
        self, painter: QPainter, placed: PlacedRow, area: QRect, *, has_focus: bool
    ) -> None:
        interaction = self._interaction
        painter.save()
        painter.translate(self._layout.column_left, placed.top)
        top, bottom = area.top() - placed.top, area.bottom() + 1 - placed.top
        focus = (
            interaction.focus.target if has_focus and placed.key == interaction.focus.key else None
        )
        selected = placed.row.part_of(interaction.selection.span, placed.index)
        done = interaction.feedback.in_row(placed.key)
        hover = interaction.hover
        is_hovered = placed.key == hover.key
        placed.row.paint(
            PaintContext(
                painter,
                top,
                bottom,
                selected,
                focus,
                done,
                hover.action if is_hovered else None,
                is_hovered
                or placed.key == self._last_foot
                or self._has_keyboard(placed, has_focus),
            )
        )
        self._paint_hits(painter, placed, top, bottom)
        if has_focus:
            self._paint_reader(painter, placed)
        painter.restore()

    def _has_keyboard(self, placed: PlacedRow, has_focus: bool) -> bool:
        interaction = self._interaction
        is_here = placed.index == interaction.current_message.index
        return has_focus and (is_here or placed.key == interaction.focus.key)

    def _paint_hits(self, painter: QPainter, placed: PlacedRow, top: float, bottom: float) -> None:
        """Colour the ground of the hits; letters stay as dark or light as they are."""
        finding = self._interaction.finding
        hits = finding.in_row(placed.index)
        if not hits:
            return
        ground, frame = self._theme.color("warn-line"), self._theme.color("warn")
        for number, hit in enumerate(hits):
            for box in boxes_of(placed, hit):
                if box.top() >= bottom or box.bottom() <= top:
                    continue
                painter.setCompositionMode(_LIGHTEN if self._theme.is_dark else _DARKEN)
                painter.fillRect(box, ground)
                painter.setCompositionMode(_OVER)
                if finding.is_current(placed.index, number):
                    painter.setPen(QPen(frame, _FRAME_PX))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(box)

    def _paint_reader(self, painter: QPainter, placed: PlacedRow) -> None:
        """Show where the keyboard is: a bar beside the message, and the caret."""
        if (
            placed.index == self._interaction.current_message.index
            and self._layout.column_left > _BAR_GAP_PX
        ):
            bar = QRectF(-_BAR_GAP_PX, 0, _BAR_PX, placed.row.height)
            painter.fillRect(bar, self._theme.color("accent"))
        anchor = self._interaction.selection.cursor
        if self._interaction.current_message.has_caret and anchor and anchor.row == placed.index:
            box = self._caret.seen_box(anchor)
            if box:
                line = QRectF(box.x(), box.top(), _CARET_PX, box.height())
                painter.fillRect(line, self._theme.color("ink"))


def boxes_of(placed: PlacedRow, selected: SelectedText) -> list[QRectF]:
    """Return the boxes of selected letters of a row, line by line."""
    found: list[QRectF] = []
    for piece in range(selected.first.piece, selected.last.piece + 1):
        if text := placed.row.text_box(piece):
            span = selected.span_in(piece, text.box.length)
            found += text.boxes(TextRange(span.first, span.last)) if span else []
    return found


Places = Mapping[str, tuple[int, int]]


def places_of(placed: Sequence[PlacedRow]) -> Places:
    """Return the top and height of each row."""
    return {row.key: (row.top, row.row.height) for row in placed}


def common_shift(before: Places, after: Places) -> int | None:
    """Return the pixels that all rows moved down, or None when they did not move as one."""
    both = before.keys() & after.keys()
    shifts = {after[key][0] - before[key][0] for key in both}
    has_same_heights = all(after[key][1] == before[key][1] for key in both)
    return shifts.pop() if len(shifts) == 1 and has_same_heights else None


def blit_scroll(window: QWidget, shift: int, floating: QRect) -> None:
    """Scroll the painted window, and repaint what floats above it."""
    window.scroll(0, shift, window.rect())
    # Its picture was moved along with the rest, while the button itself has stayed.
    window.update(floating.united(floating.translated(0, shift)))
