"""`AttachmentTiles` draws the attachments of a message or result: images, and tiles for files."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainterPath, QPixmap

from app.chat.message_attachments import is_image
from app.store.records import StoredAttachment
from app.ui.transcript.hit_targets import HitTarget, OpenImage
from app.ui.transcript.painting import PaintContext
from app.ui.transcript.rows.row import RowContext
from app.ui.widgets.labels import one_line, short_name
from app.ui.widgets.painting import pixmap_of
from app.viewmodels.chat.attached_files import AttachmentChip, chip_of

_HEIGHT_PX: Final = 46
_GAP_PX: Final = 8
_SIDE_PX: Final = 10
_ICON_PX: Final = 20
_WIDEST_PX: Final = 260
_RADIUS_PX: Final = 10
# One image alone is drawn so high at most, each of several less.
_IMAGE_PX: Final = 360
_IMAGES_PX: Final = 160
_LEAST_PX: Final = 24


@dataclass(slots=True)
class _Tile:
    """One attachment, and where it is drawn; of an image also its pixels, once they are here."""

    item: StoredAttachment
    chip: AttachmentChip
    box: QRectF
    pixmap: QPixmap | None = None


class AttachmentTiles:
    """Tiles side by side, in as many lines as needed. Made by a row; ends with it."""

    def __init__(self, row_context: RowContext, *, is_beside_words: bool = False) -> None:
        """Make them; where they are beside the words of a call, even one image is small."""
        self._is_beside_words = is_beside_words
        self._style = row_context.style
        self._images = row_context.images
        self._tiles: list[_Tile] = []
        self.width = 0.0
        self.height = 0.0

    def show(self, attachments: Sequence[StoredAttachment]) -> None:
        """Set the files to show; call `fit` afterwards."""
        self._tiles = [_Tile(item, chip_of(item), QRectF()) for item in attachments]

    @property
    def words(self) -> str:
        """The names of the files, for screen readers."""
        chips = (tile.chip for tile in self._tiles)
        return "\n".join(f"{short_name(chip.name)} ({chip.details})" for chip in chips)

    def fit(self, room: float) -> None:
        """Lay out the tiles within a width; sets `width` and `height`, both 0 without tiles."""
        gap = self._style.scaled(_GAP_PX)
        left = top = line = 0.0
        for tile in self._tiles:
            width, height = self._size_of(tile, room)
            if left and left + width > room:
                left, top, line = 0.0, top + line + gap, 0.0
            tile.box = QRectF(left, top, width, height)
            left, line = left + width + gap, max(line, height)
        self.width = max((tile.box.right() for tile in self._tiles), default=0.0)
        self.height = max((tile.box.bottom() for tile in self._tiles), default=0.0)

    def paint(self, context: PaintContext, origin: QPointF) -> None:
        """Paint the tiles from this corner on."""
        for tile in self._tiles:
            box = tile.box.translated(origin)
            if self._is_drawn(tile):
                self._paint_image(context, tile, box)
            else:
                self._paint_tile(context, tile.chip, box)

    def targets(self, origin: QPointF) -> list[HitTarget]:
        """Return the clickable images, which open at a click."""
        name = QCoreApplication.translate("Transcript", "Open {0}")
        return [
            HitTarget(
                OpenImage(tile.item),
                tile.box.translated(origin),
                name.format(short_name(tile.chip.name)),
            )
            for tile in self._tiles
            if self._is_drawn(tile)
        ]

    def _is_drawn(self, tile: _Tile) -> bool:
        item = tile.item
        if self._images is None or not (is_image(item) and item.width and item.height):
            return False
        return not self._images.has_failed(item, self._most_pixels)

    def _size_of(self, tile: _Tile, room: float) -> tuple[float, float]:
        style, item = self._style, tile.item
        if not self._is_drawn(tile):
            return min(self._width_of(tile.chip), room), style.scaled(_HEIGHT_PX)
        is_alone = sum(is_image(other.item) for other in self._tiles) == 1
        is_alone = is_alone and not self._is_beside_words
        highest = style.scaled(_IMAGE_PX if is_alone else _IMAGES_PX)
        shrunk = min(1.0, highest / item.height, room / item.width)
        least = style.scaled(_LEAST_PX)
        return max(least, item.width * shrunk), max(least, item.height * shrunk)

    @property
    def _most_pixels(self) -> tuple[int, int]:
        """In which size images are asked for: as large as they are ever drawn here."""
        return (self._style.scaled(_IMAGE_PX) * 2, self._style.scaled(_IMAGE_PX))

    def _paint_image(self, context: PaintContext, tile: _Tile, box: QRectF) -> None:
        style, painter = self._style, context.painter
        if tile.pixmap is None and self._images is not None:
            drawn = self._images.pixels(tile.item, self._most_pixels)
            tile.pixmap = None if drawn is None else pixmap_of(drawn)
        if tile.pixmap is None:
            style.draw_panel(painter, box, "panel", "line", _RADIUS_PX)
            side = style.scaled(_ICON_PX)
            icon = QRectF(0, 0, side, side)
            icon.moveCenter(box.center())
            style.draw_icon(painter, "image", "ink-3", icon)
        else:
            path = QPainterPath()
            path.addRoundedRect(box, _RADIUS_PX, _RADIUS_PX)
            painter.save()
            painter.setRenderHint(painter.RenderHint.SmoothPixmapTransform)
            # Intersected, as the canvas has clipped to what is painted anew.
            painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
            painter.drawPixmap(box, tile.pixmap, QRectF(tile.pixmap.rect()))
            painter.restore()
        if context.focus and context.focus.action == OpenImage(tile.item):
            style.draw_focus(painter, box, _RADIUS_PX)

    def _width_of(self, chip: AttachmentChip) -> float:
        style = self._style
        name = QFontMetricsF(style.secondary_bold).horizontalAdvance(one_line(chip.name))
        details = QFontMetricsF(style.small).horizontalAdvance(chip.details)
        sides = style.scaled(3 * _SIDE_PX + _ICON_PX)
        return min(max(name, details) + sides + 1, style.scaled(_WIDEST_PX))

    def _paint_tile(self, context: PaintContext, chip: AttachmentChip, box: QRectF) -> None:
        style, painter = self._style, context.painter
        style.draw_panel(painter, box, "panel", "line-strong", _RADIUS_PX)
        side, edge = style.scaled(_ICON_PX), style.scaled(_SIDE_PX)
        icon = QRectF(box.left() + edge, box.center().y() - side / 2, side, side)
        style.draw_icon(painter, chip.icon, "ink-2", icon)
        words = box.adjusted(side + 2 * edge, 0, -edge, 0)
        metrics = QFontMetricsF(style.secondary_bold)
        middle = Qt.TextElideMode.ElideMiddle
        # Cut in the middle: the end says what kind of file it is.
        name = metrics.elidedText(one_line(chip.name), middle, words.width())
        upper = QRectF(words.left(), words.top(), words.width(), words.height() / 2)
        lower = upper.translated(0, upper.height())
        painter.setFont(style.secondary_bold)
        painter.setPen(style.color("ink"))
        left = Qt.AlignmentFlag.AlignLeft
        painter.drawText(upper, left | Qt.AlignmentFlag.AlignBottom, name)
        painter.setFont(style.small)
        painter.setPen(style.color("ink-2"))
        painter.drawText(lower, left | Qt.AlignmentFlag.AlignTop, chip.details)
