"""Which conversations there are, what stands at them in a list, and which one was open last."""

import json
import sqlite3
from pathlib import Path

from app.store.rows import TurnState
from app.store.tables import Table, storable

_IDS = (
    "SELECT conversation_id FROM conversations WHERE profile = ?1"
    " UNION SELECT conversation_id FROM messages WHERE profile = ?1"
    " UNION SELECT conversation_id FROM turns WHERE profile = ?1"
)


class MarkTable(Table):
    """Marks of the conversations of one profile; none of them holds a word of theirs."""

    async def ids(self) -> tuple[str, ...]:
        """The ids of all conversations of which something is kept."""
        return await self._database.read(
            lambda c: tuple(id_ for (id_,) in c.execute(_IDS, (self._profile,)))
        )

    async def newest_states(self) -> dict[str, TurnState]:
        """How far the newest message of each conversation has come that was not only queued."""
        # SQLite takes the state from the row that has the greatest sequence.
        sql = (
            "SELECT conversation_id, state, max(sequence) FROM turns"
            " WHERE profile = ? AND state <> ? GROUP BY conversation_id"
        )
        given = (self._profile, TurnState.QUEUED.value)
        return await self._database.read(
            lambda c: {row[0]: TurnState(row[1]) for row in c.execute(sql, given)}
        )

    async def folders(self) -> dict[str, Path]:
        """The folder of each conversation that has one, by the conversation's id."""
        sql = (
            "SELECT conversation_id, folder FROM conversations"
            " WHERE profile = ? AND folder IS NOT NULL"
        )
        return await self._database.read(
            lambda c: {row[0]: Path(row[1]) for row in c.execute(sql, (self._profile,))}
        )

    async def set_pinned(self, conversation_id: str, is_pinned: bool) -> None:
        """Keep a conversation in front of the others, or no longer."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, is_pinned) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET is_pinned = excluded.is_pinned"
        )
        await self._set(sql, conversation_id, is_pinned)

    async def set_unread(self, conversation_id: str, is_unread: bool) -> None:
        """Note that a reply came which nobody has seen, or that it was seen."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, is_unread) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET is_unread = excluded.is_unread"
        )
        await self._set(sql, conversation_id, is_unread)

    async def set_tools_off(self, conversation_id: str, tools: frozenset[str]) -> None:
        """Remember which tools a chat goes without."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, tools_off) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET tools_off = excluded.tools_off"
        )
        given = (self._profile, conversation_id, json.dumps(sorted(tools)))
        await self._database.change(sql, given)

    async def set_agent(self, conversation_id: str, agent_name: str | None) -> None:
        """Remember who is to answer in a chat; None lets the service choose."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, agent_name) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET agent_name = excluded.agent_name"
        )
        name = agent_name and storable(agent_name)
        await self._database.change(sql, (self._profile, conversation_id, name))

    async def last_open(self) -> str:
        """The conversation that was open last; empty when that was a new one."""
        sql = "SELECT conversation_id FROM conversations WHERE profile = ? AND is_last_open"

        def work(connection: sqlite3.Connection) -> str:
            row = connection.execute(sql, (self._profile,)).fetchone()
            return str(row[0]) if row is not None else ""

        return await self._database.read(work)

    async def set_last_open(self, conversation_id: str) -> None:
        """Remember which conversation is open; an empty id stands for a new one."""
        where = (self._profile, conversation_id)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE conversations SET is_last_open = 0 WHERE profile = ? AND is_last_open",
                (self._profile,),
            )
            if conversation_id:
                connection.execute(
                    "INSERT INTO conversations (profile, conversation_id, is_last_open)"
                    " VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET is_last_open = 1",
                    where,
                )

        await self._database.write(work)

    async def drafted(self) -> frozenset[str]:
        """The ids of all conversations with a draft; an empty one is the new chat's."""
        sql = "SELECT conversation_id FROM drafts WHERE profile = ?"
        return await self._database.read(
            lambda c: frozenset(str(row[0]) for row in c.execute(sql, (self._profile,)))
        )

    async def _set(self, sql: str, conversation_id: str, is_set: bool) -> None:
        given = (self._profile, conversation_id, is_set)
        await self._database.change(sql, given)
