"""Run operations, each in one transaction, on a database, and translate its errors.

`SqlDatabase` is the base class; `SqliteDatabase` works on a file in a private folder of this
machine, with one writer at a time. `explain` says what a failure means, for the people who run the
service; `translated_errors` raises our errors instead of the database's.
"""

import asyncio
import os
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
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

_CANCELLED_GRACE_S: Final = 2.0
Result = TypeVar("Result")
SQLITE_FILE: Final = "parley-server.sqlite3"
# So that others can read while one of them reads a long conversation.
READERS: Final = 4
_BUSY_TIMEOUT_S: Final = 5.0
_BUSY_PAUSE_S: Final = 0.01
_PRAGMAS: Final = (
    f"busy_timeout={_BUSY_TIMEOUT_S * 1000:.0f}",
    "synchronous=FULL",
    # In KiB, a connection: the index of a long list of conversations is larger than the usual 2 MB,
    # and a page from its middle would be read from the disk's cache anew each time.
    "cache_size=-8192",
    "secure_delete=ON",
    "foreign_keys=ON",
)


def explain(exc: Exception) -> str | None:
    """Return in one sentence what a database error means; None for an unknown one."""
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


class DatabaseError(Exception):
    """The store cannot be used; the message says why."""


class StoreUnavailableError(DatabaseError):
    """The store is temporarily unavailable: it does not answer, or its disk is full.

    The operation that raises it has stored nothing. A later one may succeed.
    """


class RefusedStatementError(DatabaseError):
    """The database refused a statement of the store: a bug in this program.

    The database's own message may quote user text, so this error does not contain it.
    """


class SqlDatabase(ABC):
    """An open database; an operation is a plain function of a connection.

    Subclasses decide in which thread an operation runs, how a transaction begins and what `erase`
    has to clean. Made by `open_database`; its caller closes it.
    """

    def __init__(self) -> None:
        self._running: set[asyncio.Future[Any]] = set()
        self._is_closed = False

    async def aclose(self) -> None:
        """Wait for operations under way, then close."""
        self._is_closed = True
        if self._running:
            await asyncio.wait(set(self._running), timeout=_CANCELLED_GRACE_S)
        await self._dispose()

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run a read-only operation on one consistent snapshot; return its result.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        self._check()
        return await self._whole(self._start(work, writes=False))

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run an operation that writes; committed at its end, rolled back on an exception.

        Raises:
            StoreUnavailableError: When the database cannot be used just now.
        """
        self._check()
        return await self._whole(self._start(work, writes=True))

    async def erase(self, conversation_id: str) -> None:
        """Remove what a deleted conversation left outside the tables: write-ahead log and backups.

        Raises:
            StoreUnavailableError: When that cannot be done just now.
        """
        self._check()
        erasing = asyncio.create_task(self._erase(conversation_id), name="database")
        await self._whole(erasing)

    @abstractmethod
    def _start(
        self, work: Callable[[Connection], Result], *, writes: bool
    ) -> asyncio.Future[Result]:
        """Begin an operation, in a transaction."""

    @abstractmethod
    async def _erase(self, conversation_id: str) -> None:
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
    """Return why a database cannot be opened; `place` is "in FOLDER" or "at ADDRESS"."""
    reason = explain(exc) or "It refuses what the service asks of it."
    return DatabaseError(f"The database {place} cannot be used. {reason}")


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate errors of SQLAlchemy, SQLite and the system into subclasses of `DatabaseError`."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as exc:
        words = explain(exc)
        if words is not None:
            raise StoreUnavailableError(words) from exc
        refused = "The database has a {} for: {}"
        if isinstance(exc, DBAPIError):
            words = refused.format(type(exc.orig).__name__, exc.statement)
        else:
            # SQLAlchemy lets it through where a transaction is begun.
            words = refused.format(type(exc).__name__, "BEGIN")
        raise RefusedStatementError(words) from None
    except (PoolTimeoutError, OSError) as exc:
        raise StoreUnavailableError(explain(exc)) from exc


_watchers: Final[list[Callable[[float], None]]] = []


@contextmanager
def watched_uses(tell: Callable[[float], None]) -> Iterator[None]:
    """Call `tell`, from any thread, with the seconds that each transaction in this block took."""
    _watchers.append(tell)
    try:
        yield
    finally:
        _watchers.remove(tell)


@contextmanager
def timed_use() -> Iterator[None]:
    """Measure a transaction, commit included, for `watched_uses`."""
    began_s = time.perf_counter()
    try:
        yield
    finally:
        for tell in tuple(_watchers):
            tell(time.perf_counter() - began_s)


class SqliteDatabase(SqlDatabase):
    """A SQLite database. Runs each operation in a thread as a whole, not statement by statement.

    All writers share one thread, so they queue: SQLite itself would fail them after its busy
    timeout. Each thread keeps its own connection: a pool's check-out and check-in would cost as
    much as a small operation. Made by `open_database`, and closed by whoever asked for it.
    """

    def __init__(self, engine: Engine, delete_in_backups: Callable[[str], None]) -> None:
        """Make one; `delete_in_backups` deletes a conversation in the copies beside the file."""
        super().__init__()
        self._engine = engine
        self._delete_in_backups = delete_in_backups
        self._readers = ThreadPoolExecutor(READERS, "database-read")
        self._writer = ThreadPoolExecutor(1, "database-write")
        self._of_thread = threading.local()
        self._connections: set[Connection] = set()

    def _start(
        self, work: Callable[[Connection], Result], *, writes: bool
    ) -> asyncio.Future[Result]:
        threads = self._writer if writes else self._readers
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(threads, self._transact, work, writes)

    def _transact(self, work: Callable[[Connection], Result], writes: bool) -> Result:
        with translated_errors(), timed_use():
            connection = self._connection(writes)
            try:
                with connection.begin():
                    return work(connection)
            except BaseException:
                # Whatever state it is in: the pool looks after it, and the next one is as new.
                self._close_connection(connection)
                raise

    def _connection(self, writes: bool) -> Connection:
        """Return the connection of this thread, which either writes or does not."""
        found: Connection | None = getattr(self._of_thread, "connection", None)
        if found is None:
            found = self._engine.connect().execution_options(writes=writes)
            self._of_thread.connection = found
            self._connections.add(found)
        return found

    def _close_connection(self, connection: Connection) -> None:
        self._of_thread.connection = None
        self._connections.discard(connection)
        connection.close()

    async def _dispose(self) -> None:
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        # No operation waits for longer than SQLite's busy timeout.
        for threads in (self._writer, self._readers):
            threads.shutdown()
        for connection in self._connections:
            connection.close()
        self._engine.dispose()

    async def _erase(self, conversation_id: str) -> None:
        # The backups have the conversation too.
        await asyncio.to_thread(self._delete_in_backups, conversation_id)
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(self._writer, _empty_log, self._engine):
            raise StoreUnavailableError("Somebody has been reading the database for too long.")


def make_sqlite_file(folder: Path) -> Path:
    """Create the folder and the database file where missing, private to this user.

    Raises:
        OSError: When the folder cannot be made or written.
        sqlite3.Error: When the file is not a database.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / SQLITE_FILE
    # SQLite gives the files beside it the same mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)
    with closing(sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)) as connection:
        _log_ahead(connection)
    return path


def make_sqlite_engine(path: Path) -> Engine:
    """Return an engine for a SQLite file; the caller disposes of it."""
    engine = create_engine(f"sqlite:///{path}", hide_parameters=True)
    event.listen(engine, "connect", _prepare_connection)
    event.listen(engine, "begin", _begin)
    return engine


def _empty_log(engine: Engine) -> bool:
    give_up_at = time.monotonic() + _BUSY_TIMEOUT_S
    with translated_errors(), engine.connect() as plain:
        connection = plain.execution_options(isolation_level="AUTOCOMMIT")
        while True:
            done = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            is_busy, pages_in_log, _ = tuple(done.one())
            # WORKAROUND of two that empty it at once SQLite turns one away without its busy
            # timeout: https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
            was_turned_away = is_busy and pages_in_log < 0
            if not was_turned_away or time.monotonic() > give_up_at:
                return not is_busy
            time.sleep(_BUSY_PAUSE_S)


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Write changes to a log first, which the file then remembers."""
    give_up_at = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as exc:
            # WORKAROUND of two that switch at once SQLite fails one without its busy timeout:
            # https://www.sqlite.org/c3ref/busy_handler.html
            is_busy = exc.sqlite_errorcode == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > give_up_at:
                raise
            time.sleep(_BUSY_PAUSE_S)
        else:
            return


def _prepare_connection(connection: DBAPIConnection, _record: object) -> None:
    # WORKAROUND Python's sqlite3 begins transactions by itself, and only before a change:
    # https://docs.sqlalchemy.org/en/20/dialects/sqlite.html#pysqlite-serializable
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once when another one wrote
    # in between; taking the lock at the start waits instead.
    writes = connection.get_execution_options().get("writes", False)
    # Past SQLAlchemy, which would take longer for this than SQLite does for what follows.
    cursor = connection.connection.cursor()
    cursor.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    cursor.close()
