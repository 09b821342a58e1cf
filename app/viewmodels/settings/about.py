"""View models of the settings' section about the program.

`DiagnosticsViewModel` has the versions and the end of the log, for reports of faults;
`SelfTestViewModel` runs the self-test. `AboutModels` holds both, and the check for updates.
"""

import asyncio
import importlib.metadata
import platform
import sqlite3
import ssl
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, QSysInfo, Signal, qVersion

from app.api.network import Network
from app.approvals.visible_text import escape_invisible
from app.common.error_messages import ErrorMessage
from app.common.log_file import end_of_log, without_home
from app.paths import Paths, resources
from app.platform.self_test_process import SelfTestChild
from app.tasks import TaskOwner
from app.updates.update_check import LastTrustedRelease, make_update_checker
from app.viewmodels.i18n import SpokenLanguage, error_handler, localized
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.updates import UpdatesViewModel

translate = QCoreApplication.translate

_LOG_BYTES: Final = 64 * 1024
_LICENCES: Final = "licences.txt"


class DiagnosticsViewModel(QObject):
    """Names the versions, reads the end of the log, and puts both together for a report.

    Nothing of it holds a secret, and the user's own folder is written as ~. One for the run.
    """

    log_changed = Signal(str)
    """The log was read; argument: its end with invisible characters escaped, or empty."""

    def __init__(
        self, paths: Paths, home: Path | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._paths = paths
        self._home = str(home or Path.home())
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self.log = ""

    @cached_property
    def version(self) -> str:
        """The version of the program."""
        return importlib.metadata.version("parley")

    @property
    def log_folder(self) -> Path:
        """The folder that the log is in."""
        return self._paths.logs

    @property
    def licences_file(self) -> str:
        """The list of all licences: its path in an installed program, its name from source."""
        if not getattr(sys, "frozen", False):
            return _LICENCES
        folder = Path(sys.executable).parent
        return str(
            (folder.parent / "Resources" if sys.platform == "darwin" else folder) / _LICENCES
        )

    @property
    def versions(self) -> str:
        """The versions that the program runs on, in one line."""
        parts = (
            f"Python {platform.python_version()}",
            f"Qt {qVersion()}",
            f"SQLite {sqlite3.sqlite_version}",
            " ".join(ssl.OPENSSL_VERSION.split()[:2]),
            f"{QSysInfo.prettyProductName()} ({platform.machine()})",
        )
        return " · ".join(parts)

    def read_log(self) -> None:
        """Read the end of the log anew."""
        self._tasks.start(self._read_log(), name="read the log")

    def report(self) -> str:
        """Return everything that helps to find the cause of a fault, as plain text."""
        folders = (
            f"data: {self._paths.data}",
            f"settings: {self._paths.config}",
            f"log: {self._paths.logs}",
        )
        lines = (f"Parley {self.version}", *self.versions.split(" · "), *folders)
        return "\n".join((*map(self._shortened, lines), "", self.log))

    async def aclose(self) -> None:
        """End what is under way."""
        await self._tasks.aclose()

    async def _read_log(self) -> None:
        self._show(await asyncio.to_thread(self._end_of_log))

    def _end_of_log(self) -> str:
        noted = self._shortened(end_of_log(self._paths.logs, _LOG_BYTES).rstrip("\n"))
        return "\n".join(escape_invisible(line) for line in noted.split("\n"))

    def _shortened(self, text: str) -> str:
        return without_home(text, self._home)

    def _show(self, text: str) -> None:
        self.log = text
        self.log_changed.emit(text)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self._show(localized(words))


# A self-test first closes its own window and service.
_CLOSE_LIMIT_S: Final = 15.0


class SelfTestState(Enum):
    """How far the self-test is."""

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
    """The self-test began or ended; argument: a `SelfTestView`."""
    line_came = Signal(str)
    """The self-test printed a line; argument: the line."""

    def __init__(
        self,
        language: Callable[[], str],
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
        """Start the self-test, unless it runs."""
        if self.view.state is SelfTestState.RUNNING:
            return
        self.lines, self._report = [], ""
        words = translate(
            "SelfTest", "The self-test runs in a hidden window, so you can keep using Parley."
        )
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
            ended = await self._child.run(self._language(), self._on_line)
        except asyncio.CancelledError:
            words = translate("SelfTest", "Cancelled. The test’s files were removed.")
            self._show(SelfTestView(SelfTestState.CANCELLED, words))
            raise
        except (OSError, TimeoutError):
            words = translate("SelfTest", "The self-test could not be completed.")
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
    words = translate("SelfTest", "Something does not work. See the results above.")
    return SelfTestView(SelfTestState.BAD, words, can_save)


@dataclass(frozen=True, slots=True)
class AboutModels:
    """The versions and the log, the self-test, and newer versions. One for the run."""

    diagnostics: DiagnosticsViewModel
    self_test: SelfTestViewModel
    updates: UpdatesViewModel

    async def aclose(self) -> None:
        """End what is under way in each."""
        for part in (self.diagnostics, self.self_test, self.updates):
            await part.aclose()


def about_models(
    paths: Paths, preferences: Preferences, network: Network, language: SpokenLanguage
) -> AboutModels:
    """Make the view models of the section, for the run."""
    diagnostics = DiagnosticsViewModel(paths)
    trusted = LastTrustedRelease(paths.release_file)
    look = make_update_checker(network, trusted)
    updates = UpdatesViewModel(preferences, resources(), lambda: diagnostics.version, look, trusted)
    return AboutModels(diagnostics, SelfTestViewModel(lambda: language.code), updates)
