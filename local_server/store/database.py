"""The connection to a database: whole operations, and failures in our words.

`SqlDatabase` runs the operations. `explain` says what a failure of the database means to the
people who run the service, and `told_in_words` turns it into an error of ours.
"""

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import Connection
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


_CANCELLED_GRACE_S: Final = 2.0

Result = TypeVar("Result")


class DatabaseError(Exception):
    """The store cannot be used; the message says why."""


class StoreUnavailableError(DatabaseError):
    """The store cannot be used just now: it does not answer, or its disk is full.

    Nothing was stored by the operation that raises it. The next one may succeed.
    """


class RefusedStatementError(DatabaseError):
    """The database refused what the store asked of it, which is a mistake of this program.

    What the database itself says about it may repeat what people wrote; this does not.
    """


class SqlDatabase(ABC):
    """An open database, used by whole operations: plain functions of a connection.

    Its kinds say where an operation runs, how a transaction begins and what deleting leaves
    behind. Made by `open_database` for the command that needs it, and closed by the same.
    """

    def __init__(self) -> None:
        self._running: set[asyncio.Future[Any]] = set()
        self._is_closed = False

    async def aclose(self) -> None:
        """Let operations under way end, then close."""
        self._is_closed = True
        if self._running:
            await asyncio.wait(set(self._running), timeout=_CANCELLED_GRACE_S)
        await self._dispose()

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run an operation that only reads, and that sees one state of the data.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        self._check()
        return await self._whole(self._start(work, writes=False))

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run an operation that writes; kept at its end, undone on an exception.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        self._check()
        return await self._whole(self._start(work, writes=True))

    async def forget(self, conversation_id: str) -> None:
        """Remove what a deleted conversation left in places that no query reaches.

        Raises:
            StoreUnavailableError: When that cannot be done just now.
        """
        self._check()
        forgetting = asyncio.create_task(self._forget(conversation_id), name="database")
        await self._whole(forgetting)

    @abstractmethod
    def _start(
        self, work: Callable[[Connection], Result], *, writes: bool
    ) -> asyncio.Future[Result]:
        """Begin an operation, in a transaction."""

    @abstractmethod
    async def _forget(self, conversation_id: str) -> None:
        """Remove what no query reaches."""

    @abstractmethod
    async def _dispose(self) -> None:
        """Close all connections."""

    def _check(self) -> None:
        if self._is_closed:
            raise StoreUnavailableError("The database is closed, since the service is stopping.")

    async def _whole(self, operation: asyncio.Future[Result]) -> Result:
        """Wait for the end of an operation, also when the caller is cancelled meanwhile.

        A half cancelled operation would leave it open whether it happened. The caller is held
        until it has, so that what it does next comes after.
        """
        self._running.add(operation)
        operation.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(operation)
        except asyncio.CancelledError:
            await asyncio.wait({operation}, timeout=_CANCELLED_GRACE_S)
            raise


def unusable_database(place: str, exc: Exception) -> DatabaseError:
    """Say why a database cannot be opened; `place` is "in FOLDER" or "at ADDRESS"."""
    reason = explain(exc) or "It refuses what the service asks of it."
    return DatabaseError(f"The database {place} cannot be used. {reason}")


@contextmanager
def told_in_words() -> Iterator[None]:
    """Turn failures of the database into errors in our own words."""
    try:
        yield
    except DBAPIError as exc:
        words = explain(exc)
        if words is not None:
            raise StoreUnavailableError(words) from exc
        kind = type(exc.orig).__name__
        raise RefusedStatementError(f"The database has a {kind} for: {exc.statement}") from None
    except (PoolTimeoutError, OSError) as exc:
        raise StoreUnavailableError(explain(exc)) from exc
