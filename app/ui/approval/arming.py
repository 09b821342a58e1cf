"""When an answer counts: only on a card that has stood still under the person's eyes.

A card may appear, grow or change places under a finger that is already on its way down. So keys
and clicks on its answers do nothing until the card has been the same, at the same place, in an
active window, for a while.
"""

import math
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

ARM_AFTER_S: Final = 0.6

_DISTURBING: Final = frozenset(
    {
        QEvent.Type.Show,
        QEvent.Type.Move,
        QEvent.Type.Resize,
        QEvent.Type.WindowActivate,
        QEvent.Type.WindowStateChange,
        QEvent.Type.ParentChange,
        QEvent.Type.FocusIn,
    }
)


class Arming(QObject):
    """Counts from the last disturbance of a card, by a monotonic clock.

    Everything that moves a watched widget or brings the keyboard to it restarts the count: each
    such event of the widget itself and of all that it stands in, up to the window. Made by the
    card it guards; ends with it.
    """

    changed = Signal()
    """The card was armed or disturbed: draw the answers anew."""

    def __init__(self, parent: QObject, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._since = clock()
        self._epoch = 0
        self._watched: list[QWidget] = []
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def is_armed(self) -> bool:
        """Whether an answer given now counts."""
        return self._left_s() <= 0

    @property
    def epoch(self) -> int:
        """A number that is another one after each disturbance."""
        return self._epoch

    def restart(self) -> None:
        """Begin to count anew."""
        self._epoch += 1
        self._since = self._clock()
        self._wait()
        self.changed.emit()

    def watch(self, widget: QWidget) -> None:
        """Count anew whenever `widget`, or anything it stands in, is shown or moved."""
        step: QWidget | None = widget
        while step is not None and step not in self._watched:
            step.installEventFilter(self)
            self._watched.append(step)
            step = None if step.isWindow() else step.parentWidget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything pass, and note what disturbs the card."""
        if event.type() in _DISTURBING and isinstance(watched, QWidget):
            self._watch_new_surroundings(watched)
            # What nobody sees cannot be mistaken for something else; showing it disturbs.
            if watched.isVisible():
                self.restart()
        return super().eventFilter(watched, event)

    def _left_s(self) -> float:
        return self._since + ARM_AFTER_S - self._clock()

    def _wait(self) -> None:
        # Time goes by between two looks at the clock, on a busy or sleeping computer much of it.
        self._timer.start(max(0, math.ceil(self._left_s() * 1000)))

    def _on_timeout(self) -> None:
        # Timers and the clock do not agree to the last; no other timeout would follow one too soon.
        if self.is_armed:
            self.changed.emit()
        else:
            self._wait()

    def _watch_new_surroundings(self, widget: QWidget) -> None:
        parent = None if widget.isWindow() else widget.parentWidget()
        if parent is not None:
            self.watch(parent)
