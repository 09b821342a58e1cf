"""Which kind of row shows which kind of item, and how far rows stand apart."""

from collections.abc import Callable
from typing import Final

from app.chat.items import Handover, Item, Notice, ReplyPart, ToolRow, UserMessage
from app.ui.transcript.handover_row import HandoverRow
from app.ui.transcript.notice_row import NoticeRow
from app.ui.transcript.reply_row import ReplyRow
from app.ui.transcript.row import Row, Surroundings
from app.ui.transcript.tool_row import ToolCallRow
from app.ui.transcript.user_row import UserRow

TOP_PX: Final = 24
"""The room above the first row, and below the last."""

_TURN_PX: Final = 22
_PART_PX: Final = 12

# The first line that fits decides; `object` stands for any item.
_ROOMS: Final[tuple[tuple[type, type, int], ...]] = (
    (object, Handover, 20),
    (Handover, object, 13),
    (UserMessage, UserMessage, _PART_PX),
    (UserMessage, object, _TURN_PX),
    (object, UserMessage, _TURN_PX),
    (ToolRow, ToolRow, 8),
    (object, Notice, 8),
    (ToolRow, object, _PART_PX),
    (object, ToolRow, 9),
)

_KINDS: Final[dict[type[Item], Callable[[Surroundings], Row]]] = {
    UserMessage: UserRow,
    ReplyPart: ReplyRow,
    Handover: HandoverRow,
    ToolRow: ToolCallRow,
    Notice: NoticeRow,
}


def make_row(item: Item, around: Surroundings) -> Row:
    """Make the row for an item; it has no width yet."""
    row = _KINDS[type(item)](around)
    row.show(item)
    return row


def room_above(item: Item, before: Item | None) -> int:
    """Return the room between an item and the one before it."""
    if before is None:
        return TOP_PX
    if isinstance(item, ReplyPart) and item.shows_agent and not isinstance(before, Handover):
        return _TURN_PX
    rooms = (
        room
        for above, below, room in _ROOMS
        if isinstance(before, above) and isinstance(item, below)
    )
    return next(rooms, _PART_PX)
