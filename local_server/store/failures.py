"""What a failure of the database is to the people who run the service."""

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

_UNREACHABLE: Final = "The database does not answer."
_BUSY: Final = "The database is too busy."
_FULL: Final = "There is no room left for the database."
_UNREADABLE: Final = "The files of the database cannot be read or written."
_DAMAGED: Final = "The files of the database are damaged."
_READ_ONLY: Final = "The database cannot be written."
_REFUSED: Final = "The database refuses the name or the password that it was given."
_UNKNOWN: Final = "The server has no database of that name."

# By the primary part of SQLite's result code: https://www.sqlite.org/rescode.html
_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_CANTOPEN: _UNREADABLE,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _UNREADABLE,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_PERM: _UNREADABLE,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
}
# By the longest beginning of PostgreSQL's code that is here: appendix A of its manual.
_POSTGRES: Final = {
    "08": _UNREACHABLE,
    "25006": _READ_ONLY,
    "28": _REFUSED,
    "3D": _UNKNOWN,
    "40": _BUSY,
    "53": _BUSY,
    "53100": _FULL,
    "55000": _UNREACHABLE,
    "55P03": _BUSY,
    "57": _UNREACHABLE,
    "58": _UNREADABLE,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}


def explain(exc: Exception) -> str | None:
    """Say in a sentence what is wrong with the database; None when nothing is wrong with it."""
    cause = exc.orig if isinstance(exc, DBAPIError) else exc
    if isinstance(cause, sqlite3.Error):
        # Errors of Python's own module, such as one about a closed database, have no code.
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    if isinstance(exc, OSError | PoolTimeoutError):
        return _UNREACHABLE
    if not isinstance(exc, DBAPIError):
        return None
    code = str(getattr(cause, "sqlstate", None) or "")
    known = [words for start, words in _POSTGRES.items() if code.startswith(start)]
    if known:
        return known[-1]
    return _UNREACHABLE if exc.connection_invalidated else None
