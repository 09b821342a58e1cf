"""An icon that stands beside something and does nothing."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.parts.tokens import Token
from app.ui.theme import Theme


class IconLabel(QWidget):
    """Draws the icon in the colour of `ink`, whatever the theme. Made by what it stands in."""

    def __init__(self, icon: str, theme: Theme, ink: Token = "ink-2", side_px: int = 16) -> None:
        super().__init__()
        self._icon = icon
        self._theme = theme
        self._ink: Token = ink
        self._side_px = side_px
        self._fit()
        theme.changed.connect(self._fit)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the icon."""
        ratio = self.devicePixelRatioF()
        pixmap = self._theme.pixmap(self._icon, self._ink, self.width(), ratio)
        QPainter(self).drawPixmap(0, 0, pixmap)

    def _fit(self) -> None:
        side = self._theme.px(self._side_px)
        self.setFixedSize(QSize(side, side))
        self.update()
