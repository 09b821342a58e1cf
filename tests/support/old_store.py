"""A store as the first released version left it: its tables, and some data in each of them."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.support.postgres import FreshDatabase

FILE: Final = "parley-server.sqlite3"
# Dumps of databases that a released version made and filled, by SQLite and by pg_dump.
_RECORDED: Final = Path(__file__).parents[1] / "local_server" / "recorded"
# As SQLite itself tells it of a database that the version made.
_TABLES: Final = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE api_keys (
    id VARCHAR(64) NOT NULL,
    hash VARCHAR(64) NOT NULL,
    hint VARCHAR(32) NOT NULL,
    project VARCHAR(64) NOT NULL,
    mode VARCHAR(8) NOT NULL,
    "plan" VARCHAR(16) NOT NULL,
    per_minute INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (id),
    UNIQUE (hash)
);
CREATE TABLE conversations (
    id VARCHAR(64) NOT NULL,
    project VARCHAR(64) NOT NULL,
    mode VARCHAR(8) NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX conversations_by_owner ON conversations (project, mode, updated_at, id);
CREATE TABLE messages (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(64) NOT NULL,
    conversation_id VARCHAR(64) NOT NULL,
    role VARCHAR(16) NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
CREATE TABLE tool_calls (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(64) NOT NULL,
    conversation_id VARCHAR(64) NOT NULL,
    message_id VARCHAR(64) NOT NULL,
    name TEXT NOT NULL,
    input TEXT NOT NULL,
    tools TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    "offset" INTEGER NOT NULL,
    state VARCHAR(16) NOT NULL,
    result TEXT,
    is_finished BOOLEAN NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(conversation_id) REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE INDEX tool_calls_by_conversation ON tool_calls (conversation_id, seq);
INSERT INTO schema_version VALUES (1);
"""
# PostgreSQL came with the second shape: this is what that one would have been before.
_BACK_TO_1: Final = """
DROP TABLE owners;
DROP TABLE permits;
DROP TABLE spending;
DROP TABLE reservations;
DROP TABLE images;
DROP TABLE image_contents;
DROP INDEX tool_calls_by_message;
ALTER TABLE conversations DROP COLUMN message_count, DROP COLUMN model,
    DROP COLUMN settings, DROP COLUMN instructions, DROP COLUMN has_title,
    DROP COLUMN fork_id;
ALTER TABLE messages DROP COLUMN notices;
ALTER TABLE tool_calls DROP COLUMN round, DROP COLUMN used_skills, DROP COLUMN hand_overs_left,
    DROP COLUMN origin;
UPDATE schema_version SET version = 1;
"""
_TOOLS: Final = (
    '[{"name": "read_file", "description": "Reads a file.", '
    '"input_schema": {"type": "object", "properties": {}}}]'
)
_COLUMNS: Final = (
    "id, conversation_id, message_id, name, input, tools, agent_name, "
    '"offset", state, result, is_finished'
)
# A question whose reply has had two results and waits for a third, and two conversations more.
_DATA: Final = f"""
INSERT INTO conversations (id, project, mode, created_at, updated_at) VALUES
    ('conv_asked', 'tests', 'live', 1700000000000000, 1700000004000000),
    ('conv_empty', 'tests', 'live', 1700000001000000, 1700000001000000),
    ('conv_other', 'other', 'test', 1700000002000000, 1700000003000000);
INSERT INTO messages (id, conversation_id, role, content, created_at) VALUES
    ('msg_1', 'conv_asked', 'user', 'What is in them?', 1700000003000000),
    ('msg_2', 'conv_other', 'user', 'the secret of the vineyard', 1700000003000000),
    ('msg_3', 'conv_asked', 'assistant', 'One. Two.', 1700000004000000);
INSERT INTO tool_calls ({_COLUMNS}) VALUES
    ('call_1', 'conv_asked', 'msg_3', 'read_file', '{{"path": "a"}}', '{_TOOLS}', 'assistant',
     0, 'answered', 'A', true),
    ('call_2', 'conv_asked', 'msg_3', 'read_file', '{{"path": "b"}}', '{_TOOLS}', 'assistant',
     4, 'answered', 'B', true),
    ('call_3', 'conv_asked', 'msg_3', 'read_file', '{{"path": "c"}}', '{_TOOLS}', 'assistant',
     9, 'pending', NULL, false);
"""  # noqa: S608 - nothing of it comes from outside


def write_old_store(folder: Path) -> Path:
    """Write a data folder of the first version; returns the database's file."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / FILE
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(_TABLES + _DATA)
    return path


def age_store(database: FreshDatabase) -> None:
    """Turn an empty PostgreSQL database of today into one of the first shape, with the data."""
    database.run(_BACK_TO_1)
    database.run(_DATA)


def write_recorded_store(folder: Path) -> None:
    """Write a data folder as a released version of shape 2 left it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.executescript((_RECORDED / "shape_2.sqlite.sql").read_text(encoding="utf-8"))


def load_recorded_store(database: FreshDatabase) -> None:
    """Fill an empty PostgreSQL database as a released version of shape 2 left it."""
    statements = (_RECORDED / "shape_2.postgresql.sql").read_text(encoding="utf-8")
    # The tables belong to whoever the service connects as.
    database.run(f"SET ROLE service; {statements}")


def dump(path: Path) -> str:
    """Write down all that is in a SQLite database."""
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump())
