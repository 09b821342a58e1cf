"""Typing while a reply streams: from the moment of a key to the painted letter."""

import time

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from tests.benchmarks.gui.bench import FLOOR, WINDOW, Bench, Found
from tests.benchmarks.gui.shares import p99
from tests.benchmarks.gui.stage import Stage, run_until
from tests.benchmarks.gui.streaming import Stream
from tests.benchmarks.gui.texts import long_text
from tests.benchmarks.rows import Figure, Goal, Row

_EVERY_MS = 31


def measure(bench: Bench) -> list[Row]:
    """Compare with typing while nothing streams."""
    found = bench.child("typing", bench.size(60_000, 6_000))
    figures = {name: Figure.of([p99(values)]) for name, values in found.items()}
    note = "Typing is taken from the clock: on a busy machine its floor is high, too."
    goal = Goal(16, of="figure")
    return [Row("typing while streaming, p99", "ms", figures, goal, WINDOW, FLOOR, notes=(note,))]


def act(size: int) -> Found:
    """Type as long as a reply of `size` characters streams, then as long without."""
    stage = Stage()
    box = QPlainTextEdit()
    box.show()
    stream = Stream(stage, long_text(size))
    stream.begin()
    with_stream = Typist(box)
    run_until(lambda: stream.has_ended)
    with_stream.end()
    run_until(lambda: stage.view.is_settled)
    alone = Typist(box)
    run_until(lambda: len(alone.took_ms) >= len(with_stream.took_ms))
    alone.end()
    return {WINDOW: with_stream.took_ms, FLOOR: alone.took_ms}


class Typist(QObject):
    """Presses a key at each beat, and takes the time from when it was due."""

    def __init__(self, box: QPlainTextEdit) -> None:
        super().__init__()
        self.took_ms: list[float] = []
        self._box = box
        self._due_s = time.monotonic() + _EVERY_MS / 1000
        self._beat = QTimer(self)
        self._beat.setTimerType(Qt.TimerType.PreciseTimer)
        self._beat.timeout.connect(self._on_beat_timeout)
        self._beat.start(1)

    def end(self) -> None:
        """Press no more."""
        self._beat.stop()

    def _on_beat_timeout(self) -> None:
        if time.monotonic() < self._due_s:
            return
        QTest.keyClick(self._box, Qt.Key.Key_A)
        self._box.viewport().repaint()
        now_s = time.monotonic()
        self.took_ms.append((now_s - self._due_s) * 1000)
        self._due_s = now_s + _EVERY_MS / 1000
