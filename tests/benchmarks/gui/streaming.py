"""2,000 deltas a second into a long reply: how long the turns of the loop work."""

import time
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer

from tests.benchmarks.gui.bench import WINDOW, Bench, Found
from tests.benchmarks.gui.shares import p99
from tests.benchmarks.gui.stage import Stage, Turns, run_until
from tests.benchmarks.gui.texts import long_text, messages, reply
from tests.benchmarks.rows import Figure, Goal, Row

RATE: Final = 2_000
"""Deltas a second."""

_LETTERS = 4
_BEAT_MS = 5


def measure(bench: Bench) -> list[Row]:
    """Stream until the reply has 50 kB."""
    lengths = bench.child("stream", bench.size(50_000, 6_000))["turns"]
    # A turn that only takes deltas in is no frame.
    frames = [length for length in lengths if length > 1] or lengths
    return [
        Row("frame while streaming, p99", "ms", _one(p99(frames)), Goal(16, of="figure"), WINDOW),
        Row("longest turn then", "ms", _one(max(frames)), Goal(50, of="figure"), WINDOW),
    ]


def act(size: int) -> Found:
    """Stream mixed text that grows to `size` characters."""
    stage = Stage()
    stream = Stream(stage, long_text(size))
    turns = Turns()
    stream.begin()
    run_until(lambda: stream.has_ended and stage.view.is_settled)
    return {"turns": turns.lengths_ms}


class Stream(QObject):
    """Gives a view the deltas of a reply as fast as they are due, a few at a time."""

    def __init__(self, stage: Stage, text: str) -> None:
        super().__init__()
        self._stage = stage
        self._text = text
        self._given = 0
        self._began_s = 0.0
        self._beat = QTimer(self)
        self._beat.setTimerType(Qt.TimerType.PreciseTimer)
        self._beat.timeout.connect(self._on_beat_timeout)

    @property
    def has_ended(self) -> bool:
        """Whether all was given."""
        return self._given >= len(self._text)

    def begin(self) -> None:
        """Begin the reply."""
        self._stage.show([*messages(20), reply(-1, "", is_streaming=True)])
        self._began_s = time.monotonic()
        self._beat.start(_BEAT_MS)

    def _on_beat_timeout(self) -> None:
        due = round((time.monotonic() - self._began_s) * RATE) * _LETTERS
        # What a slow turn left over comes in small parts, as from a socket.
        until = min(due, self._given + 20 * _LETTERS, len(self._text))
        while self._given < until:
            self._given += _LETTERS
            self._stage.replace_last(reply(-1, self._text[: self._given], is_streaming=True))
        if self.has_ended:
            self._beat.stop()
            self._stage.replace_last(reply(-1, self._text))


def _one(value: float) -> dict[str, Figure]:
    return {WINDOW: Figure.of([value])}
