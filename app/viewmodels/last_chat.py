"""Which chat was open when the program ended: it is opened again, once it is known to be there."""

import logging

from PySide6.QtCore import QObject

from app.chat.workspace import Workspace
from app.error_text import ErrorText
from app.tasks import TaskOwner
from app.viewmodels.chat import ChatViewModel
from app.viewmodels.failures import failure_route
from app.viewmodels.states import ChatViewState

log = logging.getLogger(__name__)


class LastChat(QObject):
    """Shows a profile in `chat` as it was left: with the chat that was open last.

    When the service no longer has that, a new one begins. Whoever opens a chat before it is found
    stays there. One for the window's life; `aclose` ends what is under way.
    """

    def __init__(self, chat: ChatViewModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chat = chat
        self._workspace: Workspace | None = None
        self._is_looking = False
        self._restored = ""
        self._tasks = TaskOwner(failure_route(_log_failure))
        chat.opened.connect(self._on_chat_opened)
        chat.accepted.connect(self._on_chat_accepted)
        chat.state_changed.connect(self._on_chat_state_changed)

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Works with this profile from now on."""
        # What the change of profile opens is nobody's choice.
        self._workspace = None
        self._restored = ""
        self._chat.show_workspace(workspace)
        self._workspace = workspace
        self._is_looking = workspace is not None
        if workspace:
            self._tasks.start(self._restore(workspace), name="open the last chat")

    async def aclose(self) -> None:
        """Ends what is under way."""
        await self._tasks.aclose()

    async def _restore(self, workspace: Workspace) -> None:
        conversation_id = await workspace.store.marks.last_open()
        if workspace is not self._workspace or not self._is_looking:
            return
        self._is_looking = False
        if conversation_id:
            self._restored = conversation_id
            self._chat.open(conversation_id)

    async def _keep(self, workspace: Workspace, conversation_id: str) -> None:
        await workspace.store.marks.set_last_open(conversation_id)

    def _on_chat_opened(self, conversation_id: str) -> None:
        if self._workspace is None:
            return
        self._is_looking = False
        if conversation_id != self._restored:
            self._restored = ""
            work = self._keep(self._workspace, conversation_id)
            self._tasks.start(work, name="keep the last chat")

    def _on_chat_accepted(self) -> None:
        self._restored = ""

    def _on_chat_state_changed(self, _state: ChatViewState) -> None:
        if self._restored and self._workspace:
            session = self._workspace.sessions.get(self._restored)
            if session.state.is_missing:
                self._chat.open("")


def _log_failure(words: ErrorText) -> None:
    log.warning("The chat that was open last is not known: %s", words.sentence)
