"""These functions make the surfaces that widgets stand on: grounds, hairlines and cards.

`RoundedFrame` is a surface with round corners and a hairline, in colours of the theme. `stack`
lays parts out below each other, from edge to edge of what they stand in.
"""

from typing import Final, Literal

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QFrame, QLayout, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.stylesheet import Token


class RoundedFrame(QFrame):
    """Draws its ground, then a band of another colour at the top if it has one, then its line.

    Children keep to the inside of the line. Made by the widget it is the surface of.
    """

    def __init__(
        self,
        theme: Theme,
        radius: int,
        *,
        ground: Token = "bg",
        line: Token = "line",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._radius = radius
        self._ground: Token = ground
        self._line: Token = line
        self._band: tuple[Token, int] | None = None
        theme.changed.connect(self.update)

    def set_line(self, line: Token) -> None:
        """Draw the hairline in another colour."""
        self._line = line
        self.update()

    def set_band(self, ground: Token, height: int) -> None:
        """Give the top `height` pixels a ground of their own."""
        self._band = (ground, height)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the surface."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        radius = self._theme.px(self._radius)
        path.addRoundedRect(self._edge(), radius, radius)
        painter.fillPath(path, self._theme.color(self._ground))
        if self._band is not None:
            token, height = self._band
            painter.setClipPath(path)
            painter.fillRect(QRectF(0, 0, self.width(), height), self._theme.color(token))
            painter.setClipping(False)
        painter.setPen(QPen(self._theme.color(self._line), 1))
        painter.drawPath(path)

    def _edge(self) -> QRectF:
        # A hairline lies in the middle of a pixel, so that it is one pixel wide.
        return QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)


def stack(whole: QWidget, spacing_px: int, *parts: QWidget | QLayout) -> QVBoxLayout:
    """Lay the parts out in `whole` from its top; more can be added to what is returned."""
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(spacing_px)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return column


Surface = Literal["bg", "side", "panel", "line"]
CardKind = Literal["plain", "row", "chosen", "warn", "bad"]

HEADER_HEIGHT_PX: Final = 52


def set_surface(widget: QWidget, surface: Surface) -> None:
    """Fill the widget with this colour of the theme."""
    widget.setProperty("surface", surface)
    # Without it, a subclass of QWidget draws no background from the style sheet.
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def set_card(frame: QFrame, kind: CardKind) -> None:
    """Draw the frame as a card of this kind."""
    if frame.property("card") != kind:
        frame.setProperty("card", kind)
        frame.style().unpolish(frame)
        frame.style().polish(frame)


def cut_corners(window: QWidget, radius: int) -> None:
    """Cut the corners off a window, as large as it is now.

    X11 may run without a compositor, where transparent corners would be black.
    """
    path = QPainterPath()
    path.addRoundedRect(QRectF(window.rect()), radius, radius)
    window.setMask(QRegion(path.toFillPolygon().toPolygon()))


def hairline() -> QFrame:
    """Make a line of one pixel from left to right."""
    line = QFrame()
    line.setFixedHeight(1)
    set_surface(line, "line")
    return line


def upright_hairline(parent: QWidget) -> QFrame:
    """Make a line of one pixel from top to bottom."""
    line = QFrame(parent)
    line.setFixedWidth(1)
    set_surface(line, "line")
    return line
