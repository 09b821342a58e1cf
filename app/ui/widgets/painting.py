"""These functions paint the rows of delegates: their text, their ground and the focus frame.

`PaintedParagraph` paints text as one line with an ellipsis, or as a paragraph.

`paint_round_ground` and `paint_flat_ground` take the state of the row's option: what is selected
or pointed at is filled, and what has the focus framed. To leave one of these out, the caller clears
that state in the option first.
"""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPen,
    QPixmap,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QWidget

from app.ui.theme import Theme
from app.ui.widgets.focus_ring import is_keyboard_used
from app.ui.widgets.stylesheet import Token
from local_tools.attached_file import ContentImage

# Times the ascent of the font.
_LINE_HEIGHT: Final = 1.64
_START: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_END: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Pen:
    """What text is written with."""

    font: QFont
    color: QColor

    def line_height(self) -> float:
        """Return the height of a line with the room around it."""
        return QFontMetricsF(self.font).ascent() * _LINE_HEIGHT

    def width_of(self, text: str) -> float:
        """Return the width that the text needs on one line."""
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


class PaintedParagraph:
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


POINTED_AT: Final = QStyle.StateFlag.State_MouseOver
_HERE: Final = QStyle.StateFlag.State_HasFocus
_SELECTED: Final = QStyle.StateFlag.State_Selected
_RADIUS_PX: Final = 8
_FRAME_PX: Final = 2
_HALF: Final = 0.5


def paint_round_ground(
    painter: QPainter,
    room: QRectF,
    theme: Theme,
    state: QStyle.StateFlag,
    fill: QBrush | None = None,
) -> None:
    """Paint the ground of a row that lies free; `fill` is one that the list has chosen itself."""
    radius = theme.px(_RADIUS_PX)
    if fill is None:
        ground = _ground(state)
        fill = QBrush(theme.color(ground)) if ground else QBrush()
    if fill.style() is not Qt.BrushStyle.NoBrush:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(room, radius, radius)
    if state & _HERE and is_keyboard_used():
        _take_frame(painter, theme)
        painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), radius - 1, radius - 1)


def _ground(state: QStyle.StateFlag) -> Token | None:
    """Return the colour of a row that is selected, or only under the pointer."""
    if state & _SELECTED:
        return "selection"
    return "hover" if state & POINTED_AT else None


def paint_flat_ground(
    painter: QPainter, rect: QRectF, theme: Theme, state: QStyle.StateFlag
) -> None:
    """Paint the ground of a row as wide as its list, and the line under it."""
    if ground := _ground(state | _SELECTED if state & _HERE else state):
        painter.fillRect(rect, theme.color(ground))
    painter.setPen(QPen(theme.color("line"), 1))
    below = rect.bottom() - 0.5
    painter.drawLine(QPointF(rect.left(), below), QPointF(rect.right(), below))
    if state & _HERE and is_keyboard_used():
        _take_frame(painter, theme)
        painter.drawRect(rect.adjusted(1, 1, -2, -3))


_KNOB_INSET_PX: Final = 3


def paint_switch(
    painter: QPainter, track: QRectF, theme: Theme, share: float, *, is_enabled: bool = True
) -> None:
    """Paint a switch whose knob has come this share of the way to "on"."""
    is_on = share >= _HALF
    painter.setPen(QPen(theme.color("accent" if is_on else "ink-3"), 1))
    off_ground: Token = "line-strong" if is_enabled else "line"
    painter.setBrush(theme.color("accent" if is_on else off_ground))
    painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
    side = track.height() - 2 * theme.px(_KNOB_INSET_PX)
    left = track.left() + theme.px(_KNOB_INSET_PX) + (track.width() - track.height()) * share
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("on-accent" if is_on else "bg"))
    painter.drawEllipse(QRectF(left, track.center().y() - side / 2, side, side))


def pixmap_of(drawn: ContentImage) -> QPixmap:
    """Return pixels that a worker has drawn, for the screen."""
    kind = QImage.Format.Format_RGBA8888
    image = QImage(drawn.data, drawn.width, drawn.height, 4 * drawn.width, kind)
    # A copy: QImage does not keep the bytes that it is made of.
    return QPixmap.fromImage(image)


def _take_frame(painter: QPainter, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("accent"), _FRAME_PX))
    painter.setBrush(Qt.BrushStyle.NoBrush)
