"""A surface with round corners and a hairline, in colours of the theme."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.parts.tokens import Token
from app.ui.theme import Theme


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
