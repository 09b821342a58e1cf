"""Many conversations in a moment, written straight into the service's SQLite file."""

import contextlib
import sqlite3
from pathlib import Path

_FILE = "parley-server.sqlite3"
_CONVERSATIONS = """
WITH RECURSIVE numbers(number) AS (
  SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < :more
)
INSERT INTO conversations (id, project, mode, created_at, updated_at, message_count)
SELECT 'conv_' || lower(hex(randomblob(16))), project, mode,
       created_at - number * 1000000, updated_at - number * 1000000, message_count
FROM conversations, numbers
"""
_MESSAGES = """
INSERT INTO messages (id, conversation_id, role, content, created_at)
SELECT 'msg_' || lower(hex(randomblob(16))), conversations.id, role, content,
       messages.created_at - :held_at + conversations.created_at
FROM conversations, messages
WHERE conversations.id != :held
ORDER BY conversations.updated_at, messages.seq
"""
_COUNT = "UPDATE owners SET conversation_count = :count"


def fill(data: Path, count: int) -> None:
    """Make so many conversations out of the only one, a second apart, with its messages.

    Args:
        data: The data folder of a service that does not run.
        count: How many there are then, with the first.
    """
    with contextlib.closing(sqlite3.connect(data / _FILE)) as connection, connection:
        (row,) = connection.execute("SELECT id, created_at FROM conversations").fetchall()
        held, held_at = row
        connection.execute(_CONVERSATIONS, {"more": count - 1})
        connection.execute(_MESSAGES, {"held": held, "held_at": held_at})
        connection.execute(_COUNT, {"count": count})
