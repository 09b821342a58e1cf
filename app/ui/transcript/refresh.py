"""When the transcript is laid out again: at most once a frame, and less often when that is slow."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

_FRAME_MS: Final = 16
_SLOWEST_MS: Final = 250


class Refresh(QObject):
    """Calls `work` a frame after it was asked for, however often it was asked for until then.

    Work that takes longer than a frame gets longer pauses, so that typing stays quick. One for a
    view.
    """

    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._pause_ms = _FRAME_MS
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_due(self) -> bool:
        """Whether work was asked for and not done yet."""
        return self._timer.isActive()

    def ask(self) -> None:
        """Ask for the work."""
        if not self._timer.isActive():
            self._timer.start(self._pause_ms)

    def _on_timer_timeout(self) -> None:
        began = time.monotonic()
        self._work()
        took_ms = round((time.monotonic() - began) * 1000)
        self._pause_ms = min(_SLOWEST_MS, max(_FRAME_MS, took_ms))
