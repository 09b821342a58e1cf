"""The imported chats as a workspace of their own, the same for every window."""

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Signal

from app.chat.workspace import Workspace


class ImportedChats(QObject):
    """Makes the workspace when the first window wants it, and removes what is in it.

    One for the run; the workspace lives until `aclose`, or until everything in it is removed.
    """

    emptied = Signal()
    """Every imported chat goes now: nobody should show one any more."""

    def __init__(
        self,
        open_workspace: Callable[[], Awaitable[Workspace]],
        forget_all: Callable[[], Awaitable[None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_workspace = open_workspace
        self._forget_all = forget_all
        self._workspace: Workspace | None = None
        self._changing = asyncio.Lock()

    async def workspace(self) -> Workspace:
        """Returns the workspace; while everything is removed, waits for the next one.

        Raises:
            StoreError: it cannot be read.
        """
        async with self._changing:
            if self._workspace is None:
                self._workspace = await self._open_workspace()
            return self._workspace

    async def forget_all(self) -> None:
        """Removes every imported chat from this computer, for ever.

        Raises:
            StoreError: not everything could be removed.
        """
        self.emptied.emit()
        async with self._changing:
            await self._close()
            await self._forget_all()

    async def aclose(self) -> None:
        """Ends the workspace."""
        await self._close()

    async def _close(self) -> None:
        workspace, self._workspace = self._workspace, None
        if workspace:
            await workspace.aclose()
