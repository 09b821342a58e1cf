"""Icons: line drawings in SVG, drawn in the colour that is asked for."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_ICON_SIZES_PX: Final = (16, 18, 20, 24)
_APP_ICON_SIZES_PX: Final = (16, 24, 32, 48, 64, 128, 256)
_RATIOS: Final = (1.0, 1.5, 2.0, 3.0)
# The drawings are made for 24 px; at our sizes their lines would look heavy.
_DRAWN_STROKE: Final = b'stroke-width="2"'
_OUR_STROKE: Final = b'stroke-width="1.75"'


class Icons:
    """Draws the icons in a folder, and remembers what was drawn.

    One for the run; ends before the application does, since it holds pixmaps.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._drawn: dict[tuple[str, str, int, float], QPixmap] = {}
        self._drawings: dict[tuple[str, str], QSvgRenderer] = {}
        self._icons: dict[tuple[str, str, str, float], QIcon] = {}

    def pixmap(self, name: str, color: QColor, size_px: int, ratio: float = 1.0) -> QPixmap:
        """Draw the icon `size_px` wide and high, for a screen of this device pixel ratio."""
        key = (name, color.name(QColor.NameFormat.HexArgb), size_px, ratio)
        if key not in self._drawn:
            self._drawn[key] = self._draw(name, color, size_px, ratio)
        return self._drawn[key]

    def icon(self, name: str, color: QColor, disabled_color: QColor, scale: float) -> QIcon:
        """Return an icon for buttons and menus, sharp on every screen, in this scale's sizes."""
        key = (name, color.name(), disabled_color.name(), scale)
        if key not in self._icons:
            self._icons[key] = self._make_icon(name, color, disabled_color, scale)
        return self._icons[key]

    def _make_icon(self, name: str, color: QColor, disabled_color: QColor, scale: float) -> QIcon:
        icon = QIcon()
        # Qt draws an icon smaller than its pictures, never larger.
        for size_px in (round(size * scale) for size in _ICON_SIZES_PX):
            for ratio in _RATIOS:
                icon.addPixmap(self.pixmap(name, color, size_px, ratio))
                icon.addPixmap(
                    self.pixmap(name, disabled_color, size_px, ratio), QIcon.Mode.Disabled
                )
        return icon

    def app_icon(self) -> QIcon:
        """Return the program's own icon, in its own colours."""
        icon = QIcon()
        for size_px in _APP_ICON_SIZES_PX:
            icon.addPixmap(self.app_pixmap(size_px))
        return icon

    def app_pixmap(self, size_px: int, ratio: float = 1.0) -> QPixmap:
        """Return the program's own icon as a picture."""
        return _render(self._drawing("parley", QColor()), size_px, ratio)

    def _draw(self, name: str, color: QColor, size_px: int, ratio: float) -> QPixmap:
        return _render(self._drawing(name, color), size_px, ratio)

    def _drawing(self, name: str, color: QColor) -> QSvgRenderer:
        """Read the drawing once for all the sizes that an icon comes in."""
        ink = color.name()
        if (name, ink) not in self._drawings:
            svg = (self._folder / f"{name}.svg").read_bytes()
            tinted = svg.replace(b"currentColor", ink.encode()).replace(_DRAWN_STROKE, _OUR_STROKE)
            self._drawings[name, ink] = QSvgRenderer(QByteArray(tinted))
        return self._drawings[name, ink]


def _render(drawing: QSvgRenderer, size_px: int, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(size_px * ratio), round(size_px * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    drawing.render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
