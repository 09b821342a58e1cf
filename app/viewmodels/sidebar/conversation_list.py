"""The sidebar's conversations, as a Qt list model that pages as it is scrolled."""

import logging
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal

from app.api.models import Order
from app.chat.conversation_rows import ConversationRow, Gone
from app.chat.conversations import Conversations
from app.chat.items import Change
from app.chat.workspace import Workspace
from app.error_text import explain
from app.errors import UserFacingError
from app.tasks import TaskOwner
from app.viewmodels.dates import local_now
from app.viewmodels.failures import failure_route
from app.viewmodels.rows import ROW_ROLE, Index, RowsModel
from app.viewmodels.sidebar.chat_words import spoken_words
from app.viewmodels.sidebar.deletion import NO_DELETION, Deleting

log = logging.getLogger(__name__)


class ConversationListModel(RowsModel[ConversationRow]):
    """A row a conversation, pinned ones first; further pages are fetched when the view asks.

    A row can be edited: what is set is the chat's name. One for the window's life; `show` points
    it at the conversations of another profile or at none. `aclose` ends what it still fetches.
    """

    deleted = Signal(str, bool)
    """A conversation is gone; arguments: its id, and whether what is typed there goes with it.

    It does unless somebody deleted the chat in another window.
    """
    copies_forgotten = Signal()
    """What was kept here of a profile is gone; the service keeps its own."""
    deletion_changed = Signal(object)
    """How deleting goes on, or that it is over; argument: a `Deletion`."""
    problem_changed = Signal(object)
    """What could not be done, or that all is well again; argument: the `ErrorText`, or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(lambda row: row.title, parent, spoken_of=_spoken)
        self._conversations: Conversations | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._deleting: dict[Conversations, Deleting] = {}
        route = failure_route(self.problem_changed.emit)
        # Reading ends with the profile; a deletion that has begun goes on to its end.
        self._reads = TaskOwner(route)
        self._tasks = TaskOwner(route)
        self._is_fetching = False
        self._order: Order = "desc"

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
            conversations.sort(self._order)
            self._unsubscribe = conversations.subscribe(self._on_conversations_change)
            self._reads.start(conversations.load_kept(), name="kept conversations")
        self.replace_all(conversations.rows if conversations else ())
        under_way = self._deleting.get(conversations) if conversations else None
        self.deletion_changed.emit(under_way.state if under_way else NO_DELETION)

    def refresh(self) -> None:
        """Asks the service for the first page again."""
        if self._conversations:
            self._reads.start(self._refresh(self._conversations), name="refresh conversations")

    def sort_by(self, order: Order) -> None:
        """Shows the newest first (`desc`) or the oldest; what is missing for that is fetched."""
        if order == self._order:
            return
        self._order = order
        if self._conversations:
            self._conversations.sort(order)
            if self._conversations.has_more:
                self.refresh()

    def delete_all(self, conversation_ids: Sequence[str]) -> None:
        """Deletes these conversations at the service and here, for ever, one after the other.

        They join those that are being deleted already.
        """
        conversations = self._conversations
        if conversations is None or not conversation_ids:
            return
        deleting = self._deleting.get(conversations)
        if deleting is None:
            deleting = self._deleting[conversations] = Deleting()
            work = self._delete(conversations, deleting)
            self._tasks.start(work, name="delete conversations")
        deleting.add(conversation_ids)
        self._tell(conversations, deleting)

    def forget_copies(self, workspace: Workspace) -> None:
        """Removes what this computer keeps of a profile; the service keeps its own."""
        self._tasks.start(self._forget_copies(workspace.conversations), name="forget copies")

    def pin(self, conversation_ids: Sequence[str], *, is_pinned: bool) -> None:
        """Keeps these conversations in front of the others, or no longer."""
        if self._conversations:
            work = _pin(self._conversations, tuple(conversation_ids), is_pinned=is_pinned)
            self._tasks.start(work, name="pin conversations")

    def name(self, conversation_ids: Sequence[str]) -> None:
        """Looks for names of these conversations, which are seen and have none."""
        if self._conversations and conversation_ids:
            work = self._conversations.name_untitled(tuple(conversation_ids))
            self._reads.start(work, name="name conversations")

    async def aclose(self) -> None:
        """Ends what is still under way."""
        # Rows that are still drawn may ask for their names until the window is gone.
        self._conversations = None
        await self._reads.aclose()
        await self._tasks.aclose()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Returns that a chat can be renamed."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Names a conversation; an empty text brings back the name made from its words."""
        row = self.data(index, ROW_ROLE)
        if (
            not isinstance(row, ConversationRow)
            or role != Qt.ItemDataRole.EditRole
            or not self._conversations
        ):
            return False
        if value != row.title:
            work = self._conversations.rename(row.conversation_id, str(value))
            self._tasks.start(work, name="rename conversation")
        return True

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

    async def _delete(self, conversations: Conversations, deleting: Deleting) -> None:
        try:
            while deleting.next:
                try:
                    await conversations.delete(deleting.next)
                except UserFacingError as error:
                    log.info("A chat was not deleted: %s", error.reason)
                    deleting.note_failed(explain(error))
                else:
                    deleting.note_done()
                self._tell(conversations, deleting)
        finally:
            del self._deleting[conversations]

    async def _forget_copies(self, conversations: Conversations) -> None:
        await conversations.forget_copies()
        self.copies_forgotten.emit()
        await self._refresh(conversations)

    def _tell(self, conversations: Conversations, deleting: Deleting) -> None:
        # What becomes of another profile's chats is nothing to say about this one.
        if conversations is self._conversations:
            self.deletion_changed.emit(deleting.state)

    def _on_conversations_change(self, change: Change | Gone) -> None:
        if self._conversations is None:
            return
        if isinstance(change, Gone):
            deleting = self._deleting.get(self._conversations)
            is_own = deleting is not None and deleting.next == change.conversation_id
            self.deleted.emit(change.conversation_id, change.drops_draft or is_own)
        else:
            self.mirror(change, self._conversations.rows)


async def _pin(conversations: Conversations, ids: Sequence[str], *, is_pinned: bool) -> None:
    for conversation_id in ids:
        await conversations.pin(conversation_id, is_pinned=is_pinned)


def _spoken(row: ConversationRow) -> str:
    return spoken_words(row, local_now())
