"""The connection to the database: private files, whole operations, one writer at a time."""

import asyncio
import os
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, event, insert, inspect, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from local_server.store.tables import SCHEMA_VERSION, metadata, schema_version

_FILE: Final = "parley-server.sqlite3"
_CANCELLED_GRACE_S: Final = 2.0
_PRAGMAS: Final = (
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "secure_delete=ON",
    "foreign_keys=ON",
)

Result = TypeVar("Result")


class StoreError(Exception):
    """The data folder or the database in it cannot be used; the message says why."""


class Database:
    """A SQLite database in a private folder.

    Opened once by the command that needs it and closed by the same.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writer = asyncio.Lock()
        self._running: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, folder: Path) -> "Database":
        """Open the database in a folder, making both where they are missing.

        Raises:
            StoreError: When that is not possible.
        """
        try:
            path = _make_private_file(folder)
        except OSError as exc:
            reason = exc.strerror or "unknown reason"
            raise StoreError(f"The data folder {folder} cannot be written: {reason}.") from exc
        engine = create_async_engine(f"sqlite+aiosqlite:///{path}", hide_parameters=True)
        event.listen(engine.sync_engine, "connect", _prepare_connection)
        event.listen(engine.sync_engine, "begin", _begin)
        try:
            async with engine.connect() as plain:
                # Locked from the start: two first starts must not both find nothing there.
                connection = await plain.execution_options(writes=True)
                async with connection.begin():
                    await connection.run_sync(_bring_up_to_date)
        except SQLAlchemyError as exc:
            await engine.dispose()
            reason = str(exc.__cause__ or exc)
            raise StoreError(f"The database in {folder} cannot be used: {reason}.") from exc
        except StoreError:
            await engine.dispose()
            raise
        return cls(engine)

    async def aclose(self) -> None:
        """Let operations under way end, then close."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=_CANCELLED_GRACE_S)
        await self._engine.dispose()

    async def whole(self, operation: Coroutine[Any, Any, Result]) -> Result:
        """Run an operation to its end, also when its caller is cancelled meanwhile.

        A half cancelled operation would leave it open whether it happened. The caller is held
        until it has, so that what it does next comes after.
        """
        task = asyncio.create_task(operation, name="database")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait({task}, timeout=_CANCELLED_GRACE_S)
            raise

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that only reads."""
        async with self._engine.connect() as connection, connection.begin():
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes; kept at its end, undone on an exception."""
        async with self._writer, self._engine.connect() as plain:
            connection = await plain.execution_options(writes=True)
            async with connection.begin():
                yield connection

    async def forget_log(self) -> None:
        """Empty the write-ahead log, which still holds what was deleted."""
        async with self._writer, self._engine.connect() as plain:
            connection = await plain.execution_options(isolation_level="AUTOCOMMIT")
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _make_private_file(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / _FILE
    # SQLite gives the files beside it the same mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)
    return path


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


def _bring_up_to_date(connection: Connection) -> None:
    if not inspect(connection).has_table(schema_version.name):
        metadata.create_all(connection)
        connection.execute(insert(schema_version).values(version=SCHEMA_VERSION))
        return
    version = connection.execute(select(schema_version.c.version)).scalar_one()
    if version > SCHEMA_VERSION:
        raise StoreError("The data was written by a newer version of this service. Update it.")
