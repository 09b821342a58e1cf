"""Keeps the index of words in step with the kept messages, and takes deleted words out of it.

Triggers note which messages are not indexed as they are; the index follows when somebody
searches. It cannot follow in the triggers themselves: since a file from elsewhere must not bring
code along (`trusted_schema` is off), they may not touch it.
"""

import sqlite3
from typing import Final

# One slice is a moment; whoever has something to write gets a turn between two of them.
_SLICE_ROWS: Final = 200

_CHANGED: Final = (
    "SELECT row, was, text FROM unindexed LEFT JOIN messages USING (row) ORDER BY row LIMIT ?"
)
_GONE: Final = (
    "SELECT row, was, NULL FROM unindexed WHERE NOT EXISTS"
    " (SELECT 1 FROM messages WHERE messages.row = unindexed.row)"
)
_TAKE_OUT: Final = "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)"
_PUT_IN: Final = "INSERT INTO words (rowid, text) VALUES (?, ?)"


def is_behind(connection: sqlite3.Connection) -> bool:
    """Tell whether there is a message that is not indexed as it is."""
    return connection.execute("SELECT 1 FROM unindexed LIMIT 1").fetchone() is not None


def index_some(connection: sqlite3.Connection) -> None:
    """Bring the index up to date for a slice of what has changed; in a transaction."""
    _apply(connection, connection.execute(_CHANGED, (_SLICE_ROWS,)).fetchall())


def erase_deleted(connection: sqlite3.Connection) -> None:
    """Leave no word of a deleted message in the index; in the transaction that deleted it.

    The index only notes that a message went, also one that went earlier, and drops its words some
    day. Rewriting it whole drops them now; it takes a fifth of a second for 10,000 messages.
    """
    _apply(connection, connection.execute(_GONE).fetchall())
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")


def _apply(connection: sqlite3.Connection, rows: list[tuple[int, str | None, str | None]]) -> None:
    connection.executemany(_TAKE_OUT, [(row, was) for row, was, _ in rows if was is not None])
    connection.executemany(_PUT_IN, [(row, text) for row, _, text in rows if text is not None])
    connection.executemany("DELETE FROM unindexed WHERE row = ?", [(row,) for row, _, _ in rows])
