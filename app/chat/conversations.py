"""The sidebar's data: which conversations there are, newest first, a page at a time."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from app.api.errors import NotFound
from app.api.models import ConversationSummary
from app.approvals.observers import Observers
from app.chat.equipment import Equipment
from app.chat.items import Change, Inserted, Removed, Replaced, Reset
from app.chat.sessions import Activity, Mark, Sessions
from app.error_text import Reason
from app.store.errors import StoreError
from app.store.rows import KeptConversation
from local_tools.ledger import LedgerError

__all__ = ["ConversationRow", "Conversations", "Mark"]

log = logging.getLogger(__name__)

_PAGE_SIZE: Final = 20


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation in the sidebar. `title` is empty while its first message is unknown."""

    conversation_id: str
    title: str
    message_count: int
    updated_at: datetime | None
    mark: Mark = Mark.NONE


class Conversations:
    """The rows of the sidebar; changes are announced one by one, when they have happened.

    Pages are asked for by offset and drift when something is added or removed meanwhile, so rows
    that are known already are dropped. Made for a profile; `close` stops following the sessions.
    """

    def __init__(self, equipment: Equipment, sessions: Sessions) -> None:
        self._client = equipment.client
        self._store = equipment.store
        self._ledger = equipment.ledger
        self._clock = equipment.clock
        self._sessions = sessions
        self._rows: list[ConversationRow] = []
        self._next_offset = 0
        self._total = 0
        self._paging = asyncio.Lock()
        # A page that was asked for before a deletion may still list what is gone.
        self._deleted: set[str] = set()
        self._observers: Observers[[Change]] = Observers()
        self._unsubscribe = sessions.subscribe(self._on_activity)

    @property
    def rows(self) -> Sequence[ConversationRow]:
        """The rows known so far, newest first."""
        return self._rows

    @property
    def has_more(self) -> bool:
        """Whether the service has pages that were not asked for yet."""
        return self._next_offset < self._total

    def subscribe(self, on_change: Callable[[Change], None]) -> Callable[[], None]:
        """Follow the rows; what is returned ends it."""
        return self._observers.add(on_change)

    async def load_kept(self) -> None:
        """Show the rows of the last time, without asking anybody.

        Raises:
            StoreError: they cannot be read.
        """
        kept = await self._store.conversations.first_rows()
        if not self._rows:
            self._replace_all([self._row(known) for known in kept])

    async def refresh(self) -> None:
        """Ask for the first page again.

        Raises:
            UserFacingError: it did not come; the rows stay.
        """
        async with self._paging:
            page = await self._client.list_conversations(limit=_PAGE_SIZE, offset=0)
            titles = await self._store.conversations.titles()
            listed = [summary for summary in page.data if summary.id not in self._deleted]
            first = [self._row(_kept(summary, titles)) for summary in listed]
            self._total, self._next_offset = page.meta.total, _PAGE_SIZE
            self._replace_all([*first, *self._older_than(first)])
            await self._keep_first(listed)

    async def fetch_more(self) -> None:
        """Ask for the next page and add what is new on it.

        Raises:
            UserFacingError: it did not come; it can be asked for again.
        """
        async with self._paging:
            if not self.has_more:
                return
            offset = self._next_offset
            page = await self._client.list_conversations(limit=_PAGE_SIZE, offset=offset)
            titles = await self._store.conversations.titles()
            self._total = page.meta.total if page.data else min(page.meta.total, offset)
            self._next_offset = offset + _PAGE_SIZE
            known = {row.conversation_id for row in self._rows} | self._deleted
            new = [self._row(_kept(s, titles)) for s in page.data if s.id not in known]
            if new:
                self._rows.extend(new)
                self._observers.tell(Inserted(len(self._rows) - len(new), len(new)))

    async def create(self) -> str:
        """Begin a conversation at the service; return its id.

        Raises:
            UserFacingError: the service refused, or does not offer it.
        """
        detail = await self._client.create_conversation()
        moment = detail.updated_at or self._clock.wall()
        self._put_first(ConversationRow(detail.id, "", len(detail.messages), moment))
        self._total += 1
        return detail.id

    async def delete(self, conversation_id: str) -> None:
        """Remove a conversation for ever: at the service, and every word of it here.

        Raises:
            UserFacingError: it was not removed, or not completely.
        """
        try:
            await self._client.delete_conversation(conversation_id)
        except NotFound as exc:
            if exc.reason != Reason.CONVERSATION_GONE:
                raise
        self._deleted.add(conversation_id)
        await self._sessions.forget(conversation_id)
        self._take_away(conversation_id)
        await self._store.conversations.forget(conversation_id)
        try:
            await self._ledger.erase(self._store.profile, conversation_id)
        except LedgerError as exc:
            raise StoreError(Reason.STORE_UNWRITABLE) from exc

    def close(self) -> None:
        """Stop following the sessions."""
        self._unsubscribe()

    async def _keep_first(self, summaries: Sequence[ConversationSummary]) -> None:
        try:
            await self._store.conversations.keep_first_rows([_kept(s, {}) for s in summaries])
        except StoreError as exc:
            log.warning("The first rows of the sidebar were not kept: %s", exc.reason)

    def _older_than(self, first: Sequence[ConversationRow]) -> list[ConversationRow]:
        """Rows of further pages. One that belongs on the first page and is not there is gone."""
        known = {row.conversation_id for row in first}
        last = first[-1].updated_at if first else None
        if last is None or len(first) >= self._total:
            return []
        return [
            row
            for row in self._rows
            if row.conversation_id not in known and row.updated_at and row.updated_at <= last
        ]

    def _replace_all(self, rows: list[ConversationRow]) -> None:
        if rows != self._rows:
            self._rows = rows
            self._observers.tell(Reset())

    def _put_first(self, row: ConversationRow) -> None:
        self._rows.insert(0, row)
        self._observers.tell(Inserted(0, 1))

    def _take_away(self, conversation_id: str) -> None:
        at = self._place_of(conversation_id)
        if at is None:
            return
        del self._rows[at]
        self._total -= 1
        # What stood behind it has moved up by one at the service.
        self._next_offset = max(self._next_offset - 1, 0)
        self._observers.tell(Removed(at, 1))

    def _on_activity(self, activity: Activity) -> None:
        at = self._place_of(activity.conversation_id)
        if at is None:
            if activity.mark is not Mark.NONE:
                self._put_first(_row_of(activity))
            return
        before = self._rows[at]
        row = replace(
            before,
            title=activity.title or before.title,
            mark=activity.mark,
            message_count=activity.message_count or before.message_count,
            updated_at=activity.updated_at or before.updated_at,
        )
        if row == before:
            return
        if at > 0 and _is_later(row, before):
            del self._rows[at]
            self._observers.tell(Removed(at, 1))
            self._put_first(row)
        else:
            self._rows[at] = row
            self._observers.tell(Replaced(at))

    def _row(self, known: KeptConversation) -> ConversationRow:
        return ConversationRow(
            known.conversation_id,
            known.title,
            known.message_count,
            known.updated_at,
            self._sessions.mark(known.conversation_id),
        )

    def _place_of(self, conversation_id: str) -> int | None:
        for at, row in enumerate(self._rows):
            if row.conversation_id == conversation_id:
                return at
        return None


def _kept(summary: ConversationSummary, titles: dict[str, str]) -> KeptConversation:
    return KeptConversation(
        summary.id, titles.get(summary.id, ""), summary.message_count, summary.updated_at
    )


def _row_of(activity: Activity) -> ConversationRow:
    return ConversationRow(
        activity.conversation_id,
        activity.title,
        activity.message_count,
        activity.updated_at,
        activity.mark,
    )


def _is_later(row: ConversationRow, before: ConversationRow) -> bool:
    if row.updated_at is None or before.updated_at is None:
        return row.updated_at is not None
    return row.updated_at > before.updated_at
