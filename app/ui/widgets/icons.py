"""Icons: line drawings in SVG, drawn in the colour that is asked for."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_LARGEST_ICON_PX: Final = 24
# The two bubbles of the large drawing run into each other below this.
_SMALL_PX: Final = 20
_APP_ICON_SIZES_PX: Final = (16, 24, 32, 48, 64, 128, 256)
# The drawings are made for 24 px; at our sizes their lines would look heavy.
_DRAWN_STROKE: Final = b'stroke-width="2"'
_OUR_STROKE: Final = b'stroke-width="1.75"'


class DrawingEngine(QIconEngine):
    """Draws an icon when it is shown, in the size and for the screen where it is.

    Drawing every size for every screen in advance took a sixth of the time to open a window.
    """

    def __init__(self, draw: Callable[[int, float, QIcon.Mode], QPixmap], largest_px: int) -> None:
        super().__init__()
        self._draw = draw
        self._largest_px = largest_px

    def scaledPixmap(
        self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float
    ) -> QPixmap:
        """Return the icon for a screen of this `scale`, at most as large as it may be drawn."""
        del state
        return self._draw(self._side_px(size), scale, mode)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the icon for a screen without scaling."""
        return self.scaledPixmap(size, mode, state, 1.0)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        """Return the size that the icon is drawn in."""
        del mode, state
        side_px = self._side_px(size)
        return QSize(side_px, side_px)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the icon in the middle of `rect`."""
        ratio = painter.device().devicePixelRatio()
        drawn = QRect(QPoint(), self.actualSize(rect.size(), mode, state))
        drawn.moveCenter(rect.center())
        painter.drawPixmap(drawn, self.scaledPixmap(rect.size(), mode, state, ratio))

    def _side_px(self, size: QSize) -> int:
        return min(size.width(), size.height(), self._largest_px)


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
        def draw(size_px: int, ratio: float, mode: QIcon.Mode) -> QPixmap:
            is_disabled = mode is QIcon.Mode.Disabled
            return self.pixmap(name, disabled_color if is_disabled else color, size_px, ratio)

        return QIcon(DrawingEngine(draw, round(_LARGEST_ICON_PX * scale)))

    def app_icon(self) -> QIcon:
        """Return the program's own icon, in its own colours."""
        icon = QIcon()
        for size_px in _APP_ICON_SIZES_PX:
            icon.addPixmap(self.app_pixmap(size_px))
        return icon

    def app_pixmap(self, size_px: int, ratio: float = 1.0) -> QPixmap:
        """Return the program's own icon as a picture."""
        is_small = size_px * ratio <= _SMALL_PX
        name = "parley-small" if is_small else "parley"
        return _render(self._drawing(name, QColor()), size_px, ratio)

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
    # Only now: on a pixmap that has it, the painter scales what it draws.
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
