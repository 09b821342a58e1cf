"""Store attachments of messages and drafts: rows in the database, contents in files named by hash.

Contents are not in the database, since the whole database is checked at each start. A file is
written before the row that refers to it; a file without rows is deleted with its last row, or at
the next start.
"""

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias
from uuid import uuid4

from app.common.error_messages import ErrorCode
from app.store.database import Database, StoreTable, storable
from app.store.errors import StoreError
from app.store.records import NewAttachment, StoredAttachment
from local_tools.recovery.files import write_atomically

log = logging.getLogger(__name__)

_COLUMNS: Final = (
    "attachment_id, name, kind, size_bytes, sha256, unit, part_count, width, height, is_inline,"
    " turn_id, call_id"
)
_SELECT: Final = f"SELECT {_COLUMNS} FROM attachments WHERE profile = ? AND conversation_id = ?"  # noqa: S608 - our own names
_INSERT: Final = (
    f"INSERT INTO attachments (profile, conversation_id, {_COLUMNS}, position)"  # noqa: S608
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
    " (SELECT coalesce(max(position), 0) + 1 FROM attachments))"
)

_DROP_OF_CALL: Final = (
    "DELETE FROM attachments WHERE profile = ? AND conversation_id = ? AND call_id = ?"
    " AND call_id <> '' RETURNING sha256"
)

_Row: TypeAlias = "tuple[str, str, str, int, str, str, int, int, int, int, str | None, str]"
"""As `_COLUMNS` names them."""


class AttachmentTable(StoreTable):
    """The attachments of one profile. Those without a turn belong to their chat's draft."""

    def __init__(
        self, database: Database, profile: str, now: Callable[[], datetime], folder: Path
    ) -> None:
        super().__init__(database, profile, now)
        self._folder = folder

    async def add(self, conversation_id: str, new: NewAttachment) -> StoredAttachment:
        """Store a file with a chat's draft; an empty id is the new chat.

        Raises:
            StoreError: it could not be stored.
        """
        attachment_id, name, size = uuid4().hex, storable(new.name), len(new.content)

        def work(connection: sqlite3.Connection) -> StoredAttachment:
            # Here, not on the thread of the windows: it takes long of a large file.
            sha256 = hashlib.sha256(new.content).hexdigest()
            said = (name, new.kind, size, sha256, new.unit, new.count)
            kept = StoredAttachment(attachment_id, *said, new.width, new.height, new.is_inline)
            # The file before the row: a cut in between leaves a file that nothing names, never a
            # row without one.
            self._write(sha256, new.content)
            connection.execute(_INSERT, (self._profile, conversation_id, *_row(kept)))
            return kept

        return await self._database.write(work)

    async def add_of_call(
        self, conversation_id: str, turn_id: str, call_id: str, images: Sequence[NewAttachment]
    ) -> tuple[StoredAttachment, ...]:
        """Store the images that a tool call returned, replacing earlier ones of the call.

        Raises:
            StoreError: they could not be stored.
        """
        kept = [
            StoredAttachment(
                uuid4().hex,
                storable(new.name),
                new.kind,
                len(new.content),
                hashlib.sha256(new.content).hexdigest(),
                width=new.width,
                height=new.height,
                turn_id=turn_id,
                call_id=call_id,
            )
            for new in images
        ]

        def work(connection: sqlite3.Connection) -> set[str]:
            where = (self._profile, conversation_id, call_id)
            gone = connection.execute(_DROP_OF_CALL, where).fetchall()
            for item, new in zip(kept, images, strict=True):
                self._write(item.sha256, new.content)
                connection.execute(_INSERT, (self._profile, conversation_id, *_row(item)))
            return {str(row[0]) for row in gone}

        gone = await self._database.write(work)
        if gone:
            await self._database.read(lambda c: remove_unused(c, self._folder, gone))
        return tuple(kept)

    async def of_call(self, conversation_id: str, call_id: str) -> tuple[StoredAttachment, ...]:
        """Return the images of a tool call, in order."""
        sql = f"{_SELECT} AND call_id = ? AND call_id <> '' ORDER BY position"
        where = (self._profile, conversation_id, call_id)
        return await self._database.read(lambda c: tuple(map(_attachment, c.execute(sql, where))))

    async def copy(
        self, attachments: Sequence[StoredAttachment], conversation_id: str
    ) -> tuple[StoredAttachment, ...]:
        """Copy attachments to a chat's draft; the originals stay.

        Raises:
            StoreError: they could not be stored.
        """
        copies = [replace(item, attachment_id=uuid4().hex, turn_id=None) for item in attachments]
        rows = [(self._profile, conversation_id, *_row(item)) for item in copies]
        if rows:
            await self._database.change(_INSERT, *rows)
        return tuple(copies)

    async def move(self, attachments: Sequence[StoredAttachment], conversation_id: str) -> None:
        """Move attachments to another chat's draft.

        Raises:
            StoreError: they could not be moved.
        """
        rows = [(conversation_id, self._profile, item.attachment_id) for item in attachments]
        sql = "UPDATE attachments SET conversation_id = ? WHERE profile = ? AND attachment_id = ?"
        if rows:
            await self._database.change(sql, *rows)

    async def of_draft(self, conversation_id: str) -> tuple[StoredAttachment, ...]:
        """Return the attachments of a chat's draft, in the order they were added."""
        sql = f"{_SELECT} AND turn_id IS NULL ORDER BY position"
        where = (self._profile, conversation_id)
        return await self._database.read(lambda c: tuple(map(_attachment, c.execute(sql, where))))

    async def of_messages(self, conversation_id: str) -> tuple[StoredAttachment, ...]:
        """Return the attachments of a chat's messages, in the order they were added."""
        found = await self._database.read(
            lambda c: read_attachments(c, self._profile, conversation_id)
        )
        return tuple(item for item in found if not item.call_id)

    async def remove(self, attachment_id: str) -> None:
        """Delete an attachment of a draft; one that was sent stays."""
        sql = (
            "DELETE FROM attachments WHERE profile = ? AND attachment_id = ? AND turn_id IS NULL"
            " RETURNING sha256"
        )

        def work(connection: sqlite3.Connection) -> set[str]:
            rows = connection.execute(sql, (self._profile, attachment_id)).fetchall()
            return {str(row[0]) for row in rows}

        gone = await self._database.write(work)
        # After the transaction: a file that was removed does not come back with a rollback.
        await self._database.read(lambda c: remove_unused(c, self._folder, gone))

    async def content(self, conversation_id: str, sha256: str) -> bytes | None:
        """Return the contents with this hash if the chat refers to them; None if missing."""
        sql = (
            "SELECT 1 FROM attachments WHERE profile = ? AND conversation_id = ? AND sha256 = ?"
            " LIMIT 1"
        )

        def work(connection: sqlite3.Connection) -> bytes | None:
            where = (self._profile, conversation_id, sha256)
            # A hash alone opens nothing: the chat has to refer to it.
            if connection.execute(sql, where).fetchone() is None:
                return None
            try:
                return (self._folder / sha256).read_bytes()
            except FileNotFoundError:
                return None

        return await self._database.read(work)

    def _write(self, sha256: str, content: bytes) -> None:
        path = self._folder / sha256
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            # Named by its hash: what is there already is the same, unless it was cut short.
            if not path.is_file() or path.stat().st_size != len(content):
                write_atomically(path, content)
        except OSError as exc:
            raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc


def read_attachments(
    connection: sqlite3.Connection, profile: str, conversation_id: str
) -> tuple[StoredAttachment, ...]:
    """Return the attachments of a chat's messages and of their replies' tool calls, in order."""
    sql = f"{_SELECT} AND turn_id NOT NULL ORDER BY position"
    return tuple(map(_attachment, connection.execute(sql, (profile, conversation_id))))


def assign(
    connection: sqlite3.Connection,
    turn_id: str,
    conversation_id: str,
    attachments: Iterable[StoredAttachment],
) -> None:
    """Make what is in a draft part of a message, under the names that it is sent with."""
    connection.executemany(
        "UPDATE attachments SET turn_id = ?, conversation_id = ?, name = ?, is_inline = ?"
        " WHERE attachment_id = ? AND turn_id IS NULL",
        [
            (turn_id, conversation_id, storable(a.name), a.is_inline, a.attachment_id)
            for a in attachments
        ],
    )


def remove_left(connection: sqlite3.Connection, folder: Path) -> None:
    """Remove the files that no row names: a deletion that was interrupted left them.

    Beside a damaged store that was put aside they stay: its rows may need them.
    """
    if not folder.is_dir() or any(folder.parent.glob("*.damaged-*")):
        return
    remove_unused(connection, folder, {path.name for path in folder.iterdir()})


def remove_unused(connection: sqlite3.Connection, folder: Path, names: Set[str]) -> None:
    """Delete the files among `names` (their SHA-256) that no attachment refers to any more."""
    used = {str(row[0]) for row in connection.execute("SELECT DISTINCT sha256 FROM attachments")}
    for name in names:
        if name not in used:
            try:
                (folder / name).unlink(missing_ok=True)
            except OSError as exc:
                log.warning("Cannot remove an attachment: %s", exc.strerror)


def _row(item: StoredAttachment) -> tuple[str | int | None, ...]:
    """Return the values of `_COLUMNS`."""
    said = (item.attachment_id, item.name, item.kind, item.size_bytes, item.sha256, item.unit)
    sizes = (item.count, item.width, item.height, item.is_inline)
    return (*said, *sizes, item.turn_id, item.call_id)


def _attachment(row: _Row) -> StoredAttachment:
    return StoredAttachment(*row[:9], bool(row[9]), *row[10:])
