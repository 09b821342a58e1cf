"""Colours code when there is time: a few milliseconds a turn, never while somebody waits."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.ui.markdown.blocks import Code
from app.ui.markdown.highlight import HighlightRange, colour_lines

_TURN_S: Final = 0.004
_PAUSE_S: Final = 0.1
# Code that grows is read again and again; this bounds the share of time that takes.
_REST_FACTOR: Final = 10


class Highlightable(Protocol):
    """Code that is shown and can be coloured line by line."""

    block: Code

    @property
    def is_drawn(self) -> bool:
        """Whether it is still shown."""

    def colour(self, line: int, stretches: list[HighlightRange]) -> None:
        """Colour one line."""


@dataclass(slots=True)
class _Job:
    """One reading of a piece of code from its beginning."""

    piece: Highlightable
    text: str
    lines: Iterator[list[HighlightRange]]
    line: int = 0
    spent_s: float = 0.0


class HighlightScheduler(QObject):
    """Works through the code that wants colours, one piece after the other.

    One for a view; ends with it.
    """

    coloured = Signal()
    """Some lines have other colours now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[int, Highlightable] = {}
        self._not_before: dict[int, float] = {}
        self._job: _Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer_timeout)

    @property
    def is_idle(self) -> bool:
        """Whether everything is coloured."""
        return not self._waiting and self._job is None

    def want(self, piece: Highlightable) -> None:
        """Colour this code soon, again if it was coloured before."""
        if piece.block.language:
            self._waiting[id(piece)] = piece
            self._arm()

    def forget_all(self) -> None:
        """Drop everything: nothing of it is shown any more."""
        self._waiting.clear()
        self._not_before.clear()
        self._job = None
        self._timer.stop()

    def _arm(self) -> None:
        if self._timer.isActive():
            return
        if self._job:
            self._timer.start(0)
        elif self._waiting:
            soonest = min(self._not_before.get(key, 0.0) for key in self._waiting)
            self._timer.start(max(0, round((soonest - time.monotonic()) * 1000)))

    def _on_timer_timeout(self) -> None:
        began = time.monotonic()
        job = self._job = self._job or self._next_job(began)
        if job:
            self._work(job, began + _TURN_S)
            job.spent_s += time.monotonic() - began
            self.coloured.emit()
        self._arm()

    def _next_job(self, now: float) -> _Job | None:
        ready = (key for key in self._waiting if self._not_before.get(key, 0.0) <= now)
        key = next(ready, None)
        if key is None:
            return None
        piece = self._waiting.pop(key)
        if not piece.is_drawn:
            self._not_before.pop(key, None)
            return None
        text = piece.block.text
        return _Job(piece, text, colour_lines(text, piece.block.language))

    def _work(self, job: _Job, until: float) -> None:
        for stretches in job.lines:
            job.piece.colour(job.line, stretches)
            job.line += 1
            if time.monotonic() >= until:
                return
        now = time.monotonic()
        self._not_before = {key: at for key, at in self._not_before.items() if at > now}
        rest = max(_PAUSE_S, job.spent_s * _REST_FACTOR)
        self._not_before[id(job.piece)] = now + rest
        self._job = None
