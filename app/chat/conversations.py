"""The list of conversations in the sidebar, loaded page by page.

`Conversations` keeps the rows. `DraftStore` keeps each chat's draft and marks the rows with one.
`TitleBackfill` derives titles for chats that were never opened here from their messages at the
service.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from app.api.client import ChatApi
from app.api.http_exchange import RateLimiter
from app.api.models import ConversationSummary, Order
from app.chat.conversation_rows import ConversationRow, ConversationRows, Gone
from app.chat.deletions import ConversationDeletions, purge_local_data
from app.chat.dependencies import ChatDependencies
from app.chat.items import Change, given_title, title_from, words_for_title
from app.chat.reconcile import USER
from app.chat.sessions import Activity, ConversationStatus, Sessions
from app.common.errors import UserFacingError
from app.common.observable import Subscribers
from app.store.conversations import ConversationTable
from app.store.errors import StoreError
from app.store.records import StoredConversation
from app.store.store import ProfileStore

log = logging.getLogger(__name__)


class DraftStore:
    """Stores drafts, and marks the rows of their chats. Made by `Conversations`.

    Attributes:
        ids: the known chats with a draft; an empty id is the new chat.
    """

    def __init__(self, store: ProfileStore, rows: ConversationRows) -> None:
        self._store = store
        self._rows = rows
        self.ids: frozenset[str] = frozenset()

    async def load(self) -> None:
        """Read which chats have a draft.

        Raises:
            StoreError: it cannot be read.
        """
        self.ids = await self._store.conversations.drafted()

    async def keep(self, conversation_id: str, text: str) -> None:
        """Store a draft; an empty text deletes it.

        Raises:
            StoreError: it could not be kept.
        """
        await self._store.conversations.keep_draft(conversation_id, text)
        before, one = self.ids, frozenset((conversation_id,))
        self.ids = before | one if text else before - one
        if row := self._rows.get(conversation_id):
            self._rows.put(replace(row, has_draft=bool(text)))


# Titles may take a small part of the requests of a minute, and no long answers.
_PER_MINUTE: Final = 15
_MOST_MESSAGES: Final = 200


class TitleBackfill:
    """Fetches conversations without a title one by one, each once, and names them.

    Made by `Conversations`, lives as long.
    """

    def __init__(
        self, client: ChatApi, table: ConversationTable, rows: ConversationRows, sessions: Sessions
    ) -> None:
        self._client = client
        self._table = table
        self._rows = rows
        self._sessions = sessions
        self._rate_limiter = RateLimiter(_PER_MINUTE)
        self._asked: set[str] = set()
        self._lock = asyncio.Lock()

    async def name(self, conversation_ids: Sequence[str]) -> None:
        """Name those of these chats that have no title; skips long conversations.

        Raises:
            StoreError: a name could not be kept.
        """
        async with self._lock:
            for conversation_id in conversation_ids:
                if self._may_ask(conversation_id):
                    await self._name(conversation_id)

    def _may_ask(self, conversation_id: str) -> bool:
        row = self._untitled(conversation_id)
        if row is None or conversation_id in self._asked:
            return False
        return 0 < row.message_count <= _MOST_MESSAGES and self._rate_limiter.acquire() == 0

    async def _name(self, conversation_id: str) -> None:
        title = await self._title_of(conversation_id)
        # Deleted meanwhile: nothing of it may be kept any more.
        if not title or self._untitled(conversation_id) is None:
            return
        await self._table.set_title(conversation_id, title, keeps_other=True)
        name = (await self._table.get(conversation_id)).title
        if row := self._untitled(conversation_id):
            self._rows.put(replace(row, title=name))
            self._sessions.show_title(conversation_id, name)

    async def _title_of(self, conversation_id: str) -> str:
        self._asked.add(conversation_id)
        try:
            detail = await self._client.get_conversation(conversation_id)
        except UserFacingError as error:
            # No notice: the user did not ask for this, and learns of the failure when they do.
            log.debug("No title for a chat: %s", error.reason)
            self._asked.discard(conversation_id)
            return ""
        words = (message.content for message in detail.messages if message.role == USER)
        return title_from(next(words, ""))

    def _untitled(self, conversation_id: str) -> ConversationRow | None:
        row = self._rows.get(conversation_id)
        return row if row is not None and not row.title else None


_PAGE_SIZE: Final = 20
# How many pages in a row may hold nothing but hidden versions.
_MOST_EMPTY_PAGES: Final = 500


class Conversations:
    """The rows of the sidebar; observers get each change after it was made.

    Pages are requested by offset and shift when conversations are added or removed meanwhile, so
    rows that are already known are dropped. Made for a profile; `close` stops following the
    sessions.
    """

    def __init__(self, dependencies: ChatDependencies, sessions: Sessions) -> None:
        self._client = dependencies.client
        self._store = dependencies.store
        self._ledger = dependencies.ledger
        self._undo = dependencies.undo
        self._clock = dependencies.clock
        self._sessions = sessions
        self._versions = sessions.versions
        self._observers: Subscribers[[Change | Gone]] = Subscribers()
        self._rows = ConversationRows(self._observers.notify)
        self._order: Order = "desc"
        self._paged_order: Order = "desc"
        self._next_offset = 0
        self._total = 0
        self._paging = asyncio.Lock()
        table = dependencies.store.conversations
        self.drafts = DraftStore(dependencies.store, self._rows)
        self._deletions = ConversationDeletions(dependencies)
        self._first_words = TitleBackfill(dependencies.client, table, self._rows, sessions)
        # The page that was asked for before a deletion may still list what is gone.
        self._deleted: set[str] = set()
        # New chats that a page requested before they began does not list.
        self._unlisted: set[str] = set()
        self._unsubscribe = sessions.subscribe(self._on_activity)

    @property
    def rows(self) -> Sequence[ConversationRow]:
        """The rows known so far, pinned ones first."""
        return self._rows.all

    @property
    def has_more(self) -> bool:
        """Whether the service has further pages."""
        return self._next_offset < self._total

    def subscribe(self, on_change: Callable[[Change | Gone], None]) -> Callable[[], None]:
        """Observe the rows, and every deleted chat, listed or not; call the result to stop."""
        return self._observers.subscribe(on_change)

    async def load_kept(self) -> None:
        """Show the rows of the last run from the store, without a request.

        Raises:
            StoreError: they cannot be read.
        """
        await self._deletions.load()
        await self._versions.load()
        await self._sessions.load_statuses()
        await self.drafts.load()
        kept = await self._store.conversations.first_rows()
        # A refresh may have come first; its rows are newer.
        if not self._rows.all:
            there = (known for known in kept if self._is_listed(known.conversation_id))
            self._rows.replace_all(self._row(known) for known in there)

    def sort(self, order: Order) -> None:
        """Sort the known rows; `refresh` then loads the first page in this order."""
        self._order = order
        self._rows.sort(order)

    async def refresh(self) -> None:
        """Load the first page again.

        Raises:
            UserFacingError: the request failed; the rows stay.
        """
        async with self._paging:
            await self._versions.load()
            await self._deletions.plan(await self._versions.take_left())
            await self._deletions.finish(self._remove_deleted)
            order = self._order
            self._deleted.clear()
            page = await self._client.list_conversations(_PAGE_SIZE, 0, order)
            first = await self._rows_of(page.data)
            self._total, self._next_offset = page.meta.total, _PAGE_SIZE
            is_all = len(page.data) >= self._total
            self._rows.replace_all([*first, *self._others(first, order, is_all=is_all)])
            self._paged_order = order
            await self._keep_first(page.data)
            if not first:
                await self._add_next()

    async def fetch_more(self) -> None:
        """Load the next page that has rows to show, and append them.

        Raises:
            UserFacingError: the request failed; it can be repeated.
        """
        async with self._paging:
            await self._add_next()

    async def create(self) -> str:
        """Begin a conversation at the service; return its id.

        Raises:
            UserFacingError: the service refused, or does not offer it.
        """
        detail = await self._client.create_conversation()
        moment = detail.updated_at or self._clock.wall()
        self._unlisted.add(detail.id)
        row = ConversationRow(detail.id, "", len(detail.messages), moment)
        self._rows.put(row, is_news=True)
        self._total += 1
        return detail.id

    async def add_copy(self, conversation_id: str) -> None:
        """List a copied conversation, in place of the other versions of its chat.

        Raises:
            StoreError: what is known of it cannot be read.
        """
        known = await self._store.conversations.get(conversation_id)
        members = self._versions.members(conversation_id)
        hidden = [row for id_ in members if (row := self._rows.get(id_)) is not None]
        self._unlisted.add(conversation_id)
        row = self._row(known)
        if hidden and row.updated_at is None:
            row = replace(row, updated_at=hidden[0].updated_at)
        if row.updated_at is None:
            row = replace(row, updated_at=self._clock.wall())
        for other in hidden:
            if other.conversation_id != conversation_id:
                self._rows.remove(other.conversation_id)
        self._rows.put(row, is_news=True)

    async def delete(self, conversation_id: str) -> None:
        """Delete a chat permanently, with all its versions, at the service and here.

        An interrupted deletion is finished by `load_kept` and `refresh` at the next start.

        Raises:
            UserFacingError: it was not, or not completely, deleted.
        """
        others = [id_ for id_ in self._versions.members(conversation_id) if id_ != conversation_id]
        # Written down first: a kill in between must not leave half of the versions (threat 104).
        await self._deletions.plan(others)
        try:
            await self._deletions.remove_there(conversation_id)
        except UserFacingError:
            await self._deletions.withdraw(others)
            raise
        await self._remove_deleted(conversation_id)
        await self._deletions.erase_here(conversation_id)
        if others:
            await self._deletions.finish(self._remove_deleted)
        self._versions.forget((conversation_id, *others))

    async def delete_scratch(self, conversation_id: str) -> None:
        """Delete a scratch copy, now or as soon as the service answers.

        Raises:
            StoreError: the deletion could not be stored.
        """
        await self._deletions.plan((conversation_id,))
        await self._deletions.finish(self._remove_deleted)

    async def purge_local_data(self) -> None:
        """Delete everything that this computer stores of all conversations.

        Replies under way end. The service keeps its own, and `refresh` lists it again.

        Raises:
            StoreError: not everything could be removed.
        """
        async with self._paging:
            shown = await self._sessions.forget_all()
            kept = await purge_local_data(self._store, self._ledger, self._undo)
            await self.drafts.load()
            self._versions.forget_all()
            self._rows.replace_all(())
            self._total = self._next_offset = 0
            for conversation_id in dict.fromkeys((*shown, *kept)):
                self._observers.notify(Gone(conversation_id, drops_draft=True))

    async def rename(self, conversation_id: str, title: str) -> None:
        """Set a conversation's title; an empty one restores the title made from its first message.

        Raises:
            StoreError: it could not be kept; the old name stays.
        """
        table = self._store.conversations
        name = given_title(title)
        if not name:
            turns = await self._store.turns.of_conversation(conversation_id)
            first_message = await table.first_words(conversation_id)
            name = title_from(words_for_title(first_message, turns))
        for version_id in self._versions.members(conversation_id):
            await table.set_title(version_id, name)
            self._sessions.show_title(version_id, name)
        if row := self._rows.get(conversation_id):
            self._rows.put(replace(row, title=name))

    async def name_untitled(self, conversation_ids: Sequence[str]) -> None:
        """Name those of these chats that have no title here, one after the other, if it is cheap.

        Raises:
            StoreError: a name could not be kept.
        """
        await self._first_words.name(conversation_ids)

    async def pin(self, conversation_id: str, *, is_pinned: bool) -> None:
        """Keep a conversation in front of the others, or no longer.

        Raises:
            StoreError: it could not be kept; it stays where it is.
        """
        for version_id in self._versions.members(conversation_id):
            await self._store.conversations.set_pinned(version_id, is_pinned)
        if row := self._rows.get(conversation_id):
            self._rows.put(replace(row, is_pinned=is_pinned))

    def close(self) -> None:
        """Stop following the sessions."""
        self._unsubscribe()

    async def _add_next(self) -> None:
        for _ in range(_MOST_EMPTY_PAGES):
            if not self.has_more:
                return
            offset = self._next_offset
            self._deleted.clear()
            page = await self._client.list_conversations(_PAGE_SIZE, offset, self._paged_order)
            self._total = page.meta.total if page.data else min(page.meta.total, offset)
            self._next_offset = offset + _PAGE_SIZE
            rows = await self._rows_of(page.data)
            self._rows.add(rows)
            if rows:
                return

    async def _keep_first(self, summaries: Sequence[ConversationSummary]) -> None:
        try:
            await self._store.conversations.keep_first_rows(
                [_kept(s) for s in summaries if self._is_listed(s.id)]
            )
        except StoreError as exc:
            log.warning("Cannot save the first rows of the sidebar: %s", exc.reason)

    def _others(
        self, first: Sequence[ConversationRow], order: Order, *, is_all: bool
    ) -> Iterable[ConversationRow]:
        """Return rows of further pages. One that belongs on the first and is not there is gone."""
        is_same_order = order == self._paged_order
        known = {row.conversation_id for row in first}

        def stays(row: ConversationRow) -> bool:
            if row.conversation_id in known or is_all:
                return False
            return row.is_pinned or (is_same_order and self._rows.is_beyond(row, first))

        return [
            row
            for row in self._rows.all
            if row.conversation_id in self._unlisted or stays(row)
            if not self._versions.is_hidden(row.conversation_id)
        ]

    def _is_listed(self, conversation_id: str) -> bool:
        is_hidden = self._versions.is_hidden(conversation_id)
        return not (is_hidden or self._is_deleted(conversation_id))

    def _is_deleted(self, conversation_id: str) -> bool:
        return conversation_id in self._deleted or conversation_id in self._deletions.cut_off

    async def _remove_deleted(self, conversation_id: str) -> None:
        """End what runs in a conversation that the service no longer has, and remove its row."""
        self._deleted.add(conversation_id)
        self._unlisted.discard(conversation_id)
        self._observers.notify(Gone(conversation_id))
        await self._sessions.forget(conversation_id)
        self._remove_row(conversation_id)

    def _remove_row(self, conversation_id: str) -> None:
        if self._rows.remove(conversation_id):
            self._total -= 1
            # What stood behind it has moved up by one at the service.
            self._next_offset = max(self._next_offset - 1, 0)

    def _on_activity(self, activity: Activity) -> None:
        before = self._rows.get(activity.conversation_id)
        if before is None and self._versions.is_hidden(activity.conversation_id):
            return
        if before is None:
            if activity.status is not ConversationStatus.NONE:
                self._rows.put(_row_of(activity), is_news=True)
            return
        row = replace(
            before,
            title=activity.title or before.title,
            status=activity.status,
            message_count=activity.message_count or before.message_count,
            updated_at=activity.updated_at or before.updated_at,
        )
        self._rows.put(row, is_news=True)

    async def _rows_of(self, listed: Sequence[ConversationSummary]) -> list[ConversationRow]:
        noted = await self._store.conversations.noted()
        rows = []
        self._unlisted -= {summary.id for summary in listed}
        # Only now: what was deleted while the store was asked must not come back.
        for summary in (summary for summary in listed if self._is_listed(summary.id)):
            known = noted.get(summary.id, StoredConversation(summary.id))
            count, moment = summary.message_count, _moment(summary)
            rows.append(self._row(replace(known, message_count=count, updated_at=moment)))
        return rows

    def _row(self, known: StoredConversation) -> ConversationRow:
        return ConversationRow(
            known.conversation_id,
            known.title,
            known.message_count,
            known.updated_at,
            self._sessions.status(known.conversation_id),
            known.is_pinned,
            known.conversation_id in self.drafts.ids,
        )


def _kept(summary: ConversationSummary) -> StoredConversation:
    return StoredConversation(summary.id, "", summary.message_count, _moment(summary))


def _moment(summary: ConversationSummary) -> datetime | None:
    return summary.updated_at or summary.created_at


def _row_of(activity: Activity) -> ConversationRow:
    return ConversationRow(
        activity.conversation_id,
        activity.title,
        activity.message_count,
        activity.updated_at,
        activity.status,
    )
