"""An icon that stands beside something and does nothing."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.parts.scaling import hold_size
from app.ui.parts.tokens import Token
from app.ui.theme import Theme


class IconLabel(QWidget):
    """Draws the icon in the colour of `ink`, whatever the theme. Made by what it stands in."""

    def __init__(self, icon: str, theme: Theme, ink: Token = "ink-2", side_px: int = 16) -> None:
        super().__init__()
        self._icon = icon
        self._theme = theme
        self._ink: Token = ink
        hold_size(self, width_px=side_px, height_px=side_px)
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the icon."""
        ratio = self.devicePixelRatioF()
        pixmap = self._theme.pixmap(self._icon, self._ink, self.width(), ratio)
        QPainter(self).drawPixmap(0, 0, pixmap)
