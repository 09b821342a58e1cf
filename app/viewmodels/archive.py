"""The imported chats: opened in place of the project's, and left again."""

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chat.workspace import Workspace
from app.error_text import ErrorText
from app.exchange.archiving import origin_of_chat
from app.tasks import TaskOwner
from app.viewmodels.failures import failure_route


class ArchiveViewModel(QObject):
    """Shows the archive instead of the project that is at work, which works on behind it.

    One for the run. Its workspace is made at the first opening and lives until `aclose`.
    """

    opened = Signal(object)
    """The imported chats should be shown; argument: their `Workspace`."""
    chat_requested = Signal(str)
    """The archive is open, and one of its chats should be; argument: its id."""
    closed = Signal()
    """The chats of the project should be shown again."""
    failed = Signal(object)
    """The archive could not be opened; argument: the `ErrorText`."""

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
        self._is_open = False
        self._opening = asyncio.Lock()
        self._tasks = TaskOwner(failure_route(self._on_task_failed))

    @property
    def is_open(self) -> bool:
        """Whether the imported chats are shown."""
        return self._is_open

    @property
    def workspace(self) -> Workspace | None:
        """What is shown while the archive is open; None while it is not."""
        return self._workspace if self._is_open else None

    def open(self, conversation_id: str = "") -> None:
        """Shows the imported chats, and one of them if its id is given."""
        self._tasks.start(self._open(conversation_id), name="open the archive")

    def toggle(self) -> None:
        """Shows the imported chats, or those of the project again."""
        if self._is_open:
            self.close()
        else:
            self.open()

    def close(self) -> None:
        """Shows the chats of the project again."""
        if self._is_open:
            self._is_open = False
            self.closed.emit()

    def delete_all(self) -> None:
        """Removes every imported chat from this computer, for ever."""
        self._tasks.start(self._delete_all(), name="delete the archive")

    async def aclose(self) -> None:
        """Ends what is under way, and the workspace."""
        await self._tasks.aclose()
        if self._workspace:
            await self._workspace.aclose()

    async def _open(self, conversation_id: str) -> None:
        async with self._opening:
            if self._workspace is None:
                self._workspace = await self._open_workspace()
        if not self._is_open:
            self._is_open = True
            self.opened.emit(self._workspace)
        if conversation_id:
            self.chat_requested.emit(conversation_id)

    async def _delete_all(self) -> None:
        self.close()
        async with self._opening:
            workspace, self._workspace = self._workspace, None
            if workspace:
                await workspace.aclose()
            await self._forget_all()

    def _on_task_failed(self, words: ErrorText) -> None:
        self.failed.emit(words)


def archive_words(conversation_id: str) -> str:
    """Returns what stands where a message would be written: where the chat came from."""
    translate = QCoreApplication.translate
    words = {
        "parley": translate("Archive", "Imported from Parley. It can be read, not continued."),
        "chatgpt": translate("Archive", "Imported from ChatGPT. It can be read, not continued."),
        "claude": translate("Archive", "Imported from Claude. It can be read, not continued."),
    }
    origin = origin_of_chat(conversation_id)
    if origin is None:
        return translate("Archive", "Imported chats can be read, not continued.")
    return words[origin]
