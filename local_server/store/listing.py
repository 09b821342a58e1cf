"""The list of conversations: a page of it, by the index alone up to where the page begins."""

from typing import Any, Final, Literal

from sqlalchemy import Column, ColumnElement, Connection, Select, select
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from local_server.store.records import Owner, Page, Summary
from local_server.store.tables import conversations, owners

Order = Literal["asc", "desc"]

# No more than a row of the list shows: instructions of a conversation may be long.
_SUMMARY: Final = (
    conversations.c.id,
    conversations.c.created_at,
    conversations.c.updated_at,
    conversations.c.message_count,
)


def read_page(connection: Connection, owner: Owner, limit: int, offset: int, order: Order) -> Page:
    """Read some rows of an owner's list, and how many there are in all."""
    total = _count(connection, owner)
    number = max(0, min(limit, total - offset))
    if not number:
        return Page((), total)
    from_end = total - offset - number
    is_near_end = from_end < offset
    is_down = (order == "desc") != is_near_end
    query = _rows(owner, is_down, number, from_end if is_near_end else offset)
    rows = [Summary(*row) for row in connection.execute(query)]
    return Page(tuple(reversed(rows)) if is_near_end else tuple(rows), total)


def _count(connection: Connection, owner: Owner) -> int:
    query = select(owners.c.conversation_count).where(*owned(owners.c, owner))
    return connection.execute(query).scalar_one_or_none() or 0


def _rows(owner: Owner, is_down: bool, limit: int, offset: int) -> Select[Any]:
    """Ask for some rows; those before them are passed over within the index alone."""
    columns = [conversations.c.updated_at, conversations.c.id]
    sort = [column.desc() for column in columns] if is_down else columns
    ids = select(conversations.c.id).where(*owned(conversations.c, owner)).order_by(*sort)
    page = ids.limit(limit).offset(offset)
    return select(*_SUMMARY).where(conversations.c.id.in_(page)).order_by(*sort)


def owned(
    columns: ReadOnlyColumnCollection[str, Column[Any]], owner: Owner
) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for an owner's rows."""
    return (columns.project == owner.project, columns.mode == owner.mode)
