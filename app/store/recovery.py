"""Check the store's file, and replace a damaged one by a new one with all readable rows.

SQLite finds damaged pages itself. It does not know the form of our values, so values that cannot be
parsed are looked for here: one of them would keep all chats from being shown.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Final

from app.api.events import PieceKind
from app.store.errors import DamagedError
from app.store.records import StoredFailure, TurnState
from app.store.schema import migrate
from local_tools.recovery import databases
from local_tools.recovery.files import PutAside


def _time(column: str) -> str:
    # As bytes: a function gets no text that is not valid UTF-8.
    return f"is_time(CAST({column} AS BLOB))"


def _json(column: str, shape: str) -> str:
    return f"is_json(CAST({column} AS BLOB), '{shape}')"


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_failure(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("reason"), str):
        return False
    return value.keys() <= _PARTS_OF_FAILURE and isinstance(value.get("values", {}), dict)


_PARTS_OF_FAILURE: Final = frozenset(field.name for field in fields(StoredFailure))
_SHAPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "failure": _is_failure,
    "names": _is_names,
    "object": lambda value: isinstance(value, dict),
    "texts": _is_texts,
}


_STATES: Final = ", ".join(f"'{state.value}'" for state in TurnState)
_KINDS: Final = ", ".join(f"'{kind.value}'" for kind in PieceKind)
# What holds of each row that can be read back, by table; tables that others refer to come first.
# Not here: the index of words, which is made anew.
_UNDERSTOOD: Final[Mapping[str, str]] = {
    "conversations": f"{_time('updated_at')} AND {_json('tools_off', 'names')}",
    "messages": _time("created_at"),
    "turns": (
        f"state IN ({_STATES}) AND created_at NOT NULL AND {_time('created_at')}"
        f" AND {_json('declared', 'texts')} AND (failure IS NULL OR {_json('failure', 'failure')})"
        f" AND (usage IS NULL OR {_json('usage', 'object')})"
    ),
    "pieces": f"kind IN ({_KINDS})",
    "attachments": "1",
    "drafts": "1",
    "deletions": "1",
    "versions": "1",
    "shown_versions": "1",
    "rules": f"{_time('last_used_at')} AND {_json('body', 'object')}",
}
# A damaged file does not prove what the person allowed, so they are asked again.
_NOT_TAKEN_OVER: Final = frozenset({"rules"})
# Versions whose message is there too, and whose parents lead to a conversation that is none: only
# these can be walked up to its end. Unfinished ones would be deleted at the service as left over.
_WHOLE_VERSIONS: Final = """
    WITH RECURSIVE finished AS (
        SELECT row, profile, conversation_id, parent_id FROM versions AS version
        WHERE NOT is_branch AND shared_count >= 0 AND EXISTS (
            SELECT 1 FROM turns WHERE turns.turn_id = version.turn_id
            AND turns.profile = version.profile
            AND turns.conversation_id = version.conversation_id
        )
        GROUP BY profile, conversation_id HAVING row = min(row)
    ),
    whole AS (
        SELECT * FROM finished AS first WHERE NOT EXISTS (
            SELECT 1 FROM finished AS other
            WHERE other.profile = first.profile AND other.conversation_id = first.parent_id
        )
        UNION
        SELECT later.* FROM finished AS later JOIN whole
        ON later.profile = whole.profile AND later.parent_id = whole.conversation_id
    )
    SELECT row FROM whole
"""


def check(connection: sqlite3.Connection) -> None:
    """Make sure that every row can be read back.

    Raises:
        DamagedError: one cannot.
    """
    limit = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, databases.VALUE_LIMIT_BYTES)
    # The check evaluates the CHECK expressions of the file, which may come from anybody.
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limit)
    if verdict != "ok":
        raise DamagedError
    _add_functions(connection)
    for table, is_understood in _UNDERSTOOD.items():
        query = f"SELECT 1 FROM {table} WHERE NOT ({is_understood}) LIMIT 1"  # noqa: S608 - ours
        if connection.execute(query).fetchone():
            raise DamagedError


def begin_anew(path: Path, now: datetime) -> PutAside:
    """Put a damaged file aside, and a new one in its place with every row that can be read.

    Raises:
        OSError: nothing can be written there.
    """
    return databases.begin_anew(path, migrate, _take_over, _settle, now)


def _take_over(source: databases.Copy, target: sqlite3.Connection) -> int:
    _add_functions(source)
    return sum(
        databases.copy_rows(source, target, table, where=is_understood)
        for table, is_understood in _UNDERSTOOD.items()
        if table not in _NOT_TAKEN_OVER
    )


def _settle(target: sqlite3.Connection) -> None:
    # The service may still have these: do not delete them before the user confirms again.
    target.execute("UPDATE deletions SET is_in_doubt = 1")
    gone = "turn_id NOT NULL AND turn_id NOT IN (SELECT turn_id FROM turns)"
    target.execute(f"DELETE FROM attachments WHERE {gone}")  # noqa: S608 - our own words
    target.execute("DELETE FROM pieces WHERE turn_id NOT IN (SELECT turn_id FROM turns)")
    target.execute(f"DELETE FROM versions WHERE row NOT IN ({_WHOLE_VERSIONS})")  # noqa: S608
    target.execute(
        "DELETE FROM shown_versions WHERE (profile, conversation_id) NOT IN"
        " (SELECT profile, conversation_id FROM versions"
        " UNION SELECT profile, parent_id FROM versions)"
    )


def _add_functions(connection: sqlite3.Connection) -> None:
    connection.create_function("is_time", 1, databases.is_time, deterministic=True)
    connection.create_function("is_json", 2, _is_json, deterministic=True)


def _is_json(stored: bytes | None, shape: str) -> bool:
    """Return whether a text is JSON of a shape, so that it can be read back; none is not.

    SQLite may ask also where another condition has decided already.
    """
    if stored is None:
        return False
    try:
        return _SHAPES[shape](json.loads(databases.readable_text(stored)))
    except (ValueError, RecursionError):
        return False
