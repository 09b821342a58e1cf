"""The view on a stage: shown, filled, scrolled, and how long the window's thread worked for it."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

# The program imports it, too, before the first reply.
import app.ui.transcript.rows.reply_row  # noqa: F401
from app.chat.items import Item, Replaced, ReplyPart
from app.paths import resources
from app.ui.theme import Theme
from app.ui.transcript.view import TranscriptView
from app.viewmodels.rows import RowsModel

WIDTH: Final = 788
HEIGHT: Final = 694
_LIMIT_MS: Final = 120_000


class Stage:
    """The application, and one view in it at the size that it has in the usual window."""

    def __init__(self) -> None:
        self.application = QApplication.instance() or QApplication(["bench"])
        assert isinstance(self.application, QApplication)
        self.theme = Theme(resources(), self.application.styleHints(), "light")
        self.theme.apply(self.application)
        self.theme.dress(self.application)
        self.items: list[Item] = []
        self.model: RowsModel[Item] = RowsModel(lambda item: item.key)
        self.view = TranscriptView(self.model, self.theme, tool_icon=lambda _name: "wrench")
        self.view.resize(WIDTH, HEIGHT)
        self.view.show()
        self.paint()

    def show(self, items: Sequence[Item]) -> None:
        """Show other items altogether, as opening a chat does, and paint them."""
        self.items = list(items)
        self.model.replace_all(self.items)
        self.paint()

    def replace_last(self, item: ReplyPart) -> None:
        """Show another state of the last item."""
        self.items[-1] = item
        self.model.mirror(Replaced(len(self.items) - 1), self.items)

    def paint(self) -> None:
        """Deliver what is posted, and paint what wants to be painted, without waiting for it."""
        QCoreApplication.sendPostedEvents()
        QCoreApplication.sendEvent(self.view.window(), QEvent(QEvent.Type.UpdateRequest))

    def settle(self) -> None:
        """Run the loop until everything in the window is laid out and coloured."""
        run_until(lambda: self.view.is_settled)


def cpu_ms(work: Callable[[], object]) -> float:
    """Return how long this thread worked."""
    began = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - began) / 1e6


def run_until(is_so: Callable[[], bool]) -> None:
    """Run the loop until it is so."""
    loop = QEventLoop()
    look = QTimer()
    look.timeout.connect(lambda: loop.quit() if is_so() else None)
    look.start(5)
    QTimer.singleShot(_LIMIT_MS, loop, lambda: loop.exit(1))
    if loop.exec():
        raise TimeoutError("The window did not come to rest.")


class Turns:
    """How long each turn of the loop works, in milliseconds of this thread's time."""

    def __init__(self) -> None:
        self.lengths_ms: list[float] = []
        self._began = time.thread_time_ns()
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.connect(self._on_dispatcher_awake)
        dispatcher.aboutToBlock.connect(self._on_dispatcher_about_to_block)

    def _on_dispatcher_awake(self) -> None:
        self._began = time.thread_time_ns()

    def _on_dispatcher_about_to_block(self) -> None:
        self.lengths_ms.append((time.thread_time_ns() - self._began) / 1e6)
