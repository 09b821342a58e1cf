"""The errors of the store, and their translation from SQLite's."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError

_REASONS: Final = {
    sqlite3.SQLITE_FULL: ErrorCode.STORE_FULL,
    sqlite3.SQLITE_BUSY: ErrorCode.STORE_LOCKED,
    sqlite3.SQLITE_LOCKED: ErrorCode.STORE_LOCKED,
    sqlite3.SQLITE_CORRUPT: ErrorCode.STORE_DAMAGED,
    sqlite3.SQLITE_NOTADB: ErrorCode.STORE_DAMAGED,
}
# An extended code of SQLite has the primary one in its lowest byte.
_PRIMARY_CODE: Final = 0xFF
# Our statements fit our schema and our values are small: where they fail so, it is damage.
_MADE_BY_DAMAGE: Final = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG})


class StoreError(UserFacingError):
    """Something could not be kept on this computer, or not be read back."""

    def __init__(self, reason: ErrorCode) -> None:
        super().__init__(reason)


class DamagedError(StoreError):
    """The file is no database any more."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.STORE_DAMAGED)


class NewerError(StoreError):
    """A newer version of the program wrote the file; nothing in it was touched."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.STORE_NEWER)


@contextmanager
def in_words() -> Iterator[None]:
    """Turn the database's own errors, and the file system's, into `StoreError`."""
    try:
        yield
    except sqlite3.DatabaseError as exc:
        raise _explained(exc) from exc
    except OSError as exc:
        raise StoreError(ErrorCode.STORE_UNWRITABLE) from exc


@contextmanager
def in_words_at_opening() -> Iterator[None]:
    """Turn errors into `StoreError` at opening, when a statement that fails means damage."""
    try:
        with in_words():
            yield
    except StoreError as exc:
        code = getattr(exc.__cause__, "sqlite_errorcode", 0) & _PRIMARY_CODE
        raise (DamagedError() if code in _MADE_BY_DAMAGE else exc) from exc.__cause__
    except UnicodeDecodeError as exc:
        # SQLite's own message quotes bytes of the file.
        raise DamagedError from exc


def _explained(error: sqlite3.DatabaseError) -> StoreError:
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
    reason = _REASONS.get(code, ErrorCode.STORE_UNWRITABLE)
    return DamagedError() if reason is ErrorCode.STORE_DAMAGED else StoreError(reason)
