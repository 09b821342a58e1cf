"""What this program runs on and what it noted, for whoever looks for the cause of a fault."""

import asyncio
import importlib.metadata
import platform
import sqlite3
import ssl
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSysInfo, Signal, qVersion

from app.approvals.reveal import reveal
from app.error_text import ErrorText
from app.log_file import end_of_log, without_home
from app.paths import Paths
from app.tasks import TaskOwner
from app.viewmodels.failures import failure_route, translated

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
        self._tasks = TaskOwner(failure_route(self._on_task_failed))
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
        """Reads the end of the log anew."""
        self._tasks.start(self._read_log(), name="read the log")

    def report(self) -> str:
        """Returns everything that helps to find the cause of a fault, as plain text."""
        folders = (
            f"data: {self._paths.data}",
            f"settings: {self._paths.config}",
            f"log: {self._paths.logs}",
        )
        lines = (f"Parley {self.version}", *self.versions.split(" · "), *folders)
        return "\n".join((*map(self._shortened, lines), "", self.log))

    async def aclose(self) -> None:
        """Ends what is under way."""
        await self._tasks.aclose()

    async def _read_log(self) -> None:
        self._show(await asyncio.to_thread(self._end_of_log))

    def _end_of_log(self) -> str:
        noted = self._shortened(end_of_log(self._paths.logs, _LOG_BYTES).rstrip("\n"))
        return "\n".join(reveal(line) for line in noted.split("\n"))

    def _shortened(self, text: str) -> str:
        return without_home(text, self._home)

    def _show(self, text: str) -> None:
        self.log = text
        self.log_changed.emit(text)

    def _on_task_failed(self, words: ErrorText) -> None:
        self._show(translated(words))
