"""The sidebar's conversations, as a Qt list model that pages as it is scrolled."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.chat.conversations import ConversationRow, Conversations
from app.chat.items import Change
from app.chat.marks import Mark
from app.errors import UserFacingError
from app.tasks import TaskOwner
from app.viewmodels.failures import failure_route
from app.viewmodels.rows import Index, RowsModel

log = logging.getLogger(__name__)


class ConversationListModel(RowsModel[ConversationRow]):
    """A row a conversation, newest first; further pages are fetched when the view asks.

    One for the window's life; `show` points it at the conversations of another profile or at
    none. `aclose` ends what it still fetches.
    """

    deleted = Signal(str)
    """A conversation is gone for ever; argument: its id."""
    problem_changed = Signal(object)
    """What could not be done, or that all is well again; argument: the `ErrorText`, or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(lambda row: row.title, parent, spoken_of=_spoken)
        self._conversations: Conversations | None = None
        self._unsubscribe: Callable[[], None] | None = None
        route = failure_route(self.problem_changed.emit)
        # Reading ends with the profile; a deletion that has begun goes on to its end.
        self._reads = TaskOwner(route)
        self._tasks = TaskOwner(route)
        self._is_fetching = False

    def show(self, conversations: Conversations | None) -> None:
        """Shows these conversations: what is kept here at once, the service's on `refresh`."""
        if self._unsubscribe:
            self._unsubscribe()
            self._unsubscribe = None
        self._reads.cancel()
        self._conversations = conversations
        self._is_fetching = False
        self.problem_changed.emit(None)
        if conversations:
            self._unsubscribe = conversations.subscribe(self._on_conversations_change)
            self._reads.start(conversations.load_kept(), name="kept conversations")
        self.replace_all(conversations.rows if conversations else ())

    def refresh(self) -> None:
        """Asks the service for the first page again."""
        if self._conversations:
            self._reads.start(self._refresh(self._conversations), name="refresh conversations")

    def delete(self, conversation_id: str) -> None:
        """Deletes the conversation at the service and here, for ever."""
        if self._conversations:
            self._tasks.start(
                self._delete(self._conversations, conversation_id), name="delete conversation"
            )

    async def aclose(self) -> None:
        """Ends what is still under way."""
        await self._reads.aclose()
        await self._tasks.aclose()

    def canFetchMore(self, parent: Index) -> bool:
        """Returns whether the service has more conversations than are known here."""
        if parent.isValid() or self._conversations is None or self._is_fetching:
            return False
        return self._conversations.has_more

    def fetchMore(self, parent: Index) -> None:
        """Asks for the next page; its rows appear when they arrive."""
        if self.canFetchMore(parent) and self._conversations:
            self._is_fetching = True
            self._reads.start(self._fetch_more(self._conversations), name="next conversations")

    async def _refresh(self, conversations: Conversations) -> None:
        await conversations.refresh()
        self.problem_changed.emit(None)

    async def _fetch_more(self, conversations: Conversations) -> None:
        try:
            await conversations.fetch_more()
        finally:
            if conversations is self._conversations:
                self._is_fetching = False

    async def _delete(self, conversations: Conversations, conversation_id: str) -> None:
        try:
            await conversations.delete(conversation_id)
        except UserFacingError as error:
            # What went wrong with another profile's list is nothing to say about this one.
            if conversations is self._conversations:
                raise
            log.info("A chat of a profile that was left was not deleted: %s", error.reason)
        else:
            self.deleted.emit(conversation_id)

    def _on_conversations_change(self, change: Change) -> None:
        if self._conversations:
            self.mirror(change, self._conversations.rows)


def _spoken(row: ConversationRow) -> str:
    translate = QCoreApplication.translate
    parts = [row.title, translate("Chats", "%n messages", "", row.message_count)]
    marks = {
        Mark.STREAMING: translate("Chats", "a reply is coming in"),
        Mark.WAITING: translate("Chats", "waiting for you"),
        Mark.FAILED: translate("Chats", "failed"),
        Mark.UNREAD: translate("Chats", "not read yet"),
    }
    if row.mark in marks:
        parts.append(marks[row.mark])
    return ", ".join(parts)
