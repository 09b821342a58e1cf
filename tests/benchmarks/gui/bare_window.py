"""An empty window with an event loop: the least that a program with a window starts."""

import asyncio

import qasync
from PySide6.QtWidgets import QWidget

from tests.benchmarks.gui.bench import Found
from tests.benchmarks.gui.watching import Watching


def act() -> Found:
    """Run until it is painted; ends the process then."""
    with qasync.QEventLoop(Watching(["bare"])) as loop:
        loop.run_until_complete(_show())
    raise RuntimeError("Nothing was painted.")


async def _show() -> None:
    window = QWidget()
    window.resize(1360, 860)
    window.show()
    await asyncio.Event().wait()
