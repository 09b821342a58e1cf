"""`FrameScheduler` runs work once a frame at most, less often when it is slow.

`IncrementalWorker` does long work in short slices, so that the window stays quick meanwhile.
"""

import time
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

_FRAME_MS: Final = 16
_SLOWEST_MS: Final = 250


class FrameScheduler(QObject):
    """Calls `work` a frame after the first request, however many requests come until then.

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
        """Whether work was requested and not done yet."""
        return self._timer.isActive()

    def request(self) -> None:
        """Request the work."""
        if not self._timer.isActive():
            self._timer.start(self._pause_ms)

    def catch_up(self) -> None:
        """Do the work now if it was requested."""
        if self._timer.isActive():
            self._timer.stop()
            self._on_timer_timeout()

    def _on_timer_timeout(self) -> None:
        began = time.monotonic()
        self._work()
        took_ms = round((time.monotonic() - began) * 1000)
        self._pause_ms = min(_SLOWEST_MS, max(_FRAME_MS, took_ms))


_SLICE_S: Final = 0.006


class IncrementalWorker(QObject):
    """Works through an iterator, a few milliseconds in each turn of the loop.

    One for each kind of work; ends with its owner.
    """

    worked = Signal()
    """A slice was done."""
    ended = Signal()
    """The work is done."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_busy(self) -> bool:
        """Whether there is work left."""
        return self._steps is not None

    def begin(self, steps: Iterator[object]) -> None:
        """Begin other work and drop what was under way; the first slice is done at once."""
        self._steps = steps
        self._timer.start(0)
        self._on_timer_timeout()

    def stop(self) -> None:
        """Drop the work."""
        self._steps = None
        self._timer.stop()

    def _on_timer_timeout(self) -> None:
        until = time.monotonic() + _SLICE_S
        for _ in self._steps or ():
            if time.monotonic() >= until:
                self.worked.emit()
                return
        self.stop()
        self.worked.emit()
        self.ended.emit()
