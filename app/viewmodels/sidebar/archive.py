"""Show the imported chats in place of the project's, continue them there, and return."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode, ErrorMessage
from app.common.errors import UserFacingError
from app.import_export.chat_import import origin_of_chat
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler
from app.viewmodels.import_export import ImportedChats


class ArchiveViewModel(QObject):
    """Shows the archive in place of the connected project, whose turns go on meanwhile.

    One for each window; `aclose` ends what is under way.
    """

    opened = Signal(object)
    """The imported chats should be shown; argument: their `Workspace`."""
    chat_requested = Signal(str)
    """The archive is open, and one of its chats should be; argument: its id."""
    closed = Signal()
    """The chats of the project should be shown again."""
    continued = Signal(str, str)
    """An imported chat goes on as one of the project; arguments: the id of that one, its title."""
    not_continued = Signal(object)
    """An imported chat could not be continued; argument: the `ErrorMessage`."""
    failed = Signal(object)
    """The archive could not be opened; argument: the `ErrorMessage`."""

    def __init__(
        self,
        imported: ImportedChats,
        connected: Callable[[], Workspace | None] = lambda: None,
        parent: QObject | None = None,
    ) -> None:
        """Follow the imported chats.

        Args:
            imported: The imported chats.
            connected: Returns where they are continued; None while nothing is connected.
            parent: The window's part that owns this.
        """
        super().__init__(parent)
        self._imported = imported
        self._connected = connected
        self._is_open = False
        # What was asked for last; the imported chats may take a moment.
        self._is_wanted = False
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._opening = TaskOwner(error_handler(self._on_opening_failed))
        self._continuing = TaskOwner(error_handler(self.not_continued.emit))
        imported.emptied.connect(self._on_imported_emptied)

    @property
    def is_open(self) -> bool:
        """Whether the imported chats are shown."""
        return self._is_open

    def open(self, conversation_id: str = "") -> None:
        """Show the imported chats, and one of them if its id is given."""
        self._is_wanted = True
        self._opening.start(self._open(conversation_id), name="open the archive")

    def toggle(self) -> None:
        """Show the imported chats, or those of the project again: the other than was asked for."""
        if self._is_wanted:
            self.close()
        else:
            self.open()

    def close(self) -> None:
        """Show the chats of the project again, or still, if the imported ones are being opened."""
        self._is_wanted = False
        self._opening.cancel()
        if self._is_open:
            self._is_open = False
            self.closed.emit()

    def continue_chat(self, conversation_id: str) -> None:
        """Copy the text of an imported chat to the service, and go on there."""
        if self._continuing.is_idle:
            work = self._continue(conversation_id)
            self._continuing.start(work, name="continue an imported chat")

    def delete_all(self) -> None:
        """Remove every imported chat from this computer, permanently."""
        self._tasks.start(self._imported.forget_all(), name="delete the archive")

    @property
    def is_idle(self) -> bool:
        """Whether no imported chat is being continued."""
        return self._continuing.is_idle

    async def finish(self) -> None:
        """Wait for an imported chat that is being continued."""
        await self._continuing.finish()

    async def aclose(self) -> None:
        """End what is under way."""
        self._imported.emptied.disconnect(self._on_imported_emptied)
        await self._tasks.aclose()
        await self._opening.aclose()
        await self._continuing.aclose()

    def _on_imported_emptied(self) -> None:
        # An opening under way waits for the next workspace.
        if self._is_open:
            self.close()

    async def _open(self, conversation_id: str) -> None:
        workspace = await self._imported.workspace()
        if not self._is_open:
            self._is_open = True
            self.opened.emit(workspace)
        if conversation_id:
            self.chat_requested.emit(conversation_id)

    async def _continue(self, conversation_id: str) -> None:
        connected = self._connected()
        if connected is None:
            raise UserFacingError(ErrorCode.NOT_CONNECTED)
        archive = await self._imported.workspace()
        detail = await archive.client.get_conversation(conversation_id)
        title = (await archive.store.conversations.get(conversation_id)).title
        made_id = await connected.continue_text(
            conversation_id, title, detail.messages, origin_profile=archive.store.profile
        )
        # Meanwhile the person may have left these chats, or changed to another connection.
        if self._is_open and connected is self._connected():
            self.close()
            self.continued.emit(made_id, title)

    def _on_opening_failed(self, words: ErrorMessage) -> None:
        self._is_wanted = self._is_open
        self.failed.emit(words)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.failed.emit(words)


def archive_words(conversation_id: str) -> str:
    """Return what stands where a message would be written: where the chat came from."""
    translate = QCoreApplication.translate
    words = {
        "parley": translate("Archive", "Imported from Parley."),
        "chatgpt": translate("Archive", "Imported from ChatGPT."),
        "claude": translate("Archive", "Imported from Claude."),
    }
    origin = origin_of_chat(conversation_id)
    if origin is None:
        return translate(
            "Archive",
            "Imported chats stay on this computer. If you continue one, its text is sent to the "
            "service.",
        )
    goes = translate("Archive", "If you continue this chat, its text is sent to the service.")
    return f"{words[origin]} {goes}"
