"""The offer that comes with a folder: let it be read without being asked."""

import asyncio
import os
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.approvals.rules import FolderBox
from app.chat.permissions import Permissions
from app.error_text import ErrorText
from app.tasks import TaskOwner
from app.viewmodels.approval.rule_words import short_path
from app.viewmodels.failures import failure_route


class FolderOffer(QObject):
    """Offers a rule for the folder that was just chosen, where one can hold. One for a window."""

    changed = Signal(str)
    """The folder that is offered, as it is shown, or nothing."""
    failed = Signal(object)
    """The rule could not be kept; argument: the `ErrorText`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = TaskOwner(failure_route(self._on_task_failed))
        self._permissions: Permissions | None = None
        self._folder: Path | None = None

    def show_permissions(self, permissions: Permissions | None) -> None:
        """Keeps rules with this profile from now on; None where there are none."""
        self._permissions = permissions
        self.decline()

    def make(self, folder: Path) -> None:
        """Offers this folder, unless it may be read already or no sandbox would hold."""
        self.decline()
        if self._permissions is not None:
            self._tasks.start(self._offer(self._permissions, folder), name="offer a folder")

    def accept(self) -> None:
        """Lets the folder be read without asking, in every chat."""
        folder, permissions = self._folder, self._permissions
        if folder is not None and permissions is not None:
            self._tasks.start(permissions.allow_reading(folder), name="allow reading")
        self.decline()

    def decline(self) -> None:
        """Offers nothing; every call asks as before."""
        self._folder = None
        self.changed.emit("")

    async def aclose(self) -> None:
        """Ends what is under way."""
        await self._tasks.aclose()

    async def _offer(self, permissions: Permissions, folder: Path) -> None:
        if not (await permissions.sandbox()).is_whole:
            return
        real = await asyncio.to_thread(os.path.realpath, folder)
        rules = permissions.rules.rules
        if any(
            isinstance(r.box, FolderBox) and r.box.folder == real and not r.ended for r in rules
        ):
            return
        self._folder = folder
        self.changed.emit(short_path(str(folder), permissions.home))

    def _on_task_failed(self, words: ErrorText) -> None:
        self.failed.emit(words)
