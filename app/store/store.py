"""The store: what this computer remembers, one file for all profiles.

`Store` opens the file, and `ProfileStore` has the tables of one profile. Two of them are here:
`ConversationFlagTable` says which conversations there are, what stands at them in a list, and which
one was open last; `MessageTable` has the messages of a conversation as the service last told them.
"""

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.common.clock import utc_now
from app.store.archive import ArchiveTable
from app.store.conversations import ConversationTable, DeletionTable
from app.store.database import BUSY_TIMEOUT_S, Database, StoreTable, read_time, storable, time_text
from app.store.records import StoredMessage, TurnState
from app.store.rules import RuleTable
from app.store.search import ChatSearch
from app.store.turns import TurnTable
from local_tools.recovery.damaged_files import PutAside

_IDS = (
    "SELECT conversation_id FROM conversations WHERE profile = ?1"
    " UNION SELECT conversation_id FROM messages WHERE profile = ?1"
    " UNION SELECT conversation_id FROM turns WHERE profile = ?1"
)


class ConversationFlagTable(StoreTable):
    """Flags of the conversations of one profile; none of them holds a word of theirs."""

    async def ids(self) -> tuple[str, ...]:
        """Return the ids of all conversations of which something is kept."""
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
        """Return the folder of each conversation that has one, by the conversation's id."""
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
        """Return the conversation that was open last; empty when that was a new one."""
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
        """Return the ids of all conversations with a draft; an empty one is the new chat's."""
        sql = "SELECT conversation_id FROM drafts WHERE profile = ?"
        return await self._database.read(
            lambda c: frozenset(str(row[0]) for row in c.execute(sql, (self._profile,)))
        )

    async def _set(self, sql: str, conversation_id: str, is_set: bool) -> None:
        given = (self._profile, conversation_id, is_set)
        await self._database.change(sql, given)


class MessageTable(StoreTable):
    """Kept messages, so that a chat opens without the service."""

    async def of_conversation(self, conversation_id: str) -> tuple[StoredMessage, ...]:
        """All messages, oldest first."""
        sql = (
            "SELECT message_id, role, text, created_at FROM messages"
            " WHERE profile = ? AND conversation_id = ? ORDER BY position"
        )
        where = (self._profile, conversation_id)
        return await self._database.read(
            lambda c: tuple(
                StoredMessage(message_id, role, text, read_time(created_at))
                for message_id, role, text, created_at in c.execute(sql, where)
            )
        )

    async def keep(self, conversation_id: str, messages: Sequence[StoredMessage]) -> None:
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
        """Return a mark that divides the messages known now from those that come later."""
        sql = "SELECT max(row) FROM messages WHERE profile = ? AND conversation_id = ?"

        def work(connection: sqlite3.Connection) -> int:
            (mark,) = connection.execute(sql, (self._profile, conversation_id)).fetchone()
            return int(mark or 0)

        return await self._database.read(work)

    async def known_ids(self, conversation_id: str, mark: int) -> frozenset[str]:
        """Return the ids of the messages that were known when `high_water` gave `mark`."""
        sql = (
            "SELECT message_id FROM messages WHERE profile = ? AND conversation_id = ? AND row <= ?"
        )
        where = (self._profile, conversation_id, mark)
        return await self._database.read(
            lambda c: frozenset(str(row[0]) for row in c.execute(sql, where))
        )


@dataclass(frozen=True, slots=True)
class ProfileStore:
    """Everything that is kept for one profile; no row of another one is in reach."""

    profile: str
    conversations: ConversationTable
    messages: MessageTable
    turns: TurnTable
    marks: ConversationFlagTable
    rules: RuleTable
    deletions: DeletionTable


class Store:
    """Keeps accepted messages, replies, titles and drafts; it decides nothing.

    Everything runs on one thread of its own; what was written is on the disk when the call
    returns. Made once for the program; `open` comes first, whoever made it calls `close`.

    Attributes:
        search: finds chats by what is kept of them.
        archive: takes chats that came from elsewhere.
    """

    def __init__(
        self,
        path: Path,
        now: Callable[[], datetime] | None = None,
        *,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        self._now = now or utc_now
        self._database = Database(path, self._now, busy_timeout_s)
        self.search = ChatSearch(self._database)
        self.archive = ArchiveTable(self._database)

    async def open(self) -> PutAside | None:
        """Open the file, making it when there is none, and anew when it is damaged.

        Returns:
            The damaged file that was put aside, to be mentioned; None when all was well.

        Raises:
            NewerError: a newer version of the program wrote it.
            StoreError: it cannot be opened or written.
        """
        return await self._database.open()

    async def close(self) -> None:
        """Finish what was asked, then let go of the file."""
        await self._database.close()

    def profile(self, name: str) -> ProfileStore:
        """Return the part of one profile."""
        given = (self._database, name, self._now)
        return ProfileStore(
            name,
            ConversationTable(*given),
            MessageTable(*given),
            TurnTable(*given),
            ConversationFlagTable(*given),
            RuleTable(*given),
            DeletionTable(*given),
        )
