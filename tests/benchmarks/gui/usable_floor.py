"""A list and a box in an empty window with an event loop: the least that can be written in."""

import asyncio

import qasync
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPlainTextEdit, QWidget

from tests.benchmarks.gui.bench import Found
from tests.benchmarks.gui.typing_at import Typing


def act() -> Found:
    """Run until somebody could write; ends the process then."""
    with qasync.QEventLoop(Typing(["bare"])) as loop:
        loop.run_until_complete(_show())
    raise RuntimeError("Nobody could write.")


async def _show() -> None:
    window, rows, box = QWidget(), QListWidget(), QPlainTextEdit()
    rows.addItems(["A chat"] * 50)
    row = QHBoxLayout(window)
    row.addWidget(rows)
    row.addWidget(box)
    window.resize(1360, 860)
    window.show()
    box.setFocus()
    await asyncio.Event().wait()
