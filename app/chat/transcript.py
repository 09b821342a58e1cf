"""The rows of one chat, in the order a person reads them, and how events change them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from app.api.events import Event
from app.chat.call_facts import CallFacts
from app.chat.items import Change, Inserted, Item, Removed, Replaced, Reset, ToolRow
from app.chat.reply import Reply
from app.chat.reply_items import reply_item
from app.store.rows import PieceKind, ReplyPiece

Changes = tuple[Change, ...]


class Transcript:
    """Items and what happens to them; every change is returned, none is announced here.

    At most one reply is live: its rows stand right behind the message it answers, so that
    messages that wait stay below it. Keys: a message has its turn's id (or the service's id, when
    it was not sent from here), its reply's rows and its notice begin with that id. Made by a
    session, lives as long.
    """

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._live: _LiveReply | None = None
        self._has_folder = False

    @property
    def items(self) -> Sequence[Item]:
        """The rows, oldest first."""
        return self._items

    @property
    def pieces(self) -> tuple[ReplyPiece, ...]:
        """The pieces of the live reply."""
        return self._live.reply.pieces if self._live else ()

    def find(self, key: str) -> Item | None:
        """The item with this key."""
        row = self._row_of(key)
        return self._items[row] if row is not None else None

    def replace_all(self, items: Sequence[Item]) -> Changes:
        """Show other items; what both have in common at the beginning and end stays."""
        before, self._items = self._items, list(map(self._with_folder, items))
        return _difference(before, self._items)

    def show_folder(self, *, has_folder: bool) -> Changes:
        """Say of calls that lacked a folder whether the chat has one now."""
        self._has_folder = has_folder
        rows = [row for row, item in enumerate(self._items) if self._with_folder(item) != item]
        return tuple(change for row in rows for change in self._replace(row, self._items[row]))

    def put(self, item: Item, *, after: str | None = None) -> Changes:
        """Show `item` where its key stands, else behind all rows of `after`, else last."""
        row = self._row_of(item.key)
        if row is not None:
            return self._replace(row, item)
        row = self._row_behind(after) if after is not None else len(self._items)
        return self._insert(row, item)

    def remove(self, key: str) -> Changes:
        """Take the item with this key away, if there is one."""
        row = self._row_of(key)
        if row is None:
            return ()
        del self._items[row]
        return (Removed(row, 1),)

    def begin(
        self,
        turn_id: str,
        created_at: datetime | None,
        pieces: Sequence[ReplyPiece] = (),
        calls: Mapping[str, CallFacts] = MappingProxyType({}),
    ) -> None:
        """The reply to this turn's message is live from now on; `pieces` are shown already."""
        self._live = _LiveReply(turn_id, created_at, Reply(pieces), dict(calls))

    def apply(self, event: Event) -> Changes:
        """Take an event of the live reply."""
        live = self._live
        if live is None:
            return ()
        before = len(live.reply)
        position = live.reply.apply(event)
        if position is None:
            return ()
        changes: Changes = ()
        if position >= before > 0:
            changes = self._show_piece(live, before - 1)
        return changes + self._show_piece(live, position)

    def show_call(self, call_id: str, facts: CallFacts) -> Changes:
        """Show how a call of the live reply stands."""
        live = self._live
        if live is None:
            return ()
        live.calls[call_id] = facts
        position = live.reply.label_call(call_id, facts.title, facts.target)
        return self._show_piece(live, position) if position is not None else ()

    def settle(self) -> Changes:
        """No reply is live any more."""
        live, self._live = self._live, None
        if live is None or not live.reply:
            return ()
        live.is_open = False
        return self._show_piece(live, len(live.reply) - 1)

    def _show_piece(self, live: "_LiveReply", position: int) -> Changes:
        item = live.item(position)
        row = self._row_of(item.key)
        if row is not None:
            return self._replace(row, item)
        return self._insert(self._row_behind_message(live.turn_id) + position, item)

    def _with_folder(self, item: Item) -> Item:
        if isinstance(item, ToolRow) and item.needs_folder:
            return replace(item, has_folder_now=self._has_folder)
        return item

    def _replace(self, row: int, item: Item) -> Changes:
        item = self._with_folder(item)
        if self._items[row] == item:
            return ()
        self._items[row] = item
        return (Replaced(row),)

    def _insert(self, row: int, item: Item) -> Changes:
        self._items.insert(row, self._with_folder(item))
        return (Inserted(row, 1),)

    def _row_of(self, key: str) -> int | None:
        # What changes is nearly always near the end.
        for row in range(len(self._items) - 1, -1, -1):
            if self._items[row].key == key:
                return row
        return None

    def _row_behind_message(self, turn_id: str) -> int:
        row = self._row_of(turn_id)
        return len(self._items) if row is None else row + 1

    def _row_behind(self, turn_id: str) -> int:
        for row in range(len(self._items) - 1, -1, -1):
            if self._items[row].key.startswith(turn_id):
                return row + 1
        return len(self._items)


class _LiveReply:
    def __init__(
        self,
        turn_id: str,
        created_at: datetime | None,
        reply: Reply,
        calls: dict[str, CallFacts],
    ) -> None:
        self.turn_id = turn_id
        self.created_at = created_at
        self.reply = reply
        self.calls = calls
        self.is_open = True

    def item(self, position: int) -> Item:
        is_last = position == len(self.reply) - 1
        is_text = self.reply[position].kind is PieceKind.TEXT
        return reply_item(
            self.turn_id,
            position,
            self.reply.pieces,
            self.calls,
            self.created_at,
            is_streaming=self.is_open and is_last and is_text,
        )


def _difference(before: Sequence[Item], after: Sequence[Item]) -> Changes:
    if not before or not after:
        return (Reset(),) if before or after else ()
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone, new = len(before) - head - tail, len(after) - head - tail
    changes: Changes = (Removed(head, gone),) if gone else ()
    return changes + ((Inserted(head, new),) if new else ())
