"""Conversations and their messages, as the list and detail operations need them."""

import secrets
from typing import Any, Literal

from sqlalchemy import Row, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from local_server.clock import Clock
from local_server.store.database import Database
from local_server.store.records import Conversation, Message, Owner, Page, Summary
from local_server.store.tables import conversations, messages

Order = Literal["asc", "desc"]


class Conversations:
    """An owner's conversations. Lives as long as the store."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def create(self, owner: Owner) -> Conversation:
        """Make an empty conversation, with an id that nobody can guess."""
        return await self._database.whole(self._create(owner))

    async def get(self, owner: Owner, conversation_id: str) -> Conversation | None:
        """Read one with its messages in order; None when the owner has none of that id."""
        return await self._database.whole(self._get(owner, conversation_id))

    async def page(self, owner: Owner, limit: int, offset: int, order: Order) -> Page:
        """Read some rows, sorted by their last update and then their id (our choice)."""
        return await self._database.whole(self._page(owner, limit, offset, order))

    async def delete(self, owner: Owner, conversation_id: str) -> bool:
        """Delete one for ever, its words on the disk too; False when there is none."""
        is_deleted = await self._database.whole(self._delete(owner, conversation_id))
        if is_deleted:
            await self._database.whole(self._database.forget_log())
        return is_deleted

    async def _create(self, owner: Owner) -> Conversation:
        now = self._clock()
        conversation_id = f"conv_{secrets.token_hex(16)}"
        row = {"id": conversation_id, "created_at": now, "updated_at": now}
        async with self._database.writing() as connection:
            values = {"project": owner.project, "mode": owner.mode, **row}
            await connection.execute(insert(conversations).values(values))
        return Conversation(conversation_id, now, now, ())

    async def _get(self, owner: Owner, conversation_id: str) -> Conversation | None:
        async with self._database.reading() as connection:
            query = select(conversations).where(*owned_by(owner, conversation_id))
            row = (await connection.execute(query)).one_or_none()
            if row is None:
                return None
            found = await read_messages(connection, conversation_id)
        return Conversation(row.id, row.created_at, row.updated_at, found)

    async def _page(self, owner: Owner, limit: int, offset: int, order: Order) -> Page:
        mine = (conversations.c.project == owner.project, conversations.c.mode == owner.mode)
        count = (
            select(func.count())
            .where(messages.c.conversation_id == conversations.c.id)
            .scalar_subquery()
        )
        columns = [conversations.c.updated_at, conversations.c.id]
        sort = [column.desc() for column in columns] if order == "desc" else columns
        query = select(conversations, count.label("message_count")).where(*mine)
        async with self._database.reading() as connection:
            total = select(func.count()).select_from(conversations).where(*mine)
            total_count: int = (await connection.execute(total)).scalar_one()
            rows = await connection.execute(query.order_by(*sort).limit(limit).offset(offset))
            return Page(tuple(_summary(row) for row in rows), total_count)

    async def _delete(self, owner: Owner, conversation_id: str) -> bool:
        async with self._database.writing() as connection:
            query = delete(conversations).where(*owned_by(owner, conversation_id))
            return (await connection.execute(query)).rowcount > 0


def owned_by(owner: Owner, conversation_id: str) -> tuple[Any, ...]:
    """The conditions under which a conversation is this owner's."""
    return (
        conversations.c.id == conversation_id,
        conversations.c.project == owner.project,
        conversations.c.mode == owner.mode,
    )


async def read_messages(connection: AsyncConnection, conversation_id: str) -> tuple[Message, ...]:
    """Read a conversation's messages in order."""
    query = select(messages).where(messages.c.conversation_id == conversation_id)
    rows = await connection.execute(query.order_by(messages.c.seq))
    return tuple(Message(row.id, row.role, row.content, row.created_at) for row in rows)


def _summary(row: Row[Any]) -> Summary:
    return Summary(row.id, row.created_at, row.updated_at, row.message_count)
