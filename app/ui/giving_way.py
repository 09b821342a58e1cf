"""What gives way in a low window, so that the chat or the card that asks can be read."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.ui.approval.dock import ApprovalDock
from app.ui.chat_header import ChatHeader
from app.ui.composer.composer import Composer
from app.ui.notice_bar import NoticeBar
from app.ui.parts.column import Column
from app.ui.theme import Theme

# Heights of the page in the measures of the design: below these, room is scarce.
_LOW_PX: Final = 360
_LOW_FOR_A_CARD_PX: Final = 600
_LINES: Final = 3
_LINES_BELOW_A_CARD: Final = 1


class GivingWay(QObject):
    """Folds the composer where the page is low, or a card waits that needs the room.

    In a low page there is less room around everything, too, and while a card waits there, no
    banner. Made by the chat page for
    itself; ends with it.
    """

    def __init__(
        self,
        theme: Theme,
        page: QWidget,
        dock: ApprovalDock,
        composer: Composer,
        banner: NoticeBar,
        *,
        around: Sequence[ChatHeader | Column],
    ) -> None:
        super().__init__(page)
        self._theme = theme
        self._page = page
        self._dock = dock
        self._composer = composer
        self._banner = banner
        self._around = around
        page.installEventFilter(self)
        dock.installEventFilter(self)
        theme.changed.connect(self._look)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again when the page is another size, and when a card comes or goes."""
        is_size = watched is self._page and event.type() is QEvent.Type.Resize
        comes_or_goes = event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
        if is_size or (watched is self._dock and comes_or_goes):
            self._look()
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        height, is_asking = self._page.height(), not self._dock.isHidden()
        is_low = height < self._theme.px(_LOW_PX)
        is_folded = is_low or (is_asking and height < self._theme.px(_LOW_FOR_A_CARD_PX))
        lines = _LINES_BELOW_A_CARD if is_asking else _LINES
        for part in self._around:
            part.give_way(gives_way=is_low)
        self._composer.box.fold(lines if is_folded else 0)
        self._banner.give_way(gives_way=is_low and is_asking)
