"""The window goes on drawing while a tool takes all of the computer that it can get."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.support.confined import changing, confined_runner, needs_bubblewrap
from tests.support.figures import Tell
from tests.support.plugins import LoopBackend

_FRAME_MS: Final = 16
_MOST_MS: Final = 100.0
_GREEDY: Final = {
    "processor": "import os, time\nfor _ in range(7):\n    if os.fork() == 0:\n        break\n",
    "forks": (
        "import os, time\nfor _ in range(2000):\n    try:\n        if os.fork() == 0:\n"
        "            break\n    except OSError:\n        break\n"
    ),
    "memory": "held = []\ntry:\n    while True:\n        held.append(bytearray(2**24))\n"
    "except MemoryError:\n    pass\n",
}
_SPIN: Final = "import time\nend = time.monotonic() + 4\nwhile time.monotonic() < end:\n    pass\n"


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    return qt_loop


class _Frames(QWidget):
    """Draws itself again and again, and notes when."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.times.append(time.monotonic())

    def gaps_ms(self) -> list[float]:
        """Return the time from each frame to the next, the longest last."""
        pairs = zip(self.times, self.times[1:], strict=False)
        return sorted((after - before) * 1000 for before, after in pairs)


@contextmanager
def _drawing(qtbot: QtBot) -> Iterator[_Frames]:
    frames = _Frames()
    qtbot.addWidget(frames)
    frames.resize(400, 300)
    timer = QTimer(frames, interval=_FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(frames.update)
    with qtbot.waitExposed(frames):
        frames.show()
    timer.start()
    yield frames
    timer.stop()


@pytest.mark.long
@pytest.mark.anyio
@needs_bubblewrap
@pytest.mark.security(41)
@pytest.mark.parametrize("kind", _GREEDY)
async def test_frames_go_on_beside_a_greedy_tool(
    kind: str, qtbot: QtBot, tmp_path: Path, tell: Tell
) -> None:
    script = f"{_GREEDY[kind]}\n{_SPIN}\nfound = 1\n"
    with _drawing(qtbot) as quiet:
        await asyncio.sleep(2)
    with _drawing(qtbot) as frames:
        runner = confined_runner("bubblewrap", tmp_path / "home")
        outcome = await changing(runner, tmp_path, script)

    alone, beside = quiet.gaps_ms(), frames.gaps_ms()
    at_99 = beside[len(beside) * 99 // 100]
    tell(
        f"frames beside a tool that takes all it can of: {kind}: {len(beside)} gaps, 99 % within "
        f"{at_99:.0f} ms, longest {beside[-1]:.0f} ms (alone {alone[-1]:.0f} ms)"
    )
    assert outcome == 1
    assert at_99 < _MOST_MS
