"""The schema of the store, as migration steps.

A released step is never changed; a new one is appended.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Final

from app.store.errors import DamagedError, NewerError

# AUTOINCREMENT in `messages`: numbers of deleted rows are not given again, since
# `MessageTable.high_water` tells old messages from new by them.
_FIRST: Final = """
CREATE TABLE conversations (
    profile TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    message_count INTEGER NOT NULL DEFAULT 0,
    updated_at TEXT,
    folder TEXT,
    position INTEGER,
    PRIMARY KEY (profile, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    profile TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT,
    position INTEGER NOT NULL,
    UNIQUE (profile, conversation_id, message_id)
) STRICT;

CREATE TABLE turns (
    turn_id TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    text TEXT NOT NULL,
    agent_name TEXT,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL,
    known_upto INTEGER,
    declared TEXT NOT NULL DEFAULT '{}',
    user_message_id TEXT,
    failure TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_of_conversation ON turns (profile, conversation_id, sequence);

CREATE TABLE pieces (
    turn_id TEXT NOT NULL REFERENCES turns ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    message_id TEXT NOT NULL,
    agent_name TEXT,
    agent_display_name TEXT,
    call_id TEXT NOT NULL,
    title TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (turn_id, position)
) STRICT;

CREATE TABLE drafts (
    profile TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (profile, conversation_id)
) STRICT, WITHOUT ROWID;
"""

_LISTED: Final = """
ALTER TABLE conversations ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN is_unread INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN is_last_open INTEGER NOT NULL DEFAULT 0;
"""

# `words` indexes the text of `messages` and keeps none of its own. `unindexed` are the messages
# that it does not know as they are: `was` is the text it has of them, to be taken out.
_SEARCH: Final = """
CREATE VIRTUAL TABLE words USING fts5(
    text,
    content = 'messages',
    content_rowid = 'row',
    tokenize = 'unicode61 remove_diacritics 2',
    prefix = '2 3'
);

CREATE TABLE unindexed (
    row INTEGER PRIMARY KEY,
    was TEXT
) STRICT;
INSERT INTO unindexed SELECT row, NULL FROM messages;

CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
    INSERT INTO unindexed VALUES (new.row, NULL);
END;
CREATE TRIGGER message_changed AFTER UPDATE OF text ON messages WHEN new.text <> old.text BEGIN
    INSERT INTO unindexed SELECT old.row, old.text
    WHERE NOT EXISTS (SELECT 1 FROM unindexed WHERE row = old.row);
END;
CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN
    INSERT INTO unindexed SELECT old.row, old.text
    WHERE NOT EXISTS (SELECT 1 FROM unindexed WHERE row = old.row);
END;
"""

# `body` is what the rule says and never changes; the other columns are what became of it.
_RULES: Final = """
CREATE TABLE rules (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    profile TEXT NOT NULL,
    rule_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    body TEXT NOT NULL,
    calls_left INTEGER,
    use_count INTEGER NOT NULL DEFAULT 0,
    last_used_at TEXT,
    ended TEXT,
    UNIQUE (profile, rule_id)
) STRICT;
"""

# `tools_off` are the names of the tools that a chat goes without, as a JSON list.
_TOOLS_OFF: Final = """
ALTER TABLE conversations ADD COLUMN tools_off TEXT NOT NULL DEFAULT '[]';
CREATE INDEX pieces_of_call ON pieces (call_id) WHERE call_id <> '';
"""

# The conversations whose deletion has begun, until nothing is left of them. One is in doubt when
# it failed as far as anybody was told, and the service may have deleted it all the same.
_DELETIONS: Final = """
CREATE TABLE deletions (
    profile TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    is_in_doubt INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (profile, conversation_id)
) STRICT, WITHOUT ROWID;
"""

# `agent_name` is who was chosen to answer in the chat; NULL lets the service choose.
_AGENT: Final = """
ALTER TABLE conversations ADD COLUMN agent_name TEXT;
"""

# `model` is the id of the model that was chosen for the chat, empty for the default; NULL before
# anybody chose.
_MODEL: Final = """
ALTER TABLE conversations ADD COLUMN model TEXT;
"""

# Contents are in files named by `sha256`. Without a turn it belongs to the draft of its chat. The
# first `words_length` characters of a message are what the person wrote; NULL for all of them.
_ATTACHMENTS: Final = """
ALTER TABLE turns ADD COLUMN words_length INTEGER;

CREATE TABLE attachments (
    attachment_id TEXT PRIMARY KEY,
    profile TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    turn_id TEXT REFERENCES turns ON DELETE SET NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    unit TEXT NOT NULL,
    part_count INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    is_inline INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attachments_of_conversation ON attachments (profile, conversation_id, position);
CREATE INDEX attachments_of_turn ON attachments (turn_id);
"""

# What a thought took; what a reply used, as JSON, and the name of the model that was to answer.
_USAGE: Final = """
ALTER TABLE pieces ADD COLUMN seconds REAL;
ALTER TABLE turns ADD COLUMN usage TEXT;
ALTER TABLE turns ADD COLUMN model TEXT NOT NULL DEFAULT '';
"""

# How long the model is to think in the chat, empty for its own way; NULL before anybody chose.
_THINKING: Final = """
ALTER TABLE conversations ADD COLUMN thinking TEXT;
"""

# The conversations that were copied from another one, and which of a chat's is shown. `fork_id` is
# how the service is asked for a copy; `turn_id` is NULL until a message is accepted in it.
_VERSIONS: Final = """
CREATE TABLE versions (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    profile TEXT NOT NULL,
    fork_id TEXT NOT NULL,
    source_id TEXT NOT NULL,
    through TEXT,
    parent_id TEXT NOT NULL,
    shared_count INTEGER NOT NULL,
    conversation_id TEXT,
    turn_id TEXT,
    is_branch INTEGER NOT NULL DEFAULT 0,
    UNIQUE (profile, fork_id)
) STRICT;
CREATE INDEX versions_of_conversation ON versions (profile, conversation_id);

CREATE TABLE shown_versions (
    profile TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    PRIMARY KEY (profile, chat_id)
) STRICT, WITHOUT ROWID;
"""

# What the model is told in the chat, beside its agent's instructions; NULL before anybody wrote it.
_INSTRUCTIONS: Final = """
ALTER TABLE conversations ADD COLUMN instructions TEXT;
"""

# How random and how long answers are in the chat; NULL for the model's own way.
_ANSWERS: Final = """
ALTER TABLE conversations ADD COLUMN temperature REAL;
ALTER TABLE conversations ADD COLUMN max_output_tokens INTEGER;
"""

# An image that a tool returned belongs to its call; the others have an empty text.
_IMAGES_OF_CALLS: Final = """
ALTER TABLE attachments ADD COLUMN call_id TEXT NOT NULL DEFAULT '';
"""

STEPS: Final[Sequence[str]] = (
    _FIRST,
    _LISTED,
    _SEARCH,
    _RULES,
    _TOOLS_OFF,
    _DELETIONS,
    _AGENT,
    _MODEL,
    _ATTACHMENTS,
    _USAGE,
    _THINKING,
    _VERSIONS,
    _INSTRUCTIONS,
    _ANSWERS,
    _IMAGES_OF_CALLS,
)


# A number that is higher by more than this is damage, not a later version.
_NEXT_VERSIONS: Final = 1000


def migrate(connection: sqlite3.Connection, steps: Sequence[str] = STEPS) -> None:
    """Migrate the tables: apply each missing step in one transaction with its version number.

    Raises:
        NewerError: a newer version of the program has migrated the file.
        DamagedError: the schema differs from the steps' result, or has an unknown trigger.
    """
    check_shape(connection, steps)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for number, step in enumerate(steps[version:], start=version + 1):
        # A script runs whole or not at all; the number is part of it.
        script = f"BEGIN IMMEDIATE;\n{step}\nPRAGMA user_version = {number};\nCOMMIT;"
        try:
            connection.executescript(script)
        except sqlite3.DatabaseError:
            if connection.in_transaction:
                connection.rollback()
            raise


def check_shape(connection: sqlite3.Connection, steps: Sequence[str] = STEPS) -> None:
    """Check that the schema is that of the file's version number.

    Raises:
        NewerError: a newer version of the program has migrated the file.
        DamagedError: the schema differs from the steps' result.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    found = _shape(connection)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as blank:
        for step in steps[: max(0, version)]:
            blank.executescript(step)
        expected = _shape(blank)
    if len(steps) < version <= len(steps) + _NEXT_VERSIONS:
        # What is newer has something more; otherwise it is the number that is damaged.
        if found != expected and expected <= found:
            raise NewerError
        raise DamagedError
    is_ours = expected <= found if expected else not found
    if version not in range(len(steps) + 1) or not is_ours or _has_foreign_code(connection, steps):
        raise DamagedError


def _shape(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """List each column of each table, without those that SQLite makes for itself."""
    query = (
        "SELECT tables.name, columns.name FROM pragma_table_list AS tables"
        " JOIN pragma_table_info(tables.name) AS columns"
        " WHERE tables.schema = 'main' AND tables.type = 'table'"
        " AND tables.name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
    return frozenset((str(table), str(column)) for table, column in connection.execute(query))


def _has_foreign_code(connection: sqlite3.Connection, steps: Sequence[str]) -> bool:
    """Return whether a file that was changed elsewhere brings triggers or views of its own."""
    query = "SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"
    found = connection.execute(query).fetchall()
    return any(not any(sql in step for step in steps) for (sql,) in found)
