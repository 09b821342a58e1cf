"""Reopen the chat that was open when the program ended, if it still exists."""

import logging

from PySide6.QtCore import QObject

from app.chat.workspace import Workspace
from app.common.error_messages import ErrorMessage
from app.store.errors import StoreError
from app.tasks import TaskOwner
from app.viewmodels.chat.chat import ChatViewModel, ChatViewState
from app.viewmodels.i18n import error_handler

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
        # What is open, until it is written down; only the last of it counts.
        self._unkept: tuple[Workspace, str] | None = None
        self._tasks = TaskOwner(error_handler(_log_failure))
        chat.opened.connect(self._on_chat_opened)
        chat.accepted.connect(self._on_chat_accepted)
        chat.state_changed.connect(self._on_chat_state_changed)

    def show_workspace(self, workspace: Workspace | None) -> None:
        """Use this profile from now on."""
        # A chat opened by a change of profile was not chosen by the user, so it is not stored.
        self._workspace = None
        self._restored = ""
        self._chat.show_workspace(workspace)
        self._workspace = workspace
        self._is_looking = workspace is not None
        if workspace:
            self._tasks.start(self._restore(workspace), name="open the last chat")

    async def aclose(self) -> None:
        """Write what is not written yet, and end what is under way."""
        await self._tasks.aclose()
        try:
            await self._keep()
        except StoreError as exc:
            log.warning("Cannot save which chat is open: %s", exc.reason)

    async def _restore(self, workspace: Workspace) -> None:
        conversation_id = await workspace.store.conversations.last_open()
        if workspace is not self._workspace or not self._is_looking:
            return
        self._is_looking = False
        if conversation_id:
            self._restored = conversation_id
            # Two windows may have shown it.
            self._chat.open(conversation_id, is_second_view=True)

    async def _keep(self) -> None:
        if unkept := self._unkept:
            workspace, conversation_id = unkept
            await workspace.store.conversations.set_last_open(conversation_id)
            if self._unkept is unkept:
                self._unkept = None

    def _on_chat_opened(self, conversation_id: str) -> None:
        if self._workspace is None:
            return
        self._is_looking = False
        if conversation_id != self._restored:
            self._restored = ""
            self._unkept = self._workspace, conversation_id
            self._tasks.start(self._keep(), name="keep the last chat")

    def _on_chat_accepted(self) -> None:
        self._restored = ""

    def _on_chat_state_changed(self, _state: ChatViewState) -> None:
        if self._restored and self._workspace:
            session = self._workspace.sessions.get(self._restored)
            if session.state.is_missing:
                self._chat.open("")


def _log_failure(words: ErrorMessage) -> None:
    log.warning("Cannot read which chat was open last: %s", words.sentence)
