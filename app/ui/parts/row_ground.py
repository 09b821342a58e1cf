"""What a row that a delegate paints stands on: its colour, and the frame of the keyboard.

Both functions take the state of the row's option: what is selected or pointed at is filled, and
what has the keyboard framed. Where one of them is not to show, the caller takes it away.
"""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen
from PySide6.QtWidgets import QStyle

from app.ui.theme import Theme

POINTED_AT: Final = QStyle.StateFlag.State_MouseOver
_HERE: Final = QStyle.StateFlag.State_HasFocus
_FILLED: Final = QStyle.StateFlag.State_Selected | POINTED_AT
_RADIUS_PX: Final = 8
_FRAME_PX: Final = 2


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
        fill = QBrush(theme.color("selection")) if state & _FILLED else QBrush()
    if fill.style() is not Qt.BrushStyle.NoBrush:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(room, radius, radius)
    if state & _HERE:
        _take_frame(painter, theme)
        painter.drawRoundedRect(room.adjusted(1, 1, -1, -1), radius - 1, radius - 1)


def paint_flat_ground(
    painter: QPainter, rect: QRectF, theme: Theme, state: QStyle.StateFlag
) -> None:
    """Paint the ground of a row as wide as its list, and the line under it."""
    if state & (_FILLED | _HERE):
        painter.fillRect(rect, theme.color("selection"))
    painter.setPen(QPen(theme.color("line"), 1))
    below = rect.bottom() - 0.5
    painter.drawLine(QPointF(rect.left(), below), QPointF(rect.right(), below))
    if state & _HERE:
        _take_frame(painter, theme)
        painter.drawRect(rect.adjusted(1, 1, -2, -3))


def _take_frame(painter: QPainter, theme: Theme) -> None:
    painter.setPen(QPen(theme.color("accent"), _FRAME_PX))
    painter.setBrush(Qt.BrushStyle.NoBrush)
