"""`AttachmentTiles` draws what goes with a message, above its words in the bubble."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from app.store.records import StoredAttachment
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.widgets.labels import short_name
from app.viewmodels.chat.attached_files import AttachmentChip, chip_of

_HEIGHT_PX: Final = 46
_GAP_PX: Final = 8
_SIDE_PX: Final = 10
_ICON_PX: Final = 20
_WIDEST_PX: Final = 260
_RADIUS_PX: Final = 10


class AttachmentTiles:
    """Tiles side by side, in as many lines as it takes. Made by a row; ends with it."""

    def __init__(self, style: TranscriptStyle) -> None:
        self._style = style
        self._chips: tuple[AttachmentChip, ...] = ()
        self._boxes: list[QRectF] = []
        self.width = 0.0
        self.height = 0.0

    def show(self, attachments: Sequence[StoredAttachment]) -> None:
        """Show these files; `fit` comes next."""
        self._chips = tuple(map(chip_of, attachments))

    @property
    def words(self) -> str:
        """What is shown, for those who do not see it."""
        return "\n".join(f"{short_name(chip.name)} ({chip.details})" for chip in self._chips)

    def fit(self, room: float) -> None:
        """Place the tiles within a width; sets `width` and `height`, both 0 without any."""
        gap, height = self._style.scaled(_GAP_PX), self._style.scaled(_HEIGHT_PX)
        self._boxes, left, top = [], 0.0, 0.0
        for chip in self._chips:
            width = min(self._width_of(chip), room)
            if left and left + width > room:
                left, top = 0.0, top + height + gap
            self._boxes.append(QRectF(left, top, width, height))
            left += width + gap
        self.width = max((box.right() for box in self._boxes), default=0.0)
        self.height = max((box.bottom() for box in self._boxes), default=0.0)

    def paint(self, context: PaintContext, origin: QPointF) -> None:
        """Paint the tiles from this corner on."""
        for chip, box in zip(self._chips, self._boxes, strict=True):
            self._paint_tile(context, chip, box.translated(origin))

    def _width_of(self, chip: AttachmentChip) -> float:
        style = self._style
        name = QFontMetricsF(style.secondary_bold).horizontalAdvance(short_name(chip.name))
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
        name = metrics.elidedText(short_name(chip.name), middle, words.width())
        upper = QRectF(words.left(), words.top(), words.width(), words.height() / 2)
        lower = upper.translated(0, upper.height())
        painter.setFont(style.secondary_bold)
        painter.setPen(style.color("ink"))
        left = Qt.AlignmentFlag.AlignLeft
        painter.drawText(upper, left | Qt.AlignmentFlag.AlignBottom, name)
        painter.setFont(style.small)
        painter.setPen(style.color("ink-2"))
        painter.drawText(lower, left | Qt.AlignmentFlag.AlignTop, chip.details)
