"""A database in a private folder on this machine: SQLite, with one writer at a time."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from local_server.store.backups import Backups
from local_server.store.database import Database, StoreUnavailableError, told_in_words

FILE: Final = "parley-server.sqlite3"
# They keep out of the way of each other when one of them reads a long conversation.
_READERS: Final = 4
_BUSY_TIMEOUT_S: Final = 5.0
_BUSY_PAUSE_S: Final = 0.01
_PRAGMAS: Final = (
    f"busy_timeout={_BUSY_TIMEOUT_S * 1000:.0f}",
    "synchronous=FULL",
    "secure_delete=ON",
    "foreign_keys=ON",
)

Result = TypeVar("Result")


class SqliteDatabase(Database):
    """Runs each operation in one go in a thread; its statements one by one would cost far more.

    Writers have one thread, so that they wait for each other: SQLite would make them fail after
    a while. Made by `open_database`, and closed by whoever asked for it.
    """

    def __init__(self, engine: Engine, backups: Backups) -> None:
        super().__init__()
        self._engine = engine
        self._backups = backups
        self._readers = ThreadPoolExecutor(_READERS, "database-read")
        self._writer = ThreadPoolExecutor(1, "database-write")

    def _start(
        self, work: Callable[[Connection], Result], *, writes: bool
    ) -> asyncio.Future[Result]:
        threads = self._writer if writes else self._readers
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(threads, _transact, self._engine, work, writes)

    async def _dispose(self) -> None:
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        # No operation waits for longer than SQLite's busy timeout.
        for threads in (self._writer, self._readers):
            threads.shutdown()
        self._engine.dispose()

    async def _forget(self, conversation_id: str) -> None:
        # The backups have the conversation too.
        await asyncio.to_thread(self._backups.forget, conversation_id)
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(self._writer, _empty_log, self._engine):
            raise StoreUnavailableError("Somebody has been reading the database for too long.")


def make_private_file(folder: Path) -> Path:
    """Make the folder and the database's file in it where they are missing, for nobody else.

    Raises:
        OSError: When the folder cannot be made or written.
        sqlite3.Error: When the file is not a database.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / FILE
    # SQLite gives the files beside it the same mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)
    with closing(sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)) as connection:
        _log_ahead(connection)
    return path


def make_engine(path: Path) -> Engine:
    """Make what opens connections; whoever asks for it disposes of it."""
    engine = create_engine(f"sqlite:///{path}", hide_parameters=True)
    event.listen(engine, "connect", _prepare_connection)
    event.listen(engine, "begin", _begin)
    return engine


def _empty_log(engine: Engine) -> bool:
    give_up_at = time.monotonic() + _BUSY_TIMEOUT_S
    with told_in_words(), engine.connect() as plain:
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


def _transact(engine: Engine, work: Callable[[Connection], Result], writes: bool) -> Result:
    with told_in_words(), engine.connect() as plain:
        connection = plain.execution_options(writes=writes)
        with connection.begin():
            return work(connection)


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
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
