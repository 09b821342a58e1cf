"""Open and migrate the service's database, SQLite or PostgreSQL.

`ServiceStore` is everything that the service stores, opened and closed as one. `open_database`
opens only a database. `locked_folder` reserves a data folder for one service, since conversations
are locked in the memory of one process; the system frees that lock when the process ends.
"""

import asyncio
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from local_server.settings import Clock
from local_server.store.conversations import ConversationStore
from local_server.store.database import (
    SQLITE_FILE,
    DatabaseError,
    SqlDatabase,
    SqliteDatabase,
    make_sqlite_engine,
    make_sqlite_file,
    unusable_database,
)
from local_server.store.forks import Forks
from local_server.store.images import IMAGE_QUOTA_BYTES
from local_server.store.migrations import Backups, bring_up_to_date, read_revision
from local_server.store.projects import Keys, Permits
from local_server.store.replies import Replies
from local_server.store.tables import SCHEMA_VERSION
from local_tools.recovery.files import is_no_file, put_aside

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_FILE: Final = "parley-server.lock"
_PAUSE_S: Final = 0.02
# Windows lets nobody read locked bytes, so the lock is on a byte behind the text.
_LOCKED_AT: Final = 1024
_LONGEST_PID: Final = 20


class DatabaseServer(Protocol):
    """The address of a database that several services share; its repr hides the password."""

    async def open(self) -> SqlDatabase:
        """Open the database; create it if it is missing, migrate it if it is old.

        Raises:
            DatabaseError: When it cannot be opened, or was written by a newer version.
        """


StoreAddress = Path | DatabaseServer


@dataclass(frozen=True)
class ServiceStore:
    """All stores of one run of the service. The caller of `open` closes it."""

    database: SqlDatabase
    conversations: ConversationStore
    replies: Replies
    forks: Forks
    keys: Keys
    permits: Permits

    @classmethod
    async def open(
        cls, where: StoreAddress, clock: Clock, image_quota_bytes: int = IMAGE_QUOTA_BYTES
    ) -> "ServiceStore":
        """Open the store in a data folder or a PostgreSQL database, and migrate it.

        Raises:
            DatabaseError: When it cannot be opened, or was written by a newer version.
        """
        database = await open_database(where)
        parts = (
            ConversationStore(database, clock),
            Replies(database, clock, image_quota_bytes),
            Forks(database, clock),
            Keys(database, clock),
            Permits(database),
        )
        return cls(database, *parts)

    async def aclose(self) -> None:
        """Wait for operations under way, then close."""
        await self.database.aclose()


async def open_database(where: StoreAddress) -> SqlDatabase:
    """Open a database; create it if it is missing, migrate it if it is old.

    Args:
        where: A data folder with a SQLite database, or the address of a shared database.

    Raises:
        DatabaseError: When it cannot be opened, or was written by a newer version.
    """
    if isinstance(where, Path):
        return await _open_sqlite(where)
    return await where.open()


def has_data(where: StoreAddress) -> bool:
    """Return whether the database exists; a shared one is assumed to."""
    try:
        return not isinstance(where, Path) or (where / SQLITE_FILE).exists()
    except PermissionError:
        # Opening the database will report why it cannot be used.
        return True


def unusable_folder(folder: Path, exc: OSError) -> DatabaseError:
    """Return the error for a data folder that cannot be used."""
    if isinstance(exc, FileExistsError):
        return DatabaseError(f"{folder} is a file; the data need a folder.")
    reason = exc.strerror or "unknown reason"
    return DatabaseError(f"The data folder {folder} cannot be written: {reason}.")


async def _open_sqlite(folder: Path) -> SqlDatabase:
    try:
        return await asyncio.to_thread(_open_file, folder)
    except OSError as exc:
        raise unusable_folder(folder, exc) from exc
    except (SQLAlchemyError, sqlite3.Error) as exc:
        raise unusable_database(f"in {folder}", exc) from exc


def _open_file(folder: Path) -> SqlDatabase:
    path = make_sqlite_file(folder)
    engine = make_sqlite_engine(path)
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
    return SqliteDatabase(engine, backups.delete_conversation)


def _back_up_old(connection: Connection, backups: Backups) -> None:
    revision = read_revision(connection)
    if revision is not None and revision < SCHEMA_VERSION:
        # Copied is what was committed, and this transaction keeps others from writing.
        backups.make(revision)


class FolderInUseError(DatabaseError):
    """Another service is running on the data folder."""


@contextmanager
def locked_folder(folder: Path, wait_s: float = 0) -> Iterator[None]:
    """Lock a data folder against other services; create the folder if it is missing.

    Args:
        folder: The data folder.
        wait_s: How long to wait for another service that is just ending; blocks the thread.

    Raises:
        FolderInUseError: When another service is running on it.
        DatabaseError: When nothing can be written there.
    """
    give_up_at = time.monotonic() + wait_s
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_no_file(folder / LOCK_FILE):
            # The lock file has no content worth keeping.
            put_aside(folder / LOCK_FILE)
        descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as exc:
        raise unusable_folder(folder, exc) from exc
    try:
        while not _lock(folder, descriptor):
            if time.monotonic() >= give_up_at:
                raise FolderInUseError(f"{folder} is in use by another service{_who(descriptor)}.")
            time.sleep(_PAUSE_S)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        yield
    finally:
        os.close(descriptor)


def _lock(folder: Path, descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _LOCKED_AT, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as exc:
        raise unusable_folder(folder, exc) from exc
    return True


def _who(descriptor: int) -> str:
    """Name the process that holds the lock, if it has written who it is by now."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    pid = os.read(descriptor, _LONGEST_PID)
    return f" (process {pid.decode()})" if pid.isdigit() else ""
