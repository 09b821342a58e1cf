"""The messages of a conversation as the service last told them."""

import sqlite3
from collections.abc import Sequence

from app.store.rows import KeptMessage
from app.store.tables import Table, read_time, storable, time_text


class MessageTable(Table):
    """Kept messages, so that a chat opens without the service."""

    async def of_conversation(self, conversation_id: str) -> tuple[KeptMessage, ...]:
        """All messages, oldest first."""
        sql = (
            "SELECT message_id, role, text, created_at FROM messages"
            " WHERE profile = ? AND conversation_id = ? ORDER BY position"
        )
        where = (self._profile, conversation_id)
        return await self._database.read(
            lambda c: tuple(
                KeptMessage(message_id, role, text, read_time(created_at))
                for message_id, role, text, created_at in c.execute(sql, where)
            )
        )

    async def keep(self, conversation_id: str, messages: Sequence[KeptMessage]) -> None:
        """Make what is kept equal to what the service told."""
        where = (self._profile, conversation_id)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE messages SET position = -1 WHERE profile = ? AND conversation_id = ?", where
            )
            connection.executemany(
                "INSERT INTO messages"
                " (profile, conversation_id, message_id, role, text, created_at, position)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET role = excluded.role,"
                " text = excluded.text, created_at = excluded.created_at,"
                " position = excluded.position",
                [
                    (*where, m.message_id, m.role, storable(m.text), time_text(m.created_at), at)
                    for at, m in enumerate(messages)
                ],
            )
            connection.execute(
                "DELETE FROM messages WHERE profile = ? AND conversation_id = ? AND position = -1",
                where,
            )

        await self._database.write(work)

    async def high_water(self, conversation_id: str) -> int:
        """A mark that divides the messages known now from those that come later."""
        sql = "SELECT max(row) FROM messages WHERE profile = ? AND conversation_id = ?"

        def work(connection: sqlite3.Connection) -> int:
            (mark,) = connection.execute(sql, (self._profile, conversation_id)).fetchone()
            return int(mark or 0)

        return await self._database.read(work)

    async def known_ids(self, conversation_id: str, mark: int) -> frozenset[str]:
        """The ids of the messages that were known when `high_water` gave `mark`."""
        sql = (
            "SELECT message_id FROM messages WHERE profile = ? AND conversation_id = ? AND row <= ?"
        )
        where = (self._profile, conversation_id, mark)
        return await self._database.read(
            lambda c: frozenset(str(row[0]) for row in c.execute(sql, where))
        )
