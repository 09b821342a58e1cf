"""Create, list, read and delete conversations in the database."""

import logging
import secrets
from dataclasses import asdict
from typing import Any, Final, Literal

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    delete,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from local_server.settings import Clock
from local_server.store.database import SqlDatabase, StoreUnavailableError
from local_server.store.images import (
    drop_unused_images,
)
from local_server.store.records import (
    Conversation,
    Owner,
    Page,
    Summary,
)
from local_server.store.replies import OWNED, owned_by, read_choices, read_messages
from local_server.store.tables import conversations, owners

Order = Literal["asc", "desc"]

# Only what a row of the list shows: the instructions of a conversation may be long.
_SUMMARY: Final = (
    conversations.c.id,
    conversations.c.created_at,
    conversations.c.updated_at,
    conversations.c.message_count,
)


def read_page(connection: Connection, owner: Owner, limit: int, offset: int, order: Order) -> Page:
    """Read a page of an owner's conversations, with the total count."""
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
    """Return the WHERE conditions that select an owner's rows."""
    return (columns.project == owner.project, columns.mode == owner.mode)


log = logging.getLogger(__name__)

_FIND: Final = select(conversations).where(*OWNED)
_DELETE: Final = delete(conversations).where(*OWNED)
COUNT_CONVERSATION: Final = text(
    "INSERT INTO owners (project, mode, conversation_count) VALUES (:project, :mode, 1) "
    "ON CONFLICT (project, mode) "
    "DO UPDATE SET conversation_count = owners.conversation_count + 1"
)


class ConversationStore:
    """The conversations of all owners; each method takes the owner. Lives as long as the store."""

    def __init__(self, database: SqlDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create(self, owner: Owner) -> Conversation:
        """Create an empty conversation with a random, unguessable id."""
        now = self._clock()
        made = Conversation(f"conv_{secrets.token_hex(16)}", now, now, ())
        await self._database.write(lambda connection: _create(connection, owner, made))
        return made

    async def get(self, owner: Owner, conversation_id: str) -> Conversation | None:
        """Read a conversation with its messages, oldest first; None if the owner has none."""
        return await self._database.read(
            lambda connection: read_conversation(connection, owner, conversation_id)
        )

    async def page(self, owner: Owner, limit: int, offset: int, order: Order) -> Page:
        """Read a page of summaries, sorted by last update, then by id (our choice)."""
        return await self._database.read(
            lambda connection: read_page(connection, owner, limit, offset, order)
        )

    async def delete(self, owner: Owner, conversation_id: str) -> bool:
        """Delete a conversation and overwrite its text on disk; False if there is none."""
        is_deleted = await self._database.write(
            lambda connection: _delete(connection, owner, conversation_id)
        )
        if is_deleted:
            await self._erase(conversation_id)
        return is_deleted

    async def _erase(self, conversation_id: str) -> None:
        try:
            await self._database.erase(conversation_id)
        except StoreUnavailableError as exc:
            # The conversation is deleted all the same; the next deletion or start empties the log.
            log.warning("the text of a deleted conversation is still on the disk: %s", exc)


def read_conversation(
    connection: Connection, owner: Owner, conversation_id: str
) -> Conversation | None:
    """Read a conversation with its messages, oldest first; None if the owner has none."""
    row = connection.execute(_FIND, owned_by(owner, conversation_id)).one_or_none()
    if row is None:
        return None
    found = read_messages(connection, conversation_id)
    return Conversation(
        row.id,
        row.created_at,
        row.updated_at,
        found,
        choices=read_choices(row),
        has_title=row.has_title,
    )


def _create(connection: Connection, owner: Owner, made: Conversation) -> None:
    times = {"created_at": made.created_at, "updated_at": made.updated_at}
    row = {"id": made.id, **times, "message_count": 0}
    connection.execute(insert(conversations).values(asdict(owner) | row))
    connection.execute(COUNT_CONVERSATION, asdict(owner))


def _delete(connection: Connection, owner: Owner, conversation_id: str) -> bool:
    if not connection.execute(_DELETE, owned_by(owner, conversation_id)).rowcount:
        return False
    one_less = update(owners).where(*owned(owners.c, owner))
    count = owners.c.conversation_count - 1
    connection.execute(one_less.values(conversation_count=count))
    drop_unused_images(connection, owner)
    return True
