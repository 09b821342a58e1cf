"""Replace a damaged database by a new one with all rows that can be read.

Only in child mode, since a desktop user has no other way to reach their conversations. A standalone
service refuses to start instead, and its operator decides.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Final, get_args

from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, Table, create_engine
from sqlalchemy.exc import SQLAlchemyError

from local_server.store.database import SQLITE_FILE, DatabaseError
from local_server.store.migrations import bring_up_to_date
from local_server.store.opening import unusable_folder
from local_server.store.records import CallState, Mode, Role
from local_server.store.tables import SCHEMA_VERSION, UtcDateTime, metadata, schema_version
from local_tools.recovery import databases
from local_tools.recovery.files import PutAside

_BUSY_TIMEOUT_S: Final = 5.0
_OWN_TABLES: Final = tuple(table for table in metadata.sorted_tables if table is not schema_version)
_NUMBERS: Final = (BigInteger, Boolean, Integer, UtcDateTime)
_CHOICES: Final = {"mode": get_args(Mode), "role": get_args(Role), "state": get_args(CallState)}
_LISTS: Final = frozenset({"input", "tools", "used_skills"})
# Errors that do not mean that the file is damaged.
_NO_DAMAGE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
# A conversation whose row is lost gets project `local`: child mode has no other one.
_SETTLE: Final = (
    "INSERT OR IGNORE INTO conversations (id, project, mode, created_at, updated_at)"
    " SELECT conversation_id, 'local', 'live', min(created_at), max(created_at)"
    " FROM messages GROUP BY conversation_id",
    "DELETE FROM tool_calls WHERE conversation_id NOT IN (SELECT id FROM conversations)",
    "DELETE FROM images WHERE conversation_id NOT IN (SELECT id FROM conversations)",
    "UPDATE conversations SET message_count ="
    " (SELECT count(*) FROM messages WHERE conversation_id = conversations.id)",
    "DELETE FROM owners",
    "INSERT INTO owners SELECT project, mode, count(*) FROM conversations GROUP BY project, mode",
)


def recover_if_damaged(folder: Path, now: datetime) -> PutAside | None:
    """Rename a damaged database and replace it by a new one with all readable rows.

    No other process may use the folder meanwhile.

    Returns:
        The damaged file; None if the database is undamaged or does not exist.

    Raises:
        DatabaseError: When nothing can be written there.
    """
    path = folder / SQLITE_FILE
    try:
        before = databases.finish_beginning_anew(path)
        if not _is_damaged(path):
            return before
        return databases.begin_anew(path, _make_tables, _take_over, _settle, now)
    except OSError as exc:
        raise unusable_folder(folder, exc) from exc
    except (sqlite3.Error, SQLAlchemyError) as exc:
        raise DatabaseError(f"The database in {folder} cannot be made anew.") from exc


def _is_damaged(path: Path) -> bool:
    if databases.is_lost(path):
        return True
    if not path.exists():
        return False
    try:
        databases.make_private_file(path)
    except PermissionError:
        return True
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, databases.VALUE_LIMIT_BYTES)
            return not _is_sound(connection)
    except sqlite3.DatabaseError as exc:
        return getattr(exc, "sqlite_errorcode", 0) & 0xFF not in _NO_DAMAGE
    except UnicodeDecodeError:
        # SQLite's own message quotes bytes of the file.
        return True


def _is_sound(connection: sqlite3.Connection) -> bool:
    """Return whether a database is ours, and every row of it can be read back."""
    versions = connection.execute("SELECT version FROM schema_version").fetchall()
    if len(versions) != 1 or not isinstance(versions[0][0], int):
        return False
    (version,) = versions[0]
    if version > SCHEMA_VERSION:
        # Opening it reports the newer version.
        return True
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        return False
    _add_functions(connection)
    return all(_is_table_sound(connection, table, version) for table in _OWN_TABLES)


def _is_table_sound(connection: sqlite3.Connection, table: Table, version: int) -> bool:
    found = databases.columns_of(connection, table.name)
    if version < SCHEMA_VERSION and not found:
        # A later version added this table.
        return True
    columns = [column for column in table.columns if column.name in found]
    if version == SCHEMA_VERSION and len(columns) < len(table.columns):
        return False
    query = f"SELECT 1 FROM {table.name} WHERE NOT ({_understood(columns)}) LIMIT 1"  # noqa: S608
    return connection.execute(query).fetchone() is None


def _make_tables(connection: sqlite3.Connection) -> None:
    (_, _, path) = connection.execute("PRAGMA database_list").fetchone()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as made:
        bring_up_to_date(made)
    engine.dispose()


def _take_over(source: databases.Copy, target: sqlite3.Connection) -> int:
    _add_functions(source)
    count = 0
    for table in _OWN_TABLES:
        found = databases.columns_of(source, table.name)
        columns = [column for column in table.columns if column.name in found]
        count += databases.copy_rows(source, target, table.name, where=_understood(columns))
    return count


def _settle(target: sqlite3.Connection) -> None:
    for statement in _SETTLE:
        target.execute(statement)


def _understood(columns: list[Column[object]]) -> str:
    """Write in SQL what holds of each row that can be read back."""
    return " AND ".join(condition for column in columns for condition in _conditions(column)) or "1"


def _conditions(column: Column[object]) -> Iterator[str]:
    """Yield what holds of a value; this database keeps any kind of value in any column."""
    kind = "blob" if isinstance(column.type, LargeBinary) else "text"
    kind = "integer" if isinstance(column.type, _NUMBERS) else kind
    or_none = f'"{column.name}" IS NULL OR ' if column.nullable else ""
    yield f"({or_none}typeof(\"{column.name}\") = '{kind}')"
    if column.name in _CHOICES:
        names = ", ".join(f"'{name}'" for name in _CHOICES[column.name])
        yield f'"{column.name}" IN ({names})'
    if column.name in _LISTS:
        yield f'is_json(CAST("{column.name}" AS BLOB))'


def _add_functions(connection: sqlite3.Connection) -> None:
    connection.create_function("is_json", 1, _is_json, deterministic=True)


def _is_json(stored: bytes | None) -> bool:
    # SQLite may ask also where another condition has decided already.
    if stored is None:
        return False
    with suppress(ValueError, RecursionError):
        return isinstance(json.loads(stored.decode()), dict | list)
    return False
