"""How much space the chats and the copies of changed files take on the disk."""

import asyncio
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, Signal

from app.common.error_messages import ErrorMessage
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized


class DiskSpaceViewModel(QObject):
    """Adds up the files of a folder, in a thread. One for the run; `aclose` ends what it does."""

    measured = Signal(str)
    """The folder was added up; argument: its size in words, or why that is not known."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._tasks = TaskOwner(error_handler(self._on_failed))

    def measure(self) -> None:
        """Add up what is there now."""
        self._tasks.start(self._measure(), name="measure disk space")

    async def aclose(self) -> None:
        """Wait for what is under way."""
        await self._tasks.aclose()

    async def _measure(self) -> None:
        size_bytes = await asyncio.to_thread(_size_of, self._folder)
        self.measured.emit(QLocale().formattedDataSize(size_bytes))

    def _on_failed(self, words: ErrorMessage) -> None:
        self.measured.emit(localized(words))


def _size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
