"""The rows of the sidebar in their order; subscribers are told of each change."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import inf

from app.api.models import Order
from app.chat.items import Change, Inserted, Moved, Removed, Replaced, Reset
from app.chat.sessions import ConversationStatus


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation in the sidebar. `title` is empty while its first message is unknown."""

    conversation_id: str
    title: str
    message_count: int
    updated_at: datetime | None
    status: ConversationStatus = ConversationStatus.NONE
    is_pinned: bool = False
    has_draft: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """A conversation was deleted; with `drops_draft`, what is typed there goes as well.

    That is so when nothing of the chats shall be left on this computer.
    """

    conversation_id: str
    drops_draft: bool = False


class ConversationRows:
    """Pinned rows first, then by the time when something was last said; undated ones last.

    Finding a row takes a few steps, however many there are. `on_change` is called with each change
    after it has happened. Made by `Conversations`.
    """

    def __init__(self, on_change: Callable[[Change], None]) -> None:
        self._on_change = on_change
        self._rows: list[ConversationRow] = []
        self._by_id: dict[str, ConversationRow] = {}
        self._order: Order = "desc"

    @property
    def all(self) -> Sequence[ConversationRow]:
        """The rows in their order."""
        return self._rows

    def get(self, conversation_id: str) -> ConversationRow | None:
        """Return the row of a conversation."""
        return self._by_id.get(conversation_id)

    def put(self, row: ConversationRow, *, is_news: bool = False) -> None:
        """Add a row, or show it anew, in its place; of equal ones, news stands on top."""
        before = self._by_id.get(row.conversation_id)
        if before is None:
            self._insert(self._place_for(row, is_news=is_news), [row])
            return
        if row == before:
            return
        at = self._place_of(before)
        self._by_id[row.conversation_id] = row
        if self._key(row) == self._key(before):
            self._rows[at] = row
            self._on_change(Replaced(at))
            return
        del self._rows[at]
        to = self._place_for(row, is_news=is_news)
        self._rows.insert(to, row)
        self._on_change(Replaced(at) if to == at else Moved(at, to))

    def remove(self, conversation_id: str) -> bool:
        """Remove a row; False when there is none."""
        row = self._by_id.get(conversation_id)
        if row is None:
            return False
        self._remove(self._place_of(row), 1)
        return True

    def replace_all(self, rows: Iterable[ConversationRow]) -> None:
        """Show these rows and no others; those that stay in place are not touched."""
        wanted = sorted(rows, key=self._key)
        self._keep_only({row.conversation_id for row in wanted})
        for row in wanted:
            if row.conversation_id in self._by_id:
                self.put(row)
        self.add(wanted)

    def add(self, rows: Iterable[ConversationRow]) -> None:
        """Add those that are not known yet, each in its place."""
        new = [row for row in rows if row.conversation_id not in self._by_id]
        new.sort(key=self._key)
        while new:
            at = self._place_for(new[0], is_news=False)
            # All that come before the same known row go in at once: one change, not one each.
            count = len(new)
            if at < len(self._rows):
                count = bisect_left(new, self._key(self._rows[at]), key=self._key)
            self._insert(at, new[:count])
            del new[:count]

    def sort(self, order: Order) -> None:
        """Sort the rows in this order."""
        if order != self._order:
            self._order = order
            self._rows.sort(key=self._key)
            self._on_change(Reset())

    def is_beyond(self, row: ConversationRow, others: Iterable[ConversationRow]) -> bool:
        """Return whether a row belongs behind all of these, pinned or not."""
        return self._age_key(row) >= max(map(self._age_key, others), default=-inf)

    def _key(self, row: ConversationRow) -> tuple[bool, float]:
        return (not row.is_pinned, self._age_key(row))

    def _age_key(self, row: ConversationRow) -> float:
        if row.updated_at is None:
            return inf
        seconds = row.updated_at.timestamp()
        return -seconds if self._order == "desc" else seconds

    def _place_of(self, row: ConversationRow) -> int:
        at = bisect_left(self._rows, self._key(row), key=self._key)
        # Rows of the same time have the same key.
        while self._rows[at].conversation_id != row.conversation_id:
            at += 1
        return at

    def _place_for(self, row: ConversationRow, *, is_news: bool) -> int:
        bisect = bisect_left if is_news and self._order == "desc" else bisect_right
        return bisect(self._rows, self._key(row), key=self._key)

    def _insert(self, at: int, rows: Sequence[ConversationRow]) -> None:
        self._rows[at:at] = rows
        self._by_id.update((row.conversation_id, row) for row in rows)
        self._on_change(Inserted(at, len(rows)))

    def _remove(self, first: int, count: int) -> None:
        for row in self._rows[first : first + count]:
            del self._by_id[row.conversation_id]
        del self._rows[first : first + count]
        self._on_change(Removed(first, count))

    def _keep_only(self, wanted: Collection[str]) -> None:
        # From the end, so that the places before stay right.
        end = len(self._rows)
        while end:
            first = end
            while first and self._rows[first - 1].conversation_id not in wanted:
                first -= 1
            if first < end:
                self._remove(first, end - first)
            end = max(first - 1, 0)
