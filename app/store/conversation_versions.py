"""The table of versions: which conversation is a copy of which, and up to which message.

A version is `reserved` before the request to the service, `known` after the answer, and `finished`
after a message was accepted in it. One that is not finished was interrupted and is hidden.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from app.store.database import StoreTable
from app.store.records import TurnState


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A conversation copied from another one, possibly not finished.

    `fork_id` makes the request repeatable: copy `source_id` with its messages up to `through`, None
    for none of them. The version shares its first `shared_count` messages with `parent_id`, the
    oldest conversation that has them all. `turn_id` is the first message after those; None until it
    is finished. A branch is an independent chat, so its row is deleted once it is known.
    """

    fork_id: str
    source_id: str
    through: str | None
    parent_id: str
    shared_count: int
    conversation_id: str | None = None
    turn_id: str | None = None
    is_branch: bool = False


_SELECT = (
    "SELECT fork_id, source_id, through, parent_id, shared_count, conversation_id, turn_id,"
    " is_branch FROM versions WHERE profile = ? ORDER BY row"
)
_INSERT = (
    "INSERT INTO versions (profile, fork_id, source_id, through, parent_id, shared_count,"
    " is_branch) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
# The columns that a copy does not take over.
_OF_ONE_CONVERSATION = frozenset(
    {
        "profile",
        "conversation_id",
        "message_count",
        "updated_at",
        "position",
        "is_unread",
        "is_last_open",
    }
)
_OF_ONE_TURN = frozenset({"turn_id", "conversation_id", "sequence", "known_upto", "failure"})


class VersionTable(StoreTable):
    """The versions of one profile. Each change is on disk when its method returns."""

    async def all(self) -> tuple[StoredVersion, ...]:
        """Return all versions, oldest first, and branches that were cut off."""

        def work(connection: sqlite3.Connection) -> tuple[StoredVersion, ...]:
            rows = connection.execute(_SELECT, (self._profile,))
            return tuple(_kept(row) for row in rows)

        return await self._database.read(work)

    async def reserve(self, version: StoredVersion) -> None:
        """Write down that a copy is about to be asked for."""
        copied = (version.source_id, version.through, version.parent_id, version.shared_count)
        values = (self._profile, version.fork_id, *copied, int(version.is_branch))
        await self._database.change(_INSERT, values)

    async def note_known(
        self, version: StoredVersion, conversation_id: str, message_ids: Mapping[str, str]
    ) -> None:
        """Note which conversation the copy is, and copy what is kept here of its source.

        Args:
            version: One that was reserved.
            conversation_id: What the service made.
            message_ids: The ids of the copied messages: those of the source → those of the copy.
        """
        sql = "UPDATE versions SET conversation_id = ? WHERE profile = ? AND fork_id = ?"

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(sql, (conversation_id, self._profile, version.fork_id))
            where = (self._profile, conversation_id)
            # Repeated if nobody noticed that an earlier try had succeeded.
            for table in ("attachments", "turns"):
                connection.execute(
                    f"DELETE FROM {table} WHERE profile = ? AND conversation_id = ?",  # noqa: S608
                    where,
                )
            self._copy_choices(connection, version.source_id, conversation_id)
            source = (self._profile, version.source_id)
            self._copy_turns(connection, source, conversation_id, message_ids)

        await self._database.write(work)

    async def copy_choices(self, source: str, copy: str) -> None:
        """Give a new conversation what was chosen for another: name, folder, agent, tools."""
        await self._database.write(lambda c: self._copy_choices(c, source, copy))

    async def copy_answerers(
        self, source: tuple[str, str], copy: str, message_ids: Mapping[str, str]
    ) -> None:
        """Copy who answered in a chat of another profile, unless that was done before.

        Args:
            source: The other profile, and the chat there.
            copy: The conversation that was begun with its messages.
            message_ids: Their ids: those of the source → those of the copy.
        """
        known = "SELECT 1 FROM turns WHERE profile = ? AND conversation_id = ? LIMIT 1"
        empty = (
            "SELECT turn_id, position, message_id FROM pieces JOIN turns USING (turn_id)"
            " WHERE profile = ? AND conversation_id = ? AND kind = 'text' AND pieces.text = ''"
        )
        words = (
            "UPDATE pieces SET text = coalesce((SELECT text FROM messages"
            " WHERE profile = ? AND conversation_id = ? AND message_id = ?), '')"
            " WHERE turn_id = ? AND position = ?"
        )

        def work(connection: sqlite3.Connection) -> None:
            if connection.execute(known, (self._profile, copy)).fetchone() is None:
                self._copy_turns(connection, source, copy, message_ids)
                # The pieces of an imported chat have no words of their own.
                old_ids = {new: old for old, new in message_ids.items()}
                found = connection.execute(empty, (self._profile, copy)).fetchall()
                rows = [(*source, old_ids[new], *place) for *place, new in found]
                connection.executemany(words, rows)

        await self._database.write(work)

    async def remove(self, fork_id: str) -> None:
        """Remove what was reserved; a branch that is known is a chat like any other."""
        sql = "DELETE FROM versions WHERE profile = ? AND fork_id = ?"
        await self._database.change(sql, (self._profile, fork_id))

    async def shown(self) -> frozenset[str]:
        """Return the conversations that were shown last of their chats."""
        sql = "SELECT conversation_id FROM shown_versions WHERE profile = ?"
        return await self._database.read(
            lambda c: frozenset(str(row[0]) for row in c.execute(sql, (self._profile,)))
        )

    async def show(self, chat_id: str, conversation_id: str) -> None:
        """Note which conversation is shown of a chat, which has the id of its first one."""
        sql = "INSERT OR REPLACE INTO shown_versions VALUES (?, ?, ?)"
        await self._database.change(sql, (self._profile, chat_id, conversation_id))

    def _copy_choices(self, connection: sqlite3.Connection, source: str, copy: str) -> None:
        taken = [n for n in _columns(connection, "conversations") if n not in _OF_ONE_CONVERSATION]
        names = ", ".join(taken)
        connection.execute(
            f"INSERT OR IGNORE INTO conversations (profile, conversation_id, {names})"  # noqa: S608 names of columns
            f" SELECT profile, ?, {names} FROM conversations"
            " WHERE profile = ? AND conversation_id = ?",
            (copy, self._profile, source),
        )

    def _copy_turns(
        self,
        connection: sqlite3.Connection,
        source: tuple[str, str],
        copy: str,
        ids: Mapping[str, str],
    ) -> None:
        taken = [n for n in _columns(connection, "turns") if n not in _OF_ONE_TURN]
        names = ", ".join(taken)
        rows = connection.execute(
            f"SELECT turn_id, {names} FROM turns WHERE profile = ? AND conversation_id = ?"  # noqa: S608
            " ORDER BY sequence",
            source,
        ).fetchall()
        for turn_id, *values in rows:
            row = dict(zip(taken, values, strict=True))
            if row["user_message_id"] not in ids:
                continue
            row |= {
                "turn_id": f"{turn_id[:20]}-{copy[-12:]}",
                "profile": self._profile,
                "conversation_id": copy,
                "user_message_id": ids[row["user_message_id"]],
                # Nobody goes on with the copy of a reply that was cut off.
                "state": TurnState.DONE.value,
            }
            marks = ", ".join("?" * len(row))
            connection.execute(
                f"INSERT OR REPLACE INTO turns ({', '.join(row)}, sequence) VALUES ({marks},"  # noqa: S608
                " (SELECT coalesce(max(sequence), 0) + 1 FROM turns))",
                tuple(row.values()),
            )
            _copy_pieces(connection, turn_id, row["turn_id"], ids)
            _copy_attachments(connection, turn_id, row["turn_id"], copy)


def finish_version(
    connection: sqlite3.Connection, profile: str, fork_id: str, turn_id: str
) -> None:
    """Note with which message a version goes on, in the transaction that keeps the message."""
    sql = "UPDATE versions SET turn_id = ? WHERE profile = ? AND fork_id = ?"
    connection.execute(sql, (turn_id, profile, fork_id))


def _kept(row: tuple[str, str, str | None, str, int, str | None, str | None, int]) -> StoredVersion:
    fork_id, source_id, through, parent_id, shared_count, conversation_id, turn_id, is_branch = row
    copied = (fork_id, source_id, through, parent_id, shared_count)
    return StoredVersion(*copied, conversation_id, turn_id, bool(is_branch))


def _copy_pieces(
    connection: sqlite3.Connection, source: str, copy: str, ids: Mapping[str, str]
) -> None:
    names = [name for name in _columns(connection, "pieces") if name != "turn_id"]
    found = connection.execute(
        f"SELECT {', '.join(names)} FROM pieces WHERE turn_id = ? ORDER BY position",  # noqa: S608
        (source,),
    ).fetchall()
    at = names.index("message_id")
    rows = [(copy, *row[:at], ids[row[at]], *row[at + 1 :]) for row in found if row[at] in ids]
    marks = ", ".join("?" * (len(names) + 1))
    connection.executemany(
        f"INSERT INTO pieces (turn_id, {', '.join(names)}) VALUES ({marks})",  # noqa: S608
        rows,
    )


def _copy_attachments(
    connection: sqlite3.Connection, source: str, copy: str, conversation_id: str
) -> None:
    own = ("attachment_id", "turn_id", "conversation_id")
    names = [name for name in _columns(connection, "attachments") if name not in own]
    listed = ", ".join(names)
    connection.execute(
        f"INSERT INTO attachments (attachment_id, turn_id, conversation_id, {listed})"  # noqa: S608
        f" SELECT lower(hex(randomblob(16))), ?, ?, {listed} FROM attachments WHERE turn_id = ?",
        (copy, conversation_id, source),
    )


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
