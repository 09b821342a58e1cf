"""The self-test behind a command: begun, cancelled, and what it says."""

import asyncio
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.common.error_messages import ErrorMessage
from app.platform.self_test_process import SelfTestChild
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized

translate = QCoreApplication.translate

# A self-test that is told to end closes a window and a service of its own.
_CLOSE_LIMIT_S: Final = 15.0


class SelfTestState(Enum):
    """How far it is."""

    IDLE = "idle"
    RUNNING = "running"
    GOOD = "good"
    BAD = "bad"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SelfTestView:
    """How it is with the self-test; `words` say so, empty before the first.

    `can_save`: there is a report.
    """

    state: SelfTestState
    words: str = ""
    can_save: bool = False


class SelfTestViewModel(QObject):
    """Runs the self-test in a process of its own; nothing of the person's is opened by it.

    `language` is what its lines are in. One for the run.
    """

    changed = Signal(object)
    """It began or ended; argument: a `SelfTestView`."""
    line_came = Signal(str)
    """One more line of it; argument: the line."""

    def __init__(
        self,
        language: str,
        child: SelfTestChild | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._language = language
        self._child = child or SelfTestChild()
        self._tasks = TaskOwner(error_handler(self._on_task_failed), close_limit_s=_CLOSE_LIMIT_S)
        self._running: asyncio.Task[None] | None = None
        self._report = ""
        self.lines: list[str] = []
        self.view = SelfTestView(SelfTestState.IDLE)

    def run(self) -> None:
        """Begins it, unless it runs."""
        if self.view.state is SelfTestState.RUNNING:
            return
        self.lines, self._report = [], ""
        words = translate("SelfTest", "It runs in a window that is not shown; yours is free.")
        self._show(SelfTestView(SelfTestState.RUNNING, words))
        self._running = self._tasks.start(self._run(), name="the self-test")

    def cancel(self) -> None:
        """End it before its time, with everything that it started."""
        if self._running:
            self._running.cancel()

    def save(self, file: Path) -> None:
        """Write the report where the person wants it."""
        self._tasks.start(self._save(file, self._report), name="save the report")

    async def aclose(self) -> None:
        """End what is under way."""
        await self._tasks.aclose()

    async def _run(self) -> None:
        try:
            ended = await self._child.run(self._language, self._on_line)
        except asyncio.CancelledError:
            words = translate("SelfTest", "Cancelled. Nothing of it is left.")
            self._show(SelfTestView(SelfTestState.CANCELLED, words))
            raise
        except (OSError, TimeoutError):
            words = translate("SelfTest", "The self-test could not be run to its end.")
            self._show(SelfTestView(SelfTestState.BAD, words))
            return
        self._report = ended.report
        self._show(_view_of(is_good=ended.is_good, can_save=bool(ended.report)))

    async def _save(self, file: Path, report: str) -> None:
        try:
            await asyncio.to_thread(file.write_text, report, encoding="utf-8")
        except OSError:
            words = translate("SelfTest", "The report could not be written there.")
        else:
            words = translate("SelfTest", "The report is saved.")
        self._show(SelfTestView(self.view.state, words, self.view.can_save))

    def _on_line(self, line: str) -> None:
        self.lines.append(line)
        self.line_came.emit(line)

    def _show(self, view: SelfTestView) -> None:
        self.view = view
        self.changed.emit(view)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(SelfTestView(SelfTestState.BAD, localized(words)))


def _view_of(*, is_good: bool, can_save: bool) -> SelfTestView:
    if is_good:
        words = translate("SelfTest", "Everything that could be tried works.")
        return SelfTestView(SelfTestState.GOOD, words, can_save)
    words = translate("SelfTest", "Something does not work: the lines above say what.")
    return SelfTestView(SelfTestState.BAD, words, can_save)
