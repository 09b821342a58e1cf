"""A database in a private folder on this machine: SQLite, with one writer at a time.

`SqliteDatabase` runs the operations on it; `Backups` keeps the copies that are made before its
shape is changed.
"""

import asyncio
import os
import re
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from local_server.store.database import SqlDatabase, StoreUnavailableError, told_in_words

_KEPT: Final = 3
_NAME: Final = re.compile(r"parley-server\.revision-(\d+)\.sqlite3")
_UNFINISHED: Final = "parley-server.revision.unfinished"


class Backups:
    """The copies beside a database, one for each of the latest shapes that it had.

    Private like the database itself. What is deleted there is deleted here. Lives as long as
    the database; its methods are called in a thread.
    """

    def __init__(self, database: Path) -> None:
        self._database = database

    def make(self, revision: int) -> None:
        """Copy the database as it was last committed, and drop the oldest copies.

        Raises:
            OSError: When the folder cannot be written.
            sqlite3.Error: When the copy cannot be made.
        """
        unfinished = self._database.with_name(_UNFINISHED)
        _remove(unfinished)
        os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            _copy(self._database, unfinished)
        except (OSError, sqlite3.Error):
            # On a full disk it would take the room that others need.
            _remove(unfinished)
            raise
        unfinished.replace(self._database.with_name(f"parley-server.revision-{revision}.sqlite3"))
        for path in self._all()[:-_KEPT]:
            path.unlink(missing_ok=True)

    def forget(self, conversation_id: str) -> None:
        """Delete a conversation in all copies; one that cannot be changed is deleted itself."""
        for path in self._all():
            try:
                _delete_conversation(path, conversation_id)
            except sqlite3.Error:
                path.unlink(missing_ok=True)

    def _all(self) -> list[Path]:
        """Return the copies, oldest shape first."""
        found = [
            (int(match[1]), path)
            for path in self._database.parent.iterdir()
            if (match := _NAME.fullmatch(path.name))
        ]
        return [path for _, path in sorted(found)]


def _delete_conversation(path: Path, conversation_id: str) -> None:
    with closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA secure_delete=ON")
        copy.execute("PRAGMA foreign_keys=ON")
        with copy:
            copy.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))


def _copy(database: Path, target: Path) -> None:
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        # One file that is whole by itself.
        copy.execute("PRAGMA journal_mode=DELETE")
    handle = os.open(target, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(unfinished: Path) -> None:
    for path in (unfinished, unfinished.with_name(f"{unfinished.name}-journal")):
        path.unlink(missing_ok=True)


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


class SqliteDatabase(SqlDatabase):
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
