"""Opens a database of either kind and brings it up to date."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import SQLAlchemyError

from local_server.store import postgres, sqlite
from local_server.store.backups import Backups
from local_server.store.database import Database, StoreError
from local_server.store.failures import explain
from local_server.store.migrations.shape import bring_up_to_date, read_revision
from local_server.store.tables import SCHEMA_VERSION

StoreAddress = Path | postgres.PostgresAddress

# Any number that no other program locks in the same database.
_MIGRATION_LOCK: Final = 0x7061726C6579


async def open_database(where: StoreAddress) -> Database:
    """Open a database, making it where it is missing and migrating it where it is old.

    Args:
        where: A data folder, for a SQLite database in it, or the address of a PostgreSQL one.

    Raises:
        StoreError: When it cannot be used, or was written by a newer version.
    """
    if isinstance(where, Path):
        return await _open_sqlite(where)
    return await _open_postgres(where)


def has_data(where: StoreAddress) -> bool:
    """Tell whether there is a database yet; one of PostgreSQL is taken to be there."""
    try:
        return not isinstance(where, Path) or (where / sqlite.FILE).exists()
    except PermissionError:
        # Opening it tells why it cannot be used.
        return True


def unusable_folder(folder: Path, exc: OSError) -> StoreError:
    """Say why a data folder cannot be used."""
    if isinstance(exc, FileExistsError):
        return StoreError(f"{folder} is a file; the data need a folder.")
    reason = exc.strerror or "unknown reason"
    return StoreError(f"The data folder {folder} cannot be written: {reason}.")


async def _open_sqlite(folder: Path) -> Database:
    try:
        return await asyncio.to_thread(_open_file, folder)
    except OSError as exc:
        raise unusable_folder(folder, exc) from exc
    except (SQLAlchemyError, sqlite3.Error) as exc:
        raise _unusable(f"in {folder}", exc) from exc


def _open_file(folder: Path) -> Database:
    path = sqlite.make_private_file(folder)
    engine = sqlite.make_engine(path)
    backups = Backups(path)
    try:
        with engine.connect() as plain:
            # Locked from the start: two first starts must not both find nothing there.
            connection = plain.execution_options(writes=True)
            with connection.begin():
                _back_up_old(connection, backups)
                bring_up_to_date(connection)
    except BaseException:
        engine.dispose()
        raise
    return sqlite.SqliteDatabase(engine, backups)


async def _open_postgres(address: postgres.PostgresAddress) -> Database:
    migrating = postgres.make_engine(address, postgres.MIGRATION_TIMEOUT_S)
    try:
        async with migrating.connect() as connection, connection.begin():
            # Held to the end of the transaction: of services that start at once, one migrates.
            await connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
            await connection.run_sync(bring_up_to_date)
    except (SQLAlchemyError, OSError) as exc:
        raise _unusable(f"at {address}", exc) from exc
    finally:
        await migrating.dispose()
    return postgres.PostgresDatabase(postgres.make_engine(address))


def _back_up_old(connection: Connection, backups: Backups) -> None:
    revision = read_revision(connection)
    if revision is not None and revision < SCHEMA_VERSION:
        # Copied is what was committed, and this transaction keeps others from writing.
        backups.make(revision)


def _unusable(place: str, exc: Exception) -> StoreError:
    reason = explain(exc) or "It refuses what the service asks of it."
    return StoreError(f"The database {place} cannot be used. {reason}")
