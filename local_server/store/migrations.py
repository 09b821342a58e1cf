"""Migrate the database step by step from one schema version to the next.

`bring_up_to_date` applies the missing steps; `Backups` keeps copies of a SQLite file from before
they changed it.

A released step is never changed, so it imports nothing from the current tables; a new step is
appended. The schema version stays in the table that the first release created, so releases from
before these steps refuse a newer database too.
"""

import json
import os
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, insert, inspect, select, text, update

from local_server.store.database import DatabaseError
from local_server.store.tables import SCHEMA_VERSION, metadata, schema_version

# Stores the counts that lists need, and in each tool call the state of its reply. Before this
# version, calls were requested one at a time, so each old call gets its own round.
_SHAPE_2: Final = (
    "ALTER TABLE conversations ADD COLUMN message_count INTEGER DEFAULT '0' NOT NULL",
    """
    UPDATE conversations SET message_count = (
        SELECT count(*) FROM messages WHERE messages.conversation_id = conversations.id
    )
    """,
    """
    CREATE TABLE owners (
        project {varchar_64} NOT NULL,
        mode {varchar_8} NOT NULL,
        conversation_count INTEGER NOT NULL,
        PRIMARY KEY (project, mode)
    )
    """,
    """
    INSERT INTO owners (project, mode, conversation_count)
    SELECT project, mode, count(*) FROM conversations GROUP BY project, mode
    """,
    "ALTER TABLE tool_calls ADD COLUMN round INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE tool_calls ADD COLUMN used_skills TEXT DEFAULT '[]' NOT NULL",
    "ALTER TABLE tool_calls ADD COLUMN hand_overs_left INTEGER DEFAULT '0' NOT NULL",
    "CREATE INDEX tool_calls_by_message ON tool_calls (message_id, seq)",
    """
    UPDATE tool_calls SET round = (
        SELECT count(*) FROM tool_calls AS earlier
        WHERE earlier.message_id = tool_calls.message_id AND earlier.seq < tool_calls.seq
    )
    """,
)
# Tool calls remember the answer of the model that asked for them, as its provider wrote it.
_SHAPE_3: Final = ("ALTER TABLE tool_calls ADD COLUMN origin TEXT",)
# The parts of a message that the service wrote, as JSON: [[offset, length, [omission]]].
_SHAPE_4: Final = ("ALTER TABLE messages ADD COLUMN notices TEXT DEFAULT '[]' NOT NULL",)
_SHAPE_5: Final = ("ALTER TABLE conversations ADD COLUMN model TEXT",)
# What was chosen for a conversation: settings as JSON, instructions in words.
_SHAPE_6: Final = (
    "ALTER TABLE conversations ADD COLUMN settings TEXT DEFAULT '{{}}' NOT NULL",
    "ALTER TABLE conversations ADD COLUMN instructions TEXT DEFAULT '' NOT NULL",
)
# A conversation remembers by which id its client asked for it, so that asking again finds it.
_SHAPE_7: Final = (
    "ALTER TABLE conversations ADD COLUMN fork_id {varchar_64}",
    "CREATE UNIQUE INDEX conversations_by_fork ON conversations (project, mode, fork_id)",
)
# Whether a client was told a title.
_SHAPE_8: Final = (
    "ALTER TABLE conversations ADD COLUMN has_title BOOLEAN DEFAULT {false} NOT NULL",
)
# What operators allow projects, and what these used by day.
_SHAPE_9: Final = (
    """
    CREATE TABLE permits (
        project {varchar_64} NOT NULL,
        models TEXT NOT NULL,
        has_settings BOOLEAN NOT NULL,
        has_titles BOOLEAN NOT NULL,
        max_output_tokens INTEGER,
        tokens_per_day BIGINT,
        micro_usd_per_day BIGINT,
        PRIMARY KEY (project)
    )
    """,
    """
    CREATE TABLE spending (
        project {varchar_64} NOT NULL,
        day INTEGER NOT NULL,
        tokens BIGINT NOT NULL,
        micro_usd BIGINT NOT NULL,
        PRIMARY KEY (project, day)
    )
    """,
)
# Images that go with messages and with results of tools.
_SHAPE_10: Final = (
    """
    CREATE TABLE images (
        conversation_id {varchar_64} NOT NULL,
        message_id {varchar_64} NOT NULL,
        call_id {varchar_64} NOT NULL,
        position INTEGER NOT NULL,
        project {varchar_64} NOT NULL,
        mode {varchar_8} NOT NULL,
        name TEXT NOT NULL,
        media_type {varchar_64} NOT NULL,
        sha256 {varchar_64} NOT NULL,
        PRIMARY KEY (message_id, call_id, position),
        FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX images_by_conversation ON images (conversation_id)",
    "CREATE INDEX images_by_content ON images (project, mode, sha256)",
    """
    CREATE TABLE image_contents (
        project {varchar_64} NOT NULL,
        mode {varchar_8} NOT NULL,
        sha256 {varchar_64} NOT NULL,
        size_bytes INTEGER NOT NULL,
        data {blob} NOT NULL,
        PRIMARY KEY (project, mode, sha256)
    )
    """,
)
# What replies under way may use of their project's day.
_SHAPE_11: Final = (
    """
    CREATE TABLE reservations (
        id {varchar_64} NOT NULL,
        project {varchar_64} NOT NULL,
        until BIGINT NOT NULL,
        tokens BIGINT NOT NULL,
        micro_usd BIGINT NOT NULL,
        PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX reservations_by_project ON reservations (project)",
)
# By the number of the shape that each leads to, from the number before.
STEPS: Final[Mapping[int, Sequence[str]]] = {
    2: _SHAPE_2,
    3: _SHAPE_3,
    4: _SHAPE_4,
    5: _SHAPE_5,
    6: _SHAPE_6,
    7: _SHAPE_7,
    8: _SHAPE_8,
    9: _SHAPE_9,
    10: _SHAPE_10,
    11: _SHAPE_11,
}
# Text in PostgreSQL has no length: a NUL is escaped there, which makes it longer.
_TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {
        "varchar_8": "VARCHAR(8)",
        "varchar_64": "VARCHAR(64)",
        "false": "0",
        "blob": "BLOB",
    },
    "postgresql": {"varchar_8": "TEXT", "varchar_64": "TEXT", "false": "false", "blob": "BYTEA"},
}

_HAS_IMAGES: Final = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'image_contents'"
_DROP_UNUSED_IMAGES: Final = """
    DELETE FROM image_contents WHERE NOT EXISTS (
        SELECT 1 FROM images
        WHERE images.project = image_contents.project AND images.mode = image_contents.mode
        AND images.sha256 = image_contents.sha256
    )
"""
_KEPT: Final = 3
_NAME: Final = re.compile(r"parley-server\.revision-(\d+)\.sqlite3")
_UNFINISHED: Final = "parley-server.revision.unfinished"


def read_revision(connection: Connection) -> int | None:
    """Return the schema version of a database; None if the database is empty."""
    if not inspect(connection).has_table(schema_version.name):
        return None
    revision: int = connection.execute(select(schema_version.c.version)).scalar_one()
    return revision


def bring_up_to_date(connection: Connection) -> None:
    """Migrate a database to the current schema version, in the connection's transaction.

    Raises:
        DatabaseError: When the database is newer than this program.
    """
    revision = read_revision(connection)
    if revision is None:
        metadata.create_all(connection)
        connection.execute(insert(schema_version).values(version=SCHEMA_VERSION))
    elif revision > SCHEMA_VERSION:
        raise DatabaseError(
            "The data was written by a newer version of this service "
            f"(its shape has the number {revision}, this one knows {SCHEMA_VERSION}). Update it."
        )
    else:
        for number in range(revision + 1, SCHEMA_VERSION + 1):
            _apply(connection, number)


def _apply(connection: Connection, number: int) -> None:
    types = _TYPES[connection.dialect.name]
    for statement in STEPS[number]:
        connection.exec_driver_sql(statement.format(**types))
    if number == 4:
        _find_notices(connection)
    connection.execute(update(schema_version).values(version=number))


# The notices of shape 3, which stood in the text alone.
_OLD_NOTICE: Final = re.compile(
    r"\*This model (?:takes no tools|has too little room for ([^*]+)), "
    r"so it answers without them\.\*"
)
_OLD_NAMES: Final[Mapping[str, str]] = {
    "skills": "skills",
    "some of the tools": "some_tools",
    "tools": "tools",
    "the agent’s instructions": "instructions",
}
_FIND_OLD_NOTICES: Final = text(
    "SELECT seq, content FROM messages "
    "WHERE role = 'assistant' AND content LIKE '%so it answers without them.*%'"
)
_KEEP_NOTICES: Final = text("UPDATE messages SET notices = :notices WHERE seq = :seq")


def _find_notices(connection: Connection) -> None:
    """Note where earlier versions wrote notices, which then said in words alone what they are."""
    is_escaped = connection.dialect.name == "postgresql"
    for seq, content in connection.execute(_FIND_OLD_NOTICES).all():
        # PostgreSQL has two characters for NUL and for the one that announces it.
        plain = re.sub("\x1a[0e]", "?", content) if is_escaped else content
        notices = [
            [match.start(), len(match[0]), _old_omissions(match[1])]
            for match in _OLD_NOTICE.finditer(plain)
        ]
        connection.execute(_KEEP_NOTICES, {"seq": seq, "notices": json.dumps(notices)})


def _old_omissions(listed: str | None) -> list[str]:
    if listed is None:
        return ["tools_not_taken"]
    return [_OLD_NAMES[name] for name in re.split(", | and ", listed) if name in _OLD_NAMES]


class Backups:
    """The backups beside a SQLite database, one for each of its latest schema versions.

    As private as the database; a conversation that is deleted there is deleted here too. Lives as
    long as the database. Blocking: call its methods in a thread.
    """

    def __init__(self, database: Path) -> None:
        self._database = database

    def make(self, revision: int) -> None:
        """Copy the last committed state of the database, and delete the oldest backups.

        Raises:
            OSError: When the folder cannot be written.
            sqlite3.Error: When the copy cannot be made.
        """
        unfinished = self._database.with_name(_UNFINISHED)
        _remove(unfinished)
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            _copy(self._database, unfinished)
        except (OSError, sqlite3.Error):
            # The disk may be full: free the space of the unfinished copy.
            _remove(unfinished)
            raise
        unfinished.replace(self._database.with_name(f"parley-server.revision-{revision}.sqlite3"))
        for path in self._all()[:-_KEPT]:
            path.unlink(missing_ok=True)

    def delete_conversation(self, conversation_id: str) -> None:
        """Delete a conversation from every backup; a backup that cannot be changed is deleted."""
        for path in self._all():
            try:
                _delete_conversation(path, conversation_id)
            except sqlite3.Error:
                path.unlink(missing_ok=True)

    def _all(self) -> list[Path]:
        """Return the copies, oldest shape first."""
        found = [
            (int(match[1]), path)
            for path in self._database.parent.iterdir()
            if (match := _NAME.fullmatch(path.name))
        ]
        return [path for _, path in sorted(found)]


def _delete_conversation(path: Path, conversation_id: str) -> None:
    with closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA secure_delete=ON")
        copy.execute("PRAGMA foreign_keys=ON")
        with copy:
            copy.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
            if copy.execute(_HAS_IMAGES).fetchone() is not None:
                copy.execute(_DROP_UNUSED_IMAGES)


def _copy(database: Path, target: Path) -> None:
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        # Without a log, so that the copy is a single file.
        copy.execute("PRAGMA journal_mode=DELETE")
    handle = os.open(target, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(unfinished: Path) -> None:
    for path in (unfinished, unfinished.with_name(f"{unfinished.name}-journal")):
        path.unlink(missing_ok=True)
