"""Save code blocks as files, and preview rendered ones in the browser."""

import asyncio
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chat.code_files import preview_kind, write_code, write_preview
from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler


class CodeFiles(QObject):
    """Writes files one after the other. One for a window; `aclose` ends it."""

    saved = Signal(str)
    """A file was written; argument: a sentence."""
    preview_made = Signal(object)
    """A page is there to be opened; argument: its Path."""
    failed = Signal(object)
    """It could not be written; argument: the `ErrorMessage`."""

    def __init__(self, previews: Path, scripts: Path, parent: QObject | None = None) -> None:
        """Take where pages are written, and where Mermaid's script lies."""
        super().__init__(parent)
        self._previews = previews
        self._scripts = scripts
        self._tasks = TaskOwner(error_handler(self.failed.emit))

    def save(self, path: Path, code: str) -> None:
        """Write a block of code to a file, replacing what is there."""
        self._tasks.start(self._save(path, code), name="save code")

    def preview(self, code: str, language: str) -> None:
        """Write the page that shows a block of code."""
        self._tasks.start(self._preview(code, language), name="preview code")

    def not_opened(self, path: Path) -> None:
        """Say that nothing opens the page."""
        error = UserFacingError(ErrorCode.PREVIEW_NOT_OPENED, {"name": str(path)})
        self.failed.emit(explain(error))

    async def aclose(self) -> None:
        """End what is under way."""
        await self._tasks.aclose()

    async def _save(self, path: Path, code: str) -> None:
        await asyncio.to_thread(write_code, path, code)
        words = QCoreApplication.translate("Chat", "Saved as {name}.")
        self.saved.emit(words.format(name=path.name))

    async def _preview(self, code: str, language: str) -> None:
        kind = preview_kind(language, code)
        if kind is None:
            return
        translate = QCoreApplication.translate
        words = translate("Chat", "Preview from Parley, without scripts or network access.")
        path = await asyncio.to_thread(
            write_preview,
            self._previews,
            self._scripts,
            kind,
            code,
            title=translate("Chat", "Preview"),
            words=words,
        )
        self.preview_made.emit(path)
