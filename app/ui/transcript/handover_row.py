"""A thin line with words: another agent goes on."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from app.chat.items import Handover, Item
from app.ui.parts.labels import short_name
from app.ui.transcript.brush import Brush
from app.ui.transcript.row import Row, Surroundings

_WORDS_GAP_PX: Final = 10


class HandoverRow(Row):
    """Who handed over to whom, in the middle of a hairline."""

    def __init__(self, around: Surroundings) -> None:
        self._look = around.look
        self._words = ""
        self._width = 0
        self.height = self._look.line_px

    def show(self, item: Item) -> bool:
        """Show who handed over to whom."""
        if not isinstance(item, Handover):
            return False
        self._words = _words_of(item)
        return True

    def set_width(self, width: int) -> None:
        """Keep the width to draw at."""
        self._width = width

    def paint(self, brush: Brush) -> None:
        """Draw the line and the words in its middle."""
        painter, look = brush.painter, self._look
        metrics = QFontMetricsF(look.small)
        room = self._width - 8 * _WORDS_GAP_PX
        words = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        half = metrics.horizontalAdvance(words) / 2 + _WORDS_GAP_PX
        middle, y = self._width / 2, self.height // 2
        look.draw_line(painter, 0, middle - half, y)
        look.draw_line(painter, middle + half, self._width, y)
        painter.setFont(look.small)
        painter.setPen(look.color("ink-3"))
        box = QRectF(0, 0, self._width, self.height)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    @property
    def shown_text(self) -> str:
        """The words."""
        return self._words


def _words_of(item: Handover) -> str:
    to = short_name(item.to_display_name)
    if item.from_display_name is None:
        return QCoreApplication.translate("Transcript", "{agent} goes on").format(agent=to)
    return QCoreApplication.translate("Transcript", "{one} handed over to {other}").format(
        one=short_name(item.from_display_name), other=to
    )
