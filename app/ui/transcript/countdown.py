"""The times in notices: they are brought up to date while a notice that counts is in the window."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.notice_row import NoticeRow

# Twice a second, so that each second is shown for about as long as it lasts.
_INTERVAL_MS: Final = 500


class Countdown(QObject):
    """Calls `changed` when the words of a notice are others now.

    One for a view.
    """

    def __init__(
        self, layout: TranscriptLayout, changed: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._changed = changed
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def look(self) -> None:
        """Count while a notice in the window does."""
        if not any(notice.counts_down for notice in self._notices()):
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _notices(self) -> list[NoticeRow]:
        rows = (placed.row for placed in self._layout.placed)
        return [row for row in rows if isinstance(row, NoticeRow)]

    def _on_timer_timeout(self) -> None:
        if [notice for notice in self._notices() if notice.tick()]:
            self._changed()
