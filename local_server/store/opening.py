"""Opens a database of either kind and brings it up to date."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from local_server.store import sqlite
from local_server.store.backups import Backups
from local_server.store.database import Database, StoreError, unusable_database
from local_server.store.migrations import bring_up_to_date, read_revision
from local_server.store.tables import SCHEMA_VERSION


class DatabaseServer(Protocol):
    """Where a database is that many services share; printed, it shows no password."""

    async def open(self) -> Database:
        """Open the database there, making it where it is missing and migrating it where it is old.

        Raises:
            StoreError: When it cannot be used, or was written by a newer version.
        """


StoreAddress = Path | DatabaseServer


async def open_database(where: StoreAddress) -> Database:
    """Open a database, making it where it is missing and migrating it where it is old.

    Args:
        where: A data folder, for a SQLite database in it, or where a shared one is.

    Raises:
        StoreError: When it cannot be used, or was written by a newer version.
    """
    if isinstance(where, Path):
        return await _open_sqlite(where)
    return await where.open()


def has_data(where: StoreAddress) -> bool:
    """Tell whether there is a database yet; a shared one is taken to be there."""
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
        raise unusable_database(f"in {folder}", exc) from exc


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


def _back_up_old(connection: Connection, backups: Backups) -> None:
    revision = read_revision(connection)
    if revision is not None and revision < SCHEMA_VERSION:
        # Copied is what was committed, and this transaction keeps others from writing.
        backups.make(revision)
