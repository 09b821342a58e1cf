"""What the settings say of the program itself.

`DiagnosticsViewModel` tells what this program runs on and what it noted, for whoever looks for the
cause of a fault. `AboutModels` hands it over in one piece with the self-test and newer versions.
"""

import asyncio
import importlib.metadata
import platform
import sqlite3
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSysInfo, Signal, qVersion

from app.api.network import Network
from app.approvals.visible_text import escape_invisible
from app.common.error_messages import ErrorMessage
from app.common.log_file import end_of_log, without_home
from app.paths import Paths, resources
from app.tasks import TaskOwner
from app.updates.update_check import LastTrustedRelease, make_update_checker
from app.viewmodels.i18n import error_handler, localized
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.self_test import SelfTestViewModel
from app.viewmodels.settings.updates import UpdatesViewModel

_LOG_BYTES: Final = 64 * 1024


class DiagnosticsViewModel(QObject):
    """Names the versions, reads the end of the log, and puts both together for a report.

    Nothing of it holds a secret, and the user's own folder is written as ~. One for the run.
    """

    log_changed = Signal(str)
    """The log was read; argument: its last lines with nothing hidden, empty without any."""

    def __init__(
        self, paths: Paths, home: Path | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._paths = paths
        self._home = str(home or Path.home())
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self.version: Final = importlib.metadata.version("parley")
        self.log = ""

    @property
    def log_folder(self) -> Path:
        """Where the log is."""
        return self._paths.logs

    @property
    def versions(self) -> str:
        """What the program runs on, in one line."""
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
    paths: Paths, preferences: Preferences, network: Network, language: str
) -> AboutModels:
    """Make them for the program in this language."""
    diagnostics = DiagnosticsViewModel(paths)
    look = make_update_checker(network, LastTrustedRelease(paths.release_file))
    updates = UpdatesViewModel(preferences, resources(), diagnostics.version, look)
    return AboutModels(diagnostics, SelfTestViewModel(language), updates)
