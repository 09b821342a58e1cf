"""`RowCache` keeps the rows near the window, made from their items when they are needed.

`make_row` maps kinds of items to kinds of rows; `room_above` is the spacing between rows.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from PySide6.QtCore import QAbstractItemModel

from app.chat.items import (
    Action,
    Handover,
    Item,
    Notice,
    ReplyPart,
    Thought,
    ToolCall,
    UserMessage,
)
from app.ui.transcript.rows.message_foot import has_foot
from app.ui.transcript.rows.notice_row import NoticeRow
from app.ui.transcript.rows.row import ImageSource, Row, RowContext
from app.ui.transcript.rows.tool_row import ToolCallRow
from app.ui.transcript.rows.user_row import UserRow

TOP_PX: Final = 24
"""The room above the first row, and below the last."""

_TURN_PX: Final = 22
_FOOT_SAVES_PX: Final = 16
_FOOT_ROOM_PX: Final = 6
# How many rows are searched from the end for the last message: calls and notices may follow it.
_LAST_ROWS: Final = 40
_PART_PX: Final = 12

# The first line that fits decides; `object` stands for any item.
_ROOMS: Final[tuple[tuple[type, type, int], ...]] = (
    (object, Handover, 20),
    (Handover, object, 13),
    (UserMessage, UserMessage, _PART_PX),
    (UserMessage, object, _TURN_PX),
    (object, UserMessage, _TURN_PX),
    (ToolCall, ToolCall, 8),
    (object, Notice, 8),
    (Thought, object, 8),
    (ToolCall, object, _PART_PX),
    (object, ToolCall, 9),
)


_Kinds = Mapping[type[Item], Callable[[RowContext], Row]]
_KINDS: Final[_Kinds] = {UserMessage: UserRow, ToolCall: ToolCallRow, Notice: NoticeRow}


@cache
def _reply_kinds() -> _Kinds:
    # What reads Markdown takes long to import: neither the start nor a message that was just sent
    # waits for it.
    from app.ui.transcript.rows.reply_row import HandoverRow, ReplyRow  # noqa: PLC0415
    from app.ui.transcript.rows.thought_row import ThoughtRow  # noqa: PLC0415

    return {ReplyPart: ReplyRow, Thought: ThoughtRow, Handover: HandoverRow}


def make_row(item: Item, row_context: RowContext) -> Row:
    """Make the row for an item; it has no width yet."""
    kind = type(item)
    row = (_KINDS.get(kind) or _reply_kinds()[kind])(row_context)
    row.show(item)
    return row


def room_above(item: Item, before: Item | None) -> int:
    """Return the space between an item and the one before it."""
    if before is None:
        return TOP_PX
    if (
        isinstance(item, ReplyPart | Thought)
        and item.shows_agent
        and not isinstance(before, Handover)
    ):
        return _TURN_PX
    rooms = (
        room
        for above, below, room in _ROOMS
        if isinstance(before, above) and isinstance(item, below)
    )
    return next(rooms, _PART_PX)


_CACHED_ROWS: Final = 60


@dataclass(slots=True)
class _CachedRow:
    item: Item
    row: Row
    index: int
    width: int = -1


class RowCache:
    """Makes the row of an item, and drops the rows that were used least recently.

    An item is read from the model under `role` each time, so a row always shows what the model
    holds. One for a layout; ends with it.
    """

    def __init__(self, model: QAbstractItemModel, role: int, row_context: RowContext) -> None:
        self._model = model
        self._role = role
        self._row_context = row_context
        self._cached: OrderedDict[str, _CachedRow] = OrderedDict()
        self._open: set[str] = set()
        # The pieces whose lines were told to wrap, or all of whose lines were told to be shown.
        self._wrapped: dict[str, frozenset[int]] = {}

    def __len__(self) -> int:
        return len(self._cached)

    @property
    def count(self) -> int:
        """The number of items."""
        return self._model.rowCount()

    @property
    def column_px(self) -> int:
        """The widest that rows become, at the size of the text."""
        return self._row_context.style.column_px

    @property
    def side_px(self) -> int:
        """The room beside rows where the window is narrow, at the size of the text."""
        return self._row_context.style.side_px

    def item(self, index: int) -> Item:
        """Return an item."""
        item: Item = self._model.data(self._model.index(index, 0), self._role)
        return item

    def room_above(self, index: int) -> int:
        """Return the space between an item and the one before it, of which a foot takes a part."""
        before = self.item(index - 1) if index else None
        room = room_above(self.item(index), before)
        has_one = bool(self._row_context.actions) and has_foot(before)
        # A notice is about what it stands below, and a foot is often empty.
        least = 0 if isinstance(self.item(index), Notice) else _FOOT_ROOM_PX
        return max(least, room - _FOOT_SAVES_PX) if has_one else room

    def foot_at_end(self) -> str:
        """Return the key of the message whose foot is always seen: the last, once it is over."""
        for index in range(self.count - 1, max(-1, self.count - 1 - _LAST_ROWS), -1):
            item = self.item(index)
            if has_foot(item):
                return item.key
            if isinstance(item, UserMessage | ReplyPart):
                return ""
        return ""

    def reply_of(self, index: int) -> range:
        """Return the rows of the message that a row belongs to: of a reply, all its parts."""
        first = index
        if isinstance(self.item(index), ReplyPart | ToolCall):
            while first and not isinstance(self.item(first - 1), UserMessage):
                first -= 1
        return range(first, index + 1)

    def draw_from(self, images: ImageSource) -> None:
        """Give rows that are made from now on the pixels of images."""
        self._row_context = replace(self._row_context, images=images)

    def offer(self, actions: tuple[Action, ...]) -> bool:
        """Offer these actions below messages; return whether they are others than before."""
        is_new = actions != self._row_context.actions
        self._row_context = replace(self._row_context, actions=actions)
        return is_new

    def ends_with_own_words(self, last: int) -> bool:
        """Return whether `last` is the last row and a message of the person.

        Whoever says something wants to see it, and what comes of it.
        """
        return last == self.count - 1 and isinstance(self.item(last), UserMessage)

    def row(self, index: int, width: int) -> Row:
        """Return the row of an item as it is now, laid out at this width."""
        item = self.item(index)
        key = self._key(item, index)
        cached = self._cached.get(key)
        if cached is None or (cached.item is not item and not cached.row.show(item)):
            cached = _CachedRow(item, make_row(item, self._row_context), index)
            self._cached[key] = cached
            cached.row.set_open(item.key in self._open)
            cached.row.wrapped = self._wrapped.get(item.key, frozenset())
        cached.item, cached.index = item, index
        if cached.width != width:
            cached.row.set_width(width)
            cached.width = width
        self._cached.move_to_end(key)
        return cached.row

    def read(self, index: int) -> Row:
        """Return the row of an item to be read whole: laid out if it is kept, else made for once.

        Reading a row leaves no trace, however many are read.
        """
        item = self.item(index)
        cached = self._cached.get(self._key(item, index))
        row = cached.row if cached and cached.item is item else make_row(item, self._row_context)
        if not cached or row is not cached.row:
            row.set_open(item.key in self._open)
            row.wrapped = self._wrapped.get(item.key, frozenset())
        while row.has_more:
            row.advance()
        return row

    def shape(self, index: int) -> tuple[bool, frozenset[int]]:
        """Return whether a row was opened, and which of its pieces are shown otherwise."""
        key = self.item(index).key
        return key in self._open, self._wrapped.get(key, frozenset())

    def toggle(self, key: str) -> bool:
        """Open a row, or close it; return whether it is open now."""
        self._open ^= {key}
        is_open = key in self._open
        if cached := self._cached.get(key):
            cached.row.set_open(is_open)
        return is_open

    def toggle_piece(self, key: str, piece: int) -> None:
        """Toggle whether the long lines of a piece are broken, or all of its lines are shown."""
        self._wrapped[key] = self._wrapped.get(key, frozenset()) ^ {piece}
        if cached := self._cached.get(key):
            cached.row.wrapped = self._wrapped[key]

    def trim(self, shown: int) -> None:
        """Drop rows; the `shown` that were used last stay in any case."""
        while len(self._cached) > max(_CACHED_ROWS, shown):
            self._cached.popitem(last=False)

    def clear(self) -> None:
        """Drop all rows, to be made in the current style; what was open opens again."""
        self._cached.clear()
        self._row_context.style.renew()

    def _key(self, item: Item, index: int) -> str:
        """Return the key of a row in the cache: two items never share one, whatever their keys."""
        cached = self._cached.get(item.key)
        if cached is None or cached.index == index or cached.index >= self.count:
            return item.key
        return f"{item.key} {index}" if self.item(cached.index).key == item.key else item.key
