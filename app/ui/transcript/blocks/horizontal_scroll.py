"""`HorizontalScroll` scrolls a text that is wider than its block, and draws the bar."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app.ui.transcript.painting import TranscriptStyle

BAR_PX: Final = 12
"""The height of the bar; the handle in its middle is thinner."""

_THIN_PX: Final = 4
_SHORTEST_PX: Final = 28
# The margin around what is revealed.
_MARGIN_PX: Final = 24


class HorizontalScroll:
    """The horizontal scroll position of a text, in coordinates of its block.

    Made by a piece; ends with it.
    """

    def __init__(self) -> None:
        self._left = 0.0
        self._room = 0.0
        self._content = 0.0
        self._offset = 0.0
        self._grab_x = 0.0

    def fit(self, left: float, room: float, content: float, *, begins_right: bool = False) -> None:
        """Set the widths of text and block; a text that begins on the right shows its right end."""
        stays_right = begins_right and self._offset >= self.maximum
        self._left, self._room, self._content = left, room, content
        self._offset = self.maximum if stays_right else min(self._offset, self.maximum)

    @property
    def maximum(self) -> float:
        """The greatest scroll position; 0 if the text fits."""
        return max(0.0, float(round(self._content - self._room)))

    @property
    def can_move(self) -> bool:
        """Whether the text is wider than its block."""
        return self.maximum > 0

    @property
    def content(self) -> float:
        """The width at which the text is laid out."""
        return max(self._content, self._room)

    @property
    def room(self) -> float:
        """The width in which the text is visible."""
        return self._room

    @property
    def text_left(self) -> float:
        """The left edge of the text: left of its block, when it is scrolled."""
        return self._left - self._offset

    def move(self, by: float) -> None:
        """Scroll by so many pixels, towards the end of the lines when `by` is positive."""
        # Whole pixels, since letters between two of them are blurred.
        self._offset = min(max(0.0, float(round(self._offset + by))), self.maximum)

    def reveal(self, box: QRectF, window: QRectF) -> None:
        """Scroll so that `box` of the text is visible in `window`; rather its beginning."""
        margin = min(_MARGIN_PX, self._room / 4)
        over = max(0.0, box.right() - window.right())
        short = min(0.0, box.left() - over - window.left())
        self.move(over + (margin if over else 0.0) + short - (margin if short else 0.0))

    def press(self, x: float) -> None:
        """Begin to drag the handle at `x` of the bar, where it jumps first if it is elsewhere."""
        left, width = self._handle()
        if not left <= x <= left + width:
            self._grab_x = width / 2
            self.drag(x)
            left, _ = self._handle()
        self._grab_x = x - left

    def drag(self, x: float) -> None:
        """Drag the handle to `x` of the bar."""
        _, width = self._handle()
        track_px = max(1.0, self._room - width)
        self.move((x - self._grab_x) * self.maximum / track_px - self._offset)

    def bar(self, top: float) -> QRectF:
        """Return the box of the bar, which begins at `top`."""
        return QRectF(self._left, top, self._room, BAR_PX)

    def paint_bar(
        self, painter: QPainter, style: TranscriptStyle, origin: QPointF, top: float
    ) -> None:
        """Draw the handle, if the text can be scrolled."""
        if not self.can_move:
            return
        left, width = self._handle()
        place = self.bar(top).translated(origin)
        thin = QRectF(place.left() + left, place.center().y() - _THIN_PX / 2, width, _THIN_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.color("ink-3"))
        painter.drawRoundedRect(thin, _THIN_PX / 2, _THIN_PX / 2)

    def _handle(self) -> tuple[float, float]:
        """Return the left edge and the width of the handle on the bar."""
        if not self.can_move:
            return 0.0, self._room
        width = min(self._room, max(_SHORTEST_PX, self._room * self._room / self._content))
        return (self._room - width) * self._offset / self.maximum, width
