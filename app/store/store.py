"""The store: one database file with the local data of all profiles.

`Store` opens the file, `ProfileStore` has the tables of one profile. `MessageTable`, which has the
messages of a conversation as the service last sent them, is here too.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.common.clock import utc_now
from app.store.archive import ArchiveTable
from app.store.attachments import AttachmentTable, remove_left
from app.store.conversation_versions import VersionTable
from app.store.conversations import ConversationTable, DeletionTable
from app.store.database import BUSY_TIMEOUT_S, Database, StoreTable, read_time, storable, time_text
from app.store.records import StoredMessage
from app.store.rules import RuleTable
from app.store.search import ChatSearch
from app.store.turns import TurnTable
from local_tools.recovery.files import PutAside


class MessageTable(StoreTable):
    """Kept messages, so that a chat opens without the service."""

    async def of_conversation(self, conversation_id: str) -> tuple[StoredMessage, ...]:
        """Return all messages, oldest first."""
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
            # Not deleted and inserted anew: rows keep their numbers, by which `high_water` and the
            # index know them.
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
    rules: RuleTable
    deletions: DeletionTable
    attachments: AttachmentTable
    versions: VersionTable


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
        found = await self._database.open()
        # What a deletion was about to remove when the program was killed.
        await self._database.read(lambda c: remove_left(c, self._database.attachments_folder))
        return found

    async def close(self) -> None:
        """Finish what was asked, then close the file."""
        await self._database.close()

    def profile(self, name: str) -> ProfileStore:
        """Return the part of one profile."""
        parameters = (self._database, name, self._now)
        return ProfileStore(
            name,
            ConversationTable(*parameters),
            MessageTable(*parameters),
            TurnTable(*parameters),
            RuleTable(*parameters),
            DeletionTable(*parameters),
            AttachmentTable(*parameters, self._database.attachments_folder),
            VersionTable(*parameters),
        )
