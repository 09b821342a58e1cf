"""The sidebar's conversations, as a Qt list model that pages as it is scrolled.

`ConversationListModel` has the rows. The `…_words` functions make what is said of a chat in a list:
its name, how much was said, its status, and all of it. `DeletionView` shows how the deletion of one
or several chats is going.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from app.api.models import Order
from app.chat.conversation_rows import ConversationRow, Gone
from app.chat.conversations import Conversations
from app.chat.items import Change
from app.chat.sessions import ConversationStatus
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorMessage, explain
from app.common.errors import UserFacingError
from app.tasks import TaskOwner
from app.viewmodels.dates import group_of, local_now, short_time
from app.viewmodels.i18n import error_handler
from app.viewmodels.rows import ROW_ROLE, Index, RowsModel


def title_words(row: ConversationRow) -> str:
    """Return the title, or words for a chat that has none here."""
    if row.title:
        return row.title
    if row.message_count:
        return untitled_words()
    return QCoreApplication.translate("Chats", "New chat")


def untitled_words() -> str:
    """Return words for a chat in which something was said, but whose title is not known here."""
    return QCoreApplication.translate("Chats", "Untitled chat")


def count_words(count: int) -> str:
    """Return how many messages there are."""
    return QCoreApplication.translate("Chats", "%n messages", "", count)


def size_words(row: ConversationRow) -> str:
    """Return how many messages there are, or how the first one fares."""
    if row.message_count:
        return count_words(row.message_count)
    translate = QCoreApplication.translate
    # While nothing has been counted, the status says more than a nought.
    return {
        ConversationStatus.NONE: translate("Chats", "No messages yet"),
        ConversationStatus.STREAMING: translate("Chats", "Writing the first reply…"),
        ConversationStatus.WAITING: translate("Chats", "Waiting for you"),
        ConversationStatus.FAILED: translate("Chats", "No reply"),
        ConversationStatus.UNREAD: translate("Chats", "Unread"),
    }[row.status]


def hint_words(row: ConversationRow) -> str:
    """Return what stands under the name: how much was said, after a word for a kept draft."""
    words = size_words(row)
    if row.has_draft:
        return QCoreApplication.translate("Chats", "Draft · {words}").format(words=words)
    return words


def caption_words(row: ConversationRow, now: datetime) -> str:
    """Return the caption that the chat stands under; `now` has the user's time zone."""
    if row.is_pinned:
        return QCoreApplication.translate("Chats", "Pinned")
    if row.updated_at is None:
        return QCoreApplication.translate("Chats", "No date")
    return group_of(row.updated_at, now)


def spoken_words(row: ConversationRow, now: datetime) -> str:
    """Return all that a row shows, as a screen reader says it."""
    translate = QCoreApplication.translate
    parts = [title_words(row), size_words(row)]
    if row.updated_at:
        parts.append(short_time(row.updated_at, now))
    if row.is_pinned:
        parts.append(translate("Chats", "pinned"))
    if row.has_draft:
        parts.append(translate("Chats", "with a draft"))
    marks = {
        ConversationStatus.STREAMING: translate("Chats", "reply in progress"),
        ConversationStatus.WAITING: translate("Chats", "waiting for you"),
        ConversationStatus.FAILED: translate("Chats", "failed"),
        ConversationStatus.UNREAD: translate("Chats", "unread"),
    }
    if row.status in marks and row.message_count:
        parts.append(marks[row.status])
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class DeletionView:
    """Chats that are deleted one after the other.

    `left` are those that are still there: to come while it `is_running`, else not deleted, for
    the reason in `words`.
    """

    total: int
    left: tuple[str, ...]
    is_running: bool
    words: ErrorMessage | None = None

    @property
    def done(self) -> int:
        """How many are gone."""
        return self.total - len(self.left)


NO_DELETION = DeletionView(0, (), is_running=False)


class Deleting:
    """The chats of one profile that are to be deleted; more can join while it goes on.

    Made with the first of them, ends with the last.
    """

    def __init__(self) -> None:
        self._to_come: dict[str, None] = {}
        self._failed: dict[str, None] = {}
        self._words: ErrorMessage | None = None
        self._done = 0

    @property
    def state(self) -> DeletionView:
        """How many are deleted, and which are left or failed."""
        left = (*self._failed, *self._to_come)
        return DeletionView(self._done + len(left), left, bool(self._to_come), self._words)

    @property
    def next(self) -> str:
        """The chat that is deleted now; empty when all were tried."""
        return next(iter(self._to_come), "")

    def add(self, conversation_ids: Sequence[str]) -> None:
        """Add chats that are to be deleted, too, or again."""
        for conversation_id in conversation_ids:
            self._failed.pop(conversation_id, None)
            self._to_come.setdefault(conversation_id)

    def note_done(self) -> None:
        """Note that the next one is gone."""
        del self._to_come[self.next]
        self._done += 1

    def note_failed(self, words: ErrorMessage) -> None:
        """Note that the next one is still there, for the reason in these words."""
        self._failed[self.next] = None
        del self._to_come[self.next]
        self._words = words


log = logging.getLogger(__name__)


class ConversationListModel(RowsModel[ConversationRow]):
    """One row for each conversation, pinned ones first; the view asks for further pages.

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
    """How deleting goes on, or that it is over; argument: a `DeletionView`."""
    problem_changed = Signal(object)
    """What could not be done, or that all is well again; argument: the `ErrorMessage`, or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(lambda row: row.title, parent, spoken_of=_spoken)
        self._conversations: Conversations | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._deleting: dict[Conversations, Deleting] = {}
        route = error_handler(self.problem_changed.emit)
        # Reading ends with the profile; a deletion that has begun goes on to its end.
        self._reads = TaskOwner(route)
        self._tasks = TaskOwner(route)
        self._is_fetching = False
        self._order: Order = "desc"

    def show(self, conversations: Conversations | None) -> None:
        """Show these conversations: what is kept here at once, the service's on `refresh`."""
        if self._unsubscribe:
            self._unsubscribe()
            self._unsubscribe = None
        # Rows of the profile before must not arrive in this one.
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
        """Ask the service for the first page again."""
        if self._conversations:
            self._reads.start(self._refresh(self._conversations), name="refresh conversations")

    def sort_by(self, order: Order) -> None:
        """Show the newest first (`desc`) or the oldest; what is missing for that is fetched."""
        if order == self._order:
            return
        self._order = order
        if self._conversations:
            self._conversations.sort(order)
            if self._conversations.has_more:
                self.refresh()

    def delete_all(self, conversation_ids: Sequence[str]) -> None:
        """Delete these conversations at the service and here, permanently, one after the other.

        They join those that are being deleted already.
        """
        conversations = self._conversations
        if conversations is None or not conversation_ids:
            return
        deleting = self._deleting.get(conversations)
        if deleting is None:
            # By profile: changing to another one does not end a deletion that has begun.
            deleting = self._deleting[conversations] = Deleting()
            work = self._delete(conversations, deleting)
            self._tasks.start(work, name="delete conversations")
        deleting.add(conversation_ids)
        self._tell(conversations, deleting)

    def purge_local_data(self, workspace: Workspace) -> None:
        """Remove what this computer keeps of a profile; the service keeps its own."""
        self._tasks.start(self._purge_local_data(workspace.conversations), name="purge local data")

    def pin(self, conversation_ids: Sequence[str], *, is_pinned: bool) -> None:
        """Keep these conversations in front of the others, or no longer."""
        if self._conversations:
            work = _pin(self._conversations, tuple(conversation_ids), is_pinned=is_pinned)
            self._tasks.start(work, name="pin conversations")

    def name(self, conversation_ids: Sequence[str]) -> None:
        """Look for names of these conversations, which are seen and have none."""
        if self._conversations and conversation_ids:
            work = self._conversations.name_untitled(tuple(conversation_ids))
            self._reads.start(work, name="name conversations")

    async def aclose(self) -> None:
        """End what is still under way."""
        # Rows may still be painted, and ask for their titles, until the window is destroyed.
        self._conversations = None
        await self._reads.aclose()
        await self._tasks.aclose()

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return that a chat can be renamed."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Name a conversation; an empty text brings back the name made from its words."""
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
        """Return whether the service has more conversations than are known here."""
        if parent.isValid() or self._conversations is None or self._is_fetching:
            return False
        return self._conversations.has_more

    def fetchMore(self, parent: Index) -> None:
        """Ask for the next page; its rows appear when they arrive."""
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

    async def _purge_local_data(self, conversations: Conversations) -> None:
        await conversations.purge_local_data()
        self.copies_forgotten.emit()
        await self._refresh(conversations)

    def _tell(self, conversations: Conversations, deleting: Deleting) -> None:
        # The list may show another profile by now.
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
