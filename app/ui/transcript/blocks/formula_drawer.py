"""Draws formulas beside the window's own work, one after the other, and keeps the pictures."""

import threading
from collections import OrderedDict
from queue import Empty, SimpleQueue
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.ui.markdown.formulas import Drawing, draw, may_be_drawn

_LOOK_EVERY_MS: Final = 30
_KEPT: Final = 500


class _Bench:
    """What the window and the thread share; the thread ends when there is nothing to do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: list[str] = []
        self._is_working = False
        self.done: SimpleQueue[tuple[str, Drawing | None]] = SimpleQueue()

    def add(self, source: str) -> None:
        with self._lock:
            self._wanted.append(source)
            if not self._is_working:
                self._is_working = True
                threading.Thread(target=self._work, name="formulas", daemon=True).start()

    def clear(self) -> None:
        with self._lock:
            self._wanted.clear()

    def _work(self) -> None:
        try:
            while (source := self._next()) is not None:
                self.done.put((source, draw(source)))
        finally:
            with self._lock:
                self._is_working = False

    def _next(self) -> str | None:
        with self._lock:
            self._is_working = bool(self._wanted)
            return self._wanted.pop(0) if self._wanted else None


class FormulaDrawer(QObject):
    """Gives pictures of formulas when they are ready.

    One for a view; ends with it, and its thread a moment later at most.
    """

    drawn = Signal()
    """Some more formulas have a picture now, or never will have one."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = _Bench()
        self._ready: OrderedDict[str, Drawing | None] = OrderedDict()
        self._waiting: set[str] = set()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self.destroyed.connect(self._bench.clear)

    @property
    def is_idle(self) -> bool:
        """Whether every formula that was asked for has its answer."""
        return not self._waiting

    def picture(self, source: str) -> Drawing | None:
        """Return the picture of a formula; None when there is none yet, or never will be.

        The first to ask for it begins its drawing.
        """
        if source in self._ready:
            self._ready.move_to_end(source)
            return self._ready[source]
        if source not in self._waiting and may_be_drawn(source):
            self._waiting.add(source)
            self._bench.add(source)
            self._timer.start()
        return None

    def _on_timer_timeout(self) -> None:
        has_news = False
        while (found := self._take()) is not None:
            source, drawing = found
            self._ready[source] = drawing
            self._waiting.discard(source)
            has_news = True
        while len(self._ready) > _KEPT:
            self._ready.popitem(last=False)
        if not self._waiting:
            self._timer.stop()
        if has_news:
            self.drawn.emit()

    def _take(self) -> tuple[str, Drawing | None] | None:
        try:
            return self._bench.done.get_nowait()
        except Empty:
            return None
