"""The sidebar, the middle and the right panel: how wide each of them is."""

from typing import Final

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter

from app.ui.theme import Theme

_SIDEBAR_PX: Final = 272
_PANEL_PX: Final = 300
# With large letters the sides are wider, but leave the middle half.
_MOST_SHARE: Final = 0.5


class Columns(QSplitter):
    """Divides the width once there is one: as it was, or as the design has it.

    Of three parts the first and the last are at the sides. Made by the workbench.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._arrangement: QByteArray | None = None
        self._has_begun = False

    def arrange(self, arrangement: QByteArray) -> None:
        """Makes the parts as wide as they were."""
        self._arrangement = arrangement
        if self._has_begun:
            self.restoreState(arrangement)

    def begin(self) -> None:
        """There is a width to divide; only the first call counts."""
        if self._has_begun:
            return
        self._has_begun = True
        if self._arrangement is not None:
            self.restoreState(self._arrangement)
        else:
            sidebar, panel = (self._wide(length) for length in (_SIDEBAR_PX, _PANEL_PX))
            self.setSizes([sidebar, max(0, self.width() - sidebar - panel), panel])

    def leave_middle(self) -> None:
        """Makes the panel less wide if it takes the room of the middle: the window is another."""
        sidebar, middle, panel = self.sizes()
        if self._has_begun and panel > self._most(_PANEL_PX):
            over = panel - self._most(_PANEL_PX)
            self.setSizes([sidebar, middle + over, panel - over])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divides another width."""
        super().resizeEvent(event)
        self.leave_middle()

    def _wide(self, length_px: int) -> int:
        return min(self._theme.px(length_px), self._most(length_px))

    def _most(self, length_px: int) -> int:
        return max(length_px, int(self.width() * _MOST_SHARE))
