"""Tables of conversations: titles, choices, flags, drafts, and unfinished deletions.

`ConversationTable` also keeps the first rows of the sidebar. A deletion stays in `DeletionTable`
until everything of the conversation is deleted, so an interrupted one is finished later.
"""

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from app.api.models import AnswerSettings
from app.store.attachments import remove_unused
from app.store.database import StoreTable, read_time, storable, time_text
from app.store.records import StoredConversation, TurnState
from app.store.search import erase_deleted

_SELECT = (
    "SELECT conversation_id, title, message_count, updated_at, folder, is_pinned, is_unread,"
    " tools_off, agent_name, model, instructions, thinking, temperature,"
    " max_output_tokens FROM conversations WHERE profile = ?"
)
_ATTACHED = "SELECT DISTINCT sha256 FROM attachments WHERE profile = ?"
# Every table that holds something of a conversation; pieces go with their turns.
_FORGET = (
    "DELETE FROM conversations WHERE profile = ? AND conversation_id = ?",
    "DELETE FROM messages WHERE profile = ? AND conversation_id = ?",
    "DELETE FROM attachments WHERE profile = ? AND conversation_id = ?",
    "DELETE FROM turns WHERE profile = ? AND conversation_id = ?",
    "DELETE FROM drafts WHERE profile = ? AND conversation_id = ?",
    "DELETE FROM rules WHERE profile = ? AND conversation_id = ?",
    "DELETE FROM versions WHERE profile = ? AND conversation_id = ?",
    "DELETE FROM shown_versions WHERE profile = ? AND conversation_id = ?",
)
_FORGET_ALL = (
    "DELETE FROM conversations WHERE profile = ?",
    "DELETE FROM messages WHERE profile = ?",
    "DELETE FROM attachments WHERE profile = ?",
    "DELETE FROM turns WHERE profile = ?",
    "DELETE FROM drafts WHERE profile = ?",
    # Rules for every chat name folders, and quote nothing that was said.
    "DELETE FROM rules WHERE profile = ? AND conversation_id <> ''",
    "DELETE FROM versions WHERE profile = ?",
    "DELETE FROM shown_versions WHERE profile = ?",
)
_IDS = (
    "SELECT conversation_id FROM conversations WHERE profile = ?1"
    " UNION SELECT conversation_id FROM messages WHERE profile = ?1"
    " UNION SELECT conversation_id FROM turns WHERE profile = ?1"
)
_FIRST_WORDS = (
    "SELECT text FROM messages WHERE profile = ? AND conversation_id = ? AND role = 'user'"
    " ORDER BY position LIMIT 1",
    "SELECT text FROM turns WHERE profile = ? AND conversation_id = ? ORDER BY sequence LIMIT 1",
)

_Row: TypeAlias = (
    "tuple[str, str, int, str | None, str | None, int, int, str, str | None, str | None,"
    " str | None, str | None, float | None, int | None]"
)


class ConversationTable(StoreTable):
    """What this computer stores about each conversation."""

    async def ids(self) -> tuple[str, ...]:
        """Return the ids of all conversations with stored data."""
        return await self._database.read(
            lambda c: tuple(id_ for (id_,) in c.execute(_IDS, (self._profile,)))
        )

    async def first_rows(self) -> tuple[StoredConversation, ...]:
        """Return the last first page of the sidebar, newer and pinned chats; newest first."""
        sql = (
            _SELECT + " AND (is_pinned OR position IS NOT NULL OR updated_at > (SELECT"
            " coalesce(max(updated_at), '') FROM conversations"
            " WHERE profile = ? AND position IS NOT NULL)) ORDER BY updated_at DESC, position"
        )
        parameters = (self._profile, self._profile)
        return await self._database.read(
            lambda c: tuple(_kept(row) for row in c.execute(sql, parameters))
        )

    async def get(self, conversation_id: str) -> StoredConversation:
        """Return one conversation; an empty row if nothing is stored."""
        sql = _SELECT + " AND conversation_id = ?"

        def work(connection: sqlite3.Connection) -> StoredConversation:
            row = connection.execute(sql, (self._profile, conversation_id)).fetchone()
            return _kept(row) if row is not None else StoredConversation(conversation_id)

        return await self._database.read(work)

    async def keep_first_rows(self, rows: Sequence[StoredConversation]) -> None:
        """Store the first rows of the sidebar; titles and folders stay."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE conversations SET position = NULL WHERE profile = ?", (self._profile,)
            )
            connection.executemany(
                "INSERT INTO conversations"
                " (profile, conversation_id, message_count, updated_at, position)"
                " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " message_count = excluded.message_count, updated_at = excluded.updated_at,"
                " position = excluded.position",
                [
                    (self._profile, r.conversation_id, r.message_count, time_text(r.updated_at), at)
                    for at, r in enumerate(rows)
                ],
            )

        await self._database.write(work)

    async def noted(self) -> dict[str, StoredConversation]:
        """Return every conversation with a stored title or flag, by id."""
        sql = _SELECT + " AND (title <> '' OR is_pinned OR is_unread)"
        return await self._database.read(
            lambda c: {row[0]: _kept(row) for row in c.execute(sql, (self._profile,))}
        )

    async def newest_states(self) -> dict[str, TurnState]:
        """Return the state of each conversation's newest message, not counting queued ones."""
        # SQLite takes the state from the row that has the greatest sequence.
        sql = (
            "SELECT conversation_id, state, max(sequence) FROM turns"
            " WHERE profile = ? AND state <> ? GROUP BY conversation_id"
        )
        parameters = (self._profile, TurnState.QUEUED.value)
        return await self._database.read(
            lambda c: {row[0]: TurnState(row[1]) for row in c.execute(sql, parameters)}
        )

    async def set_title(
        self, conversation_id: str, title: str, *, keeps_other: bool = False
    ) -> None:
        """Store a conversation's title; an empty one deletes it.

        With `keeps_other`, an existing title stays.
        """
        sql = (
            "INSERT INTO conversations (profile, conversation_id, title) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET title = excluded.title"
        )
        if keeps_other:
            sql += " WHERE title = ''"
        await self._put(sql, conversation_id, storable(title))

    async def first_words(self, conversation_id: str) -> str:
        """Return the user's first message; empty if it is not stored."""
        where = (self._profile, conversation_id)

        def work(connection: sqlite3.Connection) -> str:
            found = (connection.execute(sql, where).fetchone() for sql in _FIRST_WORDS)
            return next((str(row[0]) for row in found if row is not None), "")

        return await self._database.read(work)

    async def folders(self) -> dict[str, Path]:
        """Return the folder of each conversation that has one, by the conversation's id."""
        sql = (
            "SELECT conversation_id, folder FROM conversations"
            " WHERE profile = ? AND folder IS NOT NULL"
        )
        return await self._database.read(
            lambda c: {row[0]: Path(row[1]) for row in c.execute(sql, (self._profile,))}
        )

    async def set_folder(self, conversation_id: str, folder: Path | None) -> None:
        """Store the folder of a chat's tools."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, folder) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET folder = excluded.folder"
        )
        await self._put(sql, conversation_id, str(folder) if folder is not None else None)

    async def set_tools_off(self, conversation_id: str, tools: frozenset[str]) -> None:
        """Store which tools are off in a chat."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, tools_off) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET tools_off = excluded.tools_off"
        )
        await self._put(sql, conversation_id, json.dumps(sorted(tools)))

    async def set_agent(self, conversation_id: str, agent_name: str | None) -> None:
        """Store the agent that answers in a chat; None lets the service choose."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, agent_name) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET agent_name = excluded.agent_name"
        )
        await self._put(sql, conversation_id, agent_name and storable(agent_name))

    async def set_model(self, conversation_id: str, model: str | None) -> None:
        """Store the model that answers in a chat; empty for the default."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, model) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET model = excluded.model"
        )
        await self._put(sql, conversation_id, model and storable(model))

    async def last_model(self, agent_name: str | None) -> str | None:
        """Return the model of the latest chat with this agent; None for the default."""
        sql = (
            "SELECT model FROM conversations WHERE profile = ? AND agent_name IS ?"
            " AND updated_at IS NOT NULL ORDER BY updated_at DESC LIMIT 1"
        )

        def work(connection: sqlite3.Connection) -> str | None:
            row = connection.execute(sql, (self._profile, agent_name)).fetchone()
            return (row[0] or None) if row is not None else None

        return await self._database.read(work)

    async def set_answers(self, conversation_id: str, answers: AnswerSettings) -> None:
        """Store the reply settings of a chat."""
        sql = (
            "INSERT INTO conversations"
            " (profile, conversation_id, thinking, temperature, max_output_tokens)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET thinking = excluded.thinking,"
            " temperature = excluded.temperature, max_output_tokens = excluded.max_output_tokens"
        )
        values = answers.thinking, answers.temperature, answers.max_output_tokens
        await self._put(sql, conversation_id, *values)

    async def set_instructions(self, conversation_id: str, instructions: str | None) -> None:
        """Store the instructions of a chat; empty for none."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, instructions) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET instructions = excluded.instructions"
        )
        await self._put(sql, conversation_id, instructions and storable(instructions))

    async def set_pinned(self, conversation_id: str, is_pinned: bool) -> None:
        """Store whether a conversation is pinned."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, is_pinned) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET is_pinned = excluded.is_pinned"
        )
        await self._put(sql, conversation_id, is_pinned)

    async def set_unread(self, conversation_id: str, is_unread: bool) -> None:
        """Store whether a conversation has an unread reply."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, is_unread) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET is_unread = excluded.is_unread"
        )
        await self._put(sql, conversation_id, is_unread)

    async def touch(self, conversation_id: str, message_count: int, updated_at: datetime) -> None:
        """Store the time of the latest message of a conversation."""
        sql = (
            "INSERT INTO conversations (profile, conversation_id, message_count, updated_at)"
            " VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " message_count = excluded.message_count, updated_at = excluded.updated_at"
        )
        await self._put(sql, conversation_id, message_count, time_text(updated_at))

    async def last_open(self) -> str:
        """Return the conversation that was open last; empty for a new one."""
        sql = "SELECT conversation_id FROM conversations WHERE profile = ? AND is_last_open"

        def work(connection: sqlite3.Connection) -> str:
            row = connection.execute(sql, (self._profile,)).fetchone()
            return str(row[0]) if row is not None else ""

        return await self._database.read(work)

    async def set_last_open(self, conversation_id: str) -> None:
        """Store which conversation is open; an empty id is a new one."""
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
        """Return the ids of all conversations with a draft; an empty id is the new chat."""
        sql = "SELECT conversation_id FROM drafts WHERE profile = ?"
        return await self._database.read(
            lambda c: frozenset(str(row[0]) for row in c.execute(sql, (self._profile,)))
        )

    async def draft(self, conversation_id: str) -> str:
        """Return the text of a chat's draft; empty if it has none."""
        sql = "SELECT text FROM drafts WHERE profile = ? AND conversation_id = ?"

        def work(connection: sqlite3.Connection) -> str:
            row = connection.execute(sql, (self._profile, conversation_id)).fetchone()
            return str(row[0]) if row is not None else ""

        return await self._database.read(work)

    async def keep_draft(self, conversation_id: str, text: str) -> None:
        """Store the text of a draft; an empty text deletes it."""

        def work(connection: sqlite3.Connection) -> None:
            where = (self._profile, conversation_id)
            if text:
                connection.execute(
                    "INSERT INTO drafts (profile, conversation_id, text) VALUES (?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET text = excluded.text",
                    (*where, storable(text)),
                )
            else:
                connection.execute(
                    "DELETE FROM drafts WHERE profile = ? AND conversation_id = ?", where
                )

        await self._database.write(work)

    async def forget(self, conversation_id: str) -> None:
        """Delete everything that is stored of a conversation."""
        await self._forget(_FORGET, conversation_id)

    async def forget_all(self) -> None:
        """Delete everything that is stored of all conversations of the profile."""
        await self._forget(_FORGET_ALL)

    async def _forget(self, statements: Sequence[str], *more: str) -> None:
        folder = self._database.attachments_folder

        def work(connection: sqlite3.Connection) -> set[str]:
            where = (self._profile, *more)
            found = connection.execute(_ATTACHED + " AND conversation_id = ?" * len(more), where)
            names = {str(row[0]) for row in found}
            for sql in statements:
                connection.execute(sql, where)
            erase_deleted(connection)
            return names

        names = await self._database.write(work)
        await self._database.read(lambda c: remove_unused(c, folder, names))
        # The write-ahead log still holds the words; emptying it takes them off the disk.
        await self._database.read(lambda c: c.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())

    async def _put(self, sql: str, conversation_id: str, *values: str | float | None) -> None:
        await self._database.change(sql, (self._profile, conversation_id, *values))


def _kept(row: _Row) -> StoredConversation:
    conversation_id, title, count, updated_at, folder, is_pinned, is_unread = row[:7]
    tools_off, agent_name, model, instructions, thinking, temperature, length = row[7:]
    return StoredConversation(
        conversation_id,
        title,
        count,
        read_time(updated_at),
        Path(folder) if folder is not None else None,
        bool(is_pinned),
        bool(is_unread),
        frozenset(json.loads(tools_off)),
        agent_name,
        model,
        None if thinking is None else AnswerSettings(thinking, temperature, length),
        instructions,
    )


class DeletionTable(StoreTable):
    """The unfinished deletions of one profile."""

    async def all(self) -> dict[str, bool]:
        """Return the conversations whose deletion has not ended, and whether it is in doubt."""
        sql = "SELECT conversation_id, is_in_doubt FROM deletions WHERE profile = ?"
        return await self._database.read(
            lambda c: {str(row[0]): bool(row[1]) for row in c.execute(sql, (self._profile,))}
        )

    async def add(self, conversation_id: str) -> None:
        """Write down that a conversation is to be deleted; on the disk when this returns.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "INSERT OR REPLACE INTO deletions (profile, conversation_id) VALUES (?, ?)"
        await self._database.change(sql, (self._profile, conversation_id))

    async def doubt(self, conversation_id: str) -> None:
        """Note that a deletion failed, and nobody knows whether the service has carried it out.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "UPDATE deletions SET is_in_doubt = 1 WHERE profile = ? AND conversation_id = ?"
        await self._database.change(sql, (self._profile, conversation_id))

    async def remove(self, conversation_id: str) -> None:
        """Remove a deletion that has ended: nothing is left to do, or it was refused.

        Raises:
            StoreError: it could not be written down.
        """
        sql = "DELETE FROM deletions WHERE profile = ? AND conversation_id = ?"
        await self._database.change(sql, (self._profile, conversation_id))
