"""The buttons above a block of code: Wrap, if a line is too long for the block, and Copy."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from app.ui.transcript.brush import Brush
from app.ui.transcript.look import Look
from app.ui.transcript.targets import CopyText, Deed, Target, Wrap

_HEADER_PX: Final = 32
_RIGHT_PX: Final = 6
_ICON_PX: Final = 14
_ROOM_PX: Final = 7
_V_CENTER: Final = Qt.AlignmentFlag.AlignVCenter


class CodeButtons:
    """Places the buttons of a block at its right edge, and draws them.

    Made by the piece; ends with it.
    """

    def __init__(self, look: Look, number: int) -> None:
        self._look = look
        self._wrap = Wrap(number)
        self._width = 0.0
        self._wraps: bool | None = None

    def place(self, width: float, *, wraps: bool | None) -> None:
        """Take note of the width of the block, and whether lines wrap; None: all lines fit."""
        self._width, self._wraps = width, wraps

    def targets(self, code: str) -> list[Target]:
        """Return the buttons from left to right."""
        copy_box = self._box(self._copy_words(is_done=False), self._width - _RIGHT_PX)
        name = QCoreApplication.translate("Transcript", "Copy code")
        copy = Target(CopyText(code), copy_box, name)
        if self._wraps is None:
            return [copy]
        names = (
            QCoreApplication.translate("Transcript", "Do not wrap long lines")
            if self._wraps
            else QCoreApplication.translate("Transcript", "Wrap long lines")
        )
        return [Target(self._wrap, self._box(self._wrap_words(), copy_box.left()), names), copy]

    def paint(self, brush: Brush, origin: QPointF, code: str) -> None:
        """Draw the buttons of the block whose top left corner is at `origin`."""
        for target in self.targets(code):
            placed = target.moved(origin.x(), origin.y())
            self._paint_button(brush, placed.box, target.deed)
            if brush.focus == placed:
                self._look.draw_focus(brush.painter, placed.box)

    def _paint_button(self, brush: Brush, box: QRectF, deed: Deed) -> None:
        if isinstance(deed, Wrap):
            icon, words = "wrap-text", self._wrap_words()
        else:
            is_done = brush.done == deed
            icon, words = "check" if is_done else "copy", self._copy_words(is_done=is_done)
        place = QRectF(box.left() + _ROOM_PX, box.center().y() - _ICON_PX / 2, _ICON_PX, _ICON_PX)
        self._look.draw_icon(brush.painter, icon, "ink-2", place)
        brush.painter.setFont(self._look.small)
        brush.painter.setPen(self._look.color("ink-2"))
        line = box.adjusted(_ICON_PX + 2 * _ROOM_PX, 0, 40, 0)
        brush.painter.drawText(line, _V_CENTER | Qt.TextFlag.TextSingleLine, words)

    def _box(self, words: str, right: float) -> QRectF:
        """Return the place of a button that ends at `right`."""
        width = QFontMetricsF(self._look.small).horizontalAdvance(words) + _ICON_PX + 3 * _ROOM_PX
        return QRectF(right - width, 4, width, self._look.scaled(_HEADER_PX) - 8)

    def _wrap_words(self) -> str:
        if self._wraps:
            return QCoreApplication.translate("Transcript", "Unwrap")
        return QCoreApplication.translate("Transcript", "Wrap")

    def _copy_words(self, *, is_done: bool) -> str:
        if is_done:
            return QCoreApplication.translate("Transcript", "Copied")
        return QCoreApplication.translate("Transcript", "Copy")
