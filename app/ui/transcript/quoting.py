"""What a copy says: as it is shown, or as Markdown, from one row or from many."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from app.chat.items import Item, ReplyPart, UserMessage
from app.ui.parts.labels import short_name
from app.ui.transcript.row import Row
from app.ui.transcript.row_cache import RowCache
from app.ui.transcript.selection import Stretch


def shown_parts(rows: RowCache, stretch: Stretch) -> Iterator[str]:
    """Yield what is marked in each row, as it is shown."""
    for index in range(max(0, stretch.first.row), min(stretch.last.row + 1, rows.count)):
        row = rows.read(index)
        if selected := stretch.in_row(index, row):
            yield row.text(selected)


def markdown_parts(rows: RowCache, stretch: Stretch) -> Iterator[str]:
    """Yield the Markdown of each row; of one that is marked in part, that part as it is shown.

    Several messages have the names of who speaks.
    """
    is_one = stretch.first.row == stretch.last.row
    for index in range(max(0, stretch.first.row), min(stretch.last.row + 1, rows.count)):
        row, item = rows.read(index), rows.item(index)
        text = _marked_source(row, index, stretch)
        if not text:
            continue
        name = "" if is_one else spoken_name(item)
        yield f"**{name}**\n\n{text}" if name else text


def spoken_name(item: Item, *, is_repeated: bool = False) -> str:
    """Return who says an item; of a later part of a reply only if it is to be repeated."""
    match item:
        case UserMessage():
            return QCoreApplication.translate("Transcript", "You")
        case ReplyPart() if item.shows_agent or is_repeated:
            given = item.agent_display_name or item.agent_name
            return short_name(given or QCoreApplication.translate("Transcript", "Assistant"))
    return ""


def _marked_source(row: Row, index: int, stretch: Stretch) -> str:
    selected = stretch.in_row(index, row)
    if selected and selected == row.all_selected():
        return row.source_text
    is_inside = stretch.first.row < index < stretch.last.row
    return row.text(selected) if selected else (row.source_text if is_inside else "")
