"""Work on an SQLite file in a thread of its own, in the order of the calls.

`Database` runs the work. `StoreTable`, `time_text`, `read_time` and `storable` are shared by the
tables of the store.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from app.common.error_messages import ErrorCode
from app.store import recovery
from app.store.errors import DamagedError, StoreError, in_words, in_words_at_opening
from app.store.schema import check_shape, migrate
from local_tools.paths.beneath import file_identity
from local_tools.recovery import databases
from local_tools.recovery.files import PutAside

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

BUSY_TIMEOUT_S: Final = 5.0
_PRAGMAS: Final = (
    "PRAGMA trusted_schema = OFF",
    "PRAGMA journal_mode = WAL",
    # With NORMAL, a power cut could take the last transactions from the write-ahead log.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # The default depends on how SQLite was built; deleted words must be overwritten.
    "PRAGMA secure_delete = ON",
)


class Database:
    """Runs work on the database's own thread.

    Made and closed by the store; `open` comes first. Every `write` is on the disk when it
    returns, also when the caller was cancelled while it waited.
    """

    def __init__(
        self, path: Path, now: Callable[[], datetime], busy_timeout_s: float = BUSY_TIMEOUT_S
    ) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._now = now
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None

    @property
    def attachments_folder(self) -> Path:
        """Where the contents of attachments are, beside the file."""
        return self._path.parent / "attachments"

    async def open(self) -> PutAside | None:
        """Open the file, making it when there is none, and anew when it is damaged.

        Returns:
            The damaged file that was put aside, to be mentioned; None when all was well.

        Raises:
            NewerError: a newer version of the program wrote it.
            StoreError: it cannot be opened or written.
        """
        return await self._on_thread(self._open)

    async def read(self, work: Work[T]) -> T:
        """Run `work`, which changes nothing.

        Raises:
            StoreError: it could not be read.
        """
        return await self._on_thread(lambda: work(self._opened()))

    async def write(self, work: Work[T]) -> T:
        """Run `work` in a transaction of its own: all of it happens, or none.

        Raises:
            StoreError: it could not be written; what was there before stands.
        """
        return await self._on_thread(lambda: self._write(work))

    async def change(self, sql: str, *rows: Sequence[object]) -> None:
        """Run one statement for each of these rows: for all of them, or for none.

        Raises:
            StoreError: it could not be written; what was there before stands.
        """

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(sql, rows)

        await self.write(work)

    async def close(self) -> None:
        """Finish what was asked, then close the file and the thread."""
        try:
            await self._on_thread(self._close)
        finally:
            # Nothing is left to do on the thread, so this does not wait.
            self._thread.shutdown()

    async def _on_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._thread.submit(_worded, work))

    def _open(self) -> PutAside | None:
        before = databases.finish_beginning_anew(self._path)
        try:
            self._connection = self._connect()
        except DamagedError:
            # `_connect` has closed it: Windows renames no file that is open.
            found = recovery.begin_anew(self._path, self._now())
            self._connection = self._connect()
            return found
        return before

    def _connect(self) -> sqlite3.Connection:
        if databases.is_lost(self._path):
            raise DamagedError
        try:
            databases.make_private_file(self._path)
        except PermissionError as exc:
            # The file may belong to somebody else; the caller tries to move it aside.
            raise DamagedError from exc
        with in_words_at_opening():
            return self._connect_file()

    def _connect_file(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, timeout=self._busy_timeout_s)
        # One wrong byte must not keep a whole chat from being read.
        connection.text_factory = databases.readable_text
        try:
            # Before anything in it changes: it may belong to another program.
            check_shape(connection)
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            migrate(connection)
            recovery.check(connection)
        except BaseException:
            connection.close()
            raise
        self._identity = file_identity(self._path)
        return connection

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreError(ErrorCode.STORE_UNWRITABLE)
        return self._connection

    def _write(self, work: Work[T]) -> T:
        connection = self._opened()
        # SQLite goes on in a file that was removed, and what it writes there is gone at the end.
        if file_identity(self._path) != self._identity:
            raise StoreError(ErrorCode.STORE_GONE)
        with _transaction(connection):
            return work(connection)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _worded(work: Callable[[], T]) -> T:
    with in_words():
        result = work()
    if isinstance(result, sqlite3.Cursor):
        # A cursor deleted on another thread would reset a statement that is running here.
        raise TypeError("a cursor stays on the thread of its database")
    return result


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    # Takes the lock at once: one that is upgraded halfway can fail without waiting for the other
    # program.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.rollback()


class StoreTable:
    """The rows of one profile in one table. Made by `Store.profile`; lives as long as the store."""

    def __init__(self, database: Database, profile: str, now: Callable[[], datetime]) -> None:
        self._database = database
        self._profile = profile
        self._now = now


def time_text(moment: datetime | None) -> str | None:
    """Return a time as it is kept: in one zone and one form, so that it sorts as text."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def read_time(text: str | None) -> datetime | None:
    """Read a time that `time_text` made."""
    return datetime.fromisoformat(text) if text is not None else None


def storable(text: str) -> str:
    """Return text that any encoder takes: halves of surrogate pairs become U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
