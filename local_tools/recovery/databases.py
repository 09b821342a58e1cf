"""Salvage the readable rows of a damaged SQLite database into a new one.

SQLite would change the damaged files if it opened them, so only a copy is read. In the copy the
file header, which all of Parley's databases share, is rewritten; if the schema table is damaged
too, it is taken from a new database of the same schema.
"""

import errno
import logging
import os
import shutil
import sqlite3
import struct
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from local_tools.recovery.files import PutAside, is_no_file, put_aside

log = logging.getLogger(__name__)

COMPANIONS: Final = ("-wal", "-shm", "-journal")
UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged database raises; the second where SQLite's message quotes its bytes."""

_HEADER_BYTES: Final = 100
_LEAST_PAGE_BYTES: Final = 512
_BRANCH: Final = 0x05
# Row ids that may fail before a table is given up: a lost page holds up to this many rows, a lost
# interior page of the b-tree leads to some ten thousand.
_MOST_ROWS_A_PAGE: Final = 500
_MOST_GAPS: Final = 50_000
_LAST_NUMBER: Final = 2**63 - 1
_WAL_HEADER_BYTES: Final = 32
_FRAME_HEADER_BYTES: Final = 24
_WAL_MAGIC: Final = (0x377F0682, 0x377F0683)
# Damage is the same at each look; a log that another program is writing changes in between.
_LOOKS: Final = 2
# SQLite checkpoints its log long before this size, and checksums of so much take over a second.
_LOG_LIMIT_BYTES: Final = 32 * 1024 * 1024
_LEAST_LOG_PAGE_BYTES: Final = 512
_MOST_LOG_PAGE_BYTES: Final = 65_536
# Our own values are smaller; a hostile file can make SQLite expand a few bytes to far more.
VALUE_LIMIT_BYTES: Final = 64 * 1024 * 1024
_STALL_LIMIT_S: Final = 3.0
_TIME_LIMIT_S: Final = 60.0
_OPERATIONS_BETWEEN_LOOKS: Final = 10_000
_CHUNK_BYTES: Final = 1024 * 1024
# A copy may take half of the free space.
_PART_OF_DISK: Final = 2
_SEEK_DATA: Final = getattr(os, "SEEK_DATA", None)

Row: TypeAlias = "tuple[Any, ...]"
Build = Callable[[sqlite3.Connection], None]
"""Makes the tables of a new database."""
TakeOver = Callable[["Copy", sqlite3.Connection], int]
"""Copies what can be read from a copy of the damaged database into a new one; gives how much. It
may be called again, with a copy in which more can be read."""
Settle = Callable[[sqlite3.Connection], None]
"""Brings what was taken over into order."""


class Copy(sqlite3.Connection):
    """A copy of a damaged database; reading stops once it yields nothing new.

    A hostile file could otherwise make SQLite read endlessly or fill the memory.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Make a connection; the arguments are those of `sqlite3.Connection`."""
        super().__init__(*arguments, **named)
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT_BYTES)
        self._ends_at = time.monotonic() + _TIME_LIMIT_S
        self.note_progress()
        self.set_progress_handler(self.is_over, _OPERATIONS_BETWEEN_LOOKS)

    def note_progress(self) -> None:
        """Note that a new row was read."""
        self._stalls_at = time.monotonic() + _STALL_LIMIT_S

    def is_over(self) -> bool:
        """Return whether reading has to stop."""
        return time.monotonic() > min(self._stalls_at, self._ends_at)


def is_lost(path: Path) -> bool:
    """Return whether the path held a database that can no longer be opened.

    True for a path that is not a file, an empty file, and a write-ahead log (`-wal`) that is
    damaged or has lost its database: SQLite itself would silently delete such a log.
    """
    log_file = path.with_name(f"{path.name}-wal")
    if is_no_file(path) or any(is_no_file(found) for found in _companions(path)):
        return True
    has_log = log_file.exists() and log_file.stat().st_size > _WAL_HEADER_BYTES
    size = path.stat().st_size if path.exists() else 0
    if size < _LEAST_PAGE_BYTES:
        return path.exists() or has_log
    if has_log:
        return not _is_log(log_file) or _has_lost_changes(log_file)
    # A page may be half written only while the log has it, too.
    return size % _LEAST_PAGE_BYTES > 0


def make_private_file(path: Path) -> None:
    """Create a database file if it is missing, readable by its owner only.

    SQLite gives its companion files (`-wal`, `-shm`) the same permissions.

    Raises:
        OSError: It cannot be created, read or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileNotFoundError):
        path.chmod(0o600)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def finish_beginning_anew(path: Path) -> PutAside | None:
    """Finish a replacement by `begin_anew` that was interrupted by a kill; None if there was none.

    Also deletes temporary copies that a kill left behind.
    """
    for left in path.parent.glob(f"{_folder_prefix(path)}*"):
        shutil.rmtree(left, ignore_errors=True)
    if not _ready_path(path).exists():
        return None
    # Move the rest: the program may have been killed between two of them.
    put_aside(path, COMPANIONS)
    _ready_path(path).rename(path)
    found = sorted(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}"))
    return PutAside(found[-1], is_salvaged=True) if found else None


def begin_anew(
    path: Path,
    build: Build,
    take_over: TakeOver,
    settle: Settle,
    moment: datetime | None = None,
) -> PutAside:
    """Rename a damaged database and replace it by a new one with all readable rows.

    The new one is complete, and named so, before the damaged one is moved: a kill loses nothing.

    Args:
        path: The database.
        build: Creates the tables of the new database.
        take_over: Copies the readable rows.
        settle: Makes the copied rows consistent; called once, even if there are none.
        moment: The time for the new name; now by default, given in tests.

    Raises:
        OSError: Nothing can be written there.
        sqlite3.Error: The new one could not be made.
    """
    new = _new_path(path)
    for old in (new, *_companions(new)):
        old.unlink(missing_ok=True)
    make_private_file(new)
    with closing(sqlite3.connect(new, isolation_level=None)) as target:
        build(target)
        target.execute("BEGIN")
        count = sum(take_over(source, target) for source in _opened_copies(path, new))
        settle(target)
        target.execute("COMMIT")
    ready = new.replace(_ready_path(path))
    aside = put_aside(path, COMPANIONS, moment)
    ready.rename(path)
    log.info("Set aside a damaged database and recovered %d rows", count)
    return PutAside(aside, is_salvaged=count > 0)


def columns_of(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """List the columns of a table; empty if there is no such table."""
    found = connection.execute(f"PRAGMA table_info({table})")
    return tuple(str(row[1]) for row in found)


def copy_rows(source: Copy, target: sqlite3.Connection, table: str, *, where: str = "1") -> int:
    """Copy all rows of a table that can be read and inserted; return their number.

    Args:
        source: The copy of the damaged database; it may have fewer columns.
        target: The new database.
        table: The table's name, in both.
        where: An SQL condition that valid rows fulfil.
    """
    if table not in _tables(source):
        # What only looks like it may run anything, and is none that we made.
        return 0
    source.note_progress()
    known = set(columns_of(source, table))
    columns = [name for name in columns_of(target, table) if name in known]
    marks = ", ".join("?" for _ in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    sql = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our own names
    count = 0
    for row in readable_rows(source, table, columns, where):
        # What does not fit the new table is no row that we wrote.
        with suppress(sqlite3.Error):
            is_new = target.execute(sql, row).rowcount
            count += is_new
            if is_new:
                source.note_progress()
    return count


def readable_rows(
    connection: Copy, table: str, columns: Sequence[str], where: str = "1"
) -> Iterator[Row]:
    """Yield the readable rows of a table of a damaged database.

    A row may come twice.
    """
    if not columns:
        return
    names = ", ".join(f'"{name}"' for name in columns)
    try:
        connection.execute(f"SELECT rowid FROM {table} LIMIT 0").fetchall()  # noqa: S608
    except UNREADABLE:
        yield from _from_both_ends(connection, table, names, where)
    else:
        yield from _past_gaps(connection, table, names, where)


def _past_gaps(connection: Copy, table: str, names: str, where: str) -> Iterator[Row]:
    """Read by row id; if one cannot be read, go on with the next."""
    sql = (
        f"SELECT rowid, {where}, {names} FROM {table} NOT INDEXED"  # noqa: S608 - our own names
        " WHERE rowid >= ? ORDER BY rowid"
    )
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    most_gaps = min(_MOST_GAPS, pages * _MOST_ROWS_A_PAGE)
    number, gaps, last = 1, 0, _last_number(connection, table)
    while gaps < most_gaps and number <= last and not connection.is_over():
        try:
            for found, *row in connection.execute(sql, (number,)):
                number = found + 1
                yield from _understood(row)
        except (*UNREADABLE, OverflowError):
            number, gaps = number + 1, gaps + 1
        else:
            return


def _understood(row: Sequence[Any]) -> Iterator[Row]:
    """Yield a row without its first value, unless that is false: the condition for valid rows."""
    if row[0]:
        yield tuple(row[1:])


def _last_number(connection: sqlite3.Connection, table: str) -> int:
    """Return the last row id that was given, from `sqlite_sequence`; else the largest possible."""
    with suppress(*UNREADABLE):
        query = "SELECT seq FROM sqlite_sequence WHERE name = ?"
        for (number,) in connection.execute(query, (table,)):
            if isinstance(number, int):
                return number
    return _LAST_NUMBER


def _from_both_ends(connection: Copy, table: str, names: str, where: str) -> Iterator[Row]:
    """Read a table without row ids from its beginning and, if that fails, from its end."""
    found = connection.execute(f"PRAGMA table_info({table})").fetchall()
    key = [str(row[1]) for row in sorted(found, key=lambda row: row[5]) if row[5]]
    for direction in ("ASC", "DESC"):
        order = ", ".join(f"{name} {direction}" for name in key)
        sql = f"SELECT {where}, {names} FROM {table} ORDER BY {order}"  # noqa: S608 - our names
        try:
            for row in connection.execute(sql):
                yield from _understood(row)
        except UNREADABLE:
            continue
        return


def _opened_copies(path: Path, blank: Path) -> Iterator[Copy]:
    """Yield copies of a damaged database, each repaired further, until one has all tables.

    Copies without any table of `blank` are skipped; there are none of another program's database.
    Each copy is closed before the next one.
    """
    with closing(_connected(blank)) as connection:
        tables = _tables(connection)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=_folder_prefix(path)) as folder:
        copy = _copied(path, Path(folder))
        if copy is None:
            return
        for repair in _repairs(copy, tables):
            repair(copy, blank)
            with closing(_connected(copy)) as connection:
                yield from (connection,) if _tables(connection) & tables else ()
                has_all = tables <= _tables(connection)
            if has_all:
                return


def _repairs(copy: Path, tables: set[str]) -> Sequence[Callable[[Path, Path], None]]:
    """Return the repairs to try, in order; none for the database of another program."""
    # Open the database without its log: SQLite deletes the log if the database is empty.
    with closing(_connected(copy, alone=True)) as connection:
        known = _tables(connection)
    if known and not known & tables:
        return ()
    is_empty = copy.stat().st_size < _LEAST_PAGE_BYTES
    repairs = (_write_header, _write_list_of_tables)
    return repairs[1:] if is_empty else repairs


def _copied(path: Path, folder: Path) -> Path | None:
    copy = folder / path.name
    copy.touch(0o600)
    for ending in ("", "-wal", "-journal"):
        found = path.with_name(f"{path.name}{ending}")
        try:
            if found.is_file():
                _copy_file(found, copy.with_name(f"{copy.name}{ending}"))
        except OSError as exc:
            # A disk that is full, or nobody may read it: it is put aside all the same.
            log.info("Cannot read anything of a damaged database: %s", exc.strerror)
            return None
    return copy


def _copy_file(source: Path, target: Path) -> None:
    """Copy a file, without what it only claims to hold.

    Raises:
        OSError: It cannot be read, or would take too much of the disk.
    """
    left = shutil.disk_usage(target.parent).free // _PART_OF_DISK
    with source.open("rb") as read, target.open("wb") as write:
        for start in _starts_of_data(read.fileno()):
            read.seek(start)
            write.seek(start)
            data = read.read(_CHUNK_BYTES)
            left -= len(data)
            if left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            write.write(data)
        write.truncate(os.fstat(read.fileno()).st_size)


def _starts_of_data(descriptor: int) -> Iterator[int]:
    """Find where each chunk of a file begins, but for those in its holes."""
    at, size = _next_data(descriptor, 0), os.fstat(descriptor).st_size
    while at < size:
        yield at
        at = _next_data(descriptor, at + _CHUNK_BYTES)


def _next_data(descriptor: int, at: int) -> int:
    """Find the next byte that is in no hole, where that can be asked; the end behind the last."""
    if _SEEK_DATA is None:
        return at
    try:
        return os.lseek(descriptor, at, _SEEK_DATA)
    except OSError as exc:
        return os.fstat(descriptor).st_size if exc.errno == errno.ENXIO else at


def _connected(path: Path, *, alone: bool = False) -> Copy:
    address = f"{path.absolute().as_uri()}{'?immutable=1' if alone else ''}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, factory=Copy)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.text_factory = readable_text
    return connection


def is_time(stored: bytes | None) -> bool:
    """Return whether a stored text is a valid time; None counts as one."""
    try:
        return stored is None or bool(datetime.fromisoformat(stored.decode()))
    except ValueError:
        return False


def readable_text(stored: bytes) -> str:
    """Decode UTF-8; invalid bytes become U+FFFD."""
    return stored.decode("utf-8", "replace")


def _tables(connection: sqlite3.Connection) -> set[str]:
    """List the tables; nothing where that cannot be told.

    A virtual one has no pages, and reading it may run anything.
    """
    query = (
        "SELECT name FROM sqlite_schema"
        " WHERE type = 'table' AND rootpage > 0 AND sql LIKE 'CREATE TABLE %'"
    )
    try:
        found = connection.execute(query)
        return {str(name) for (name,) in found if not str(name).startswith("sqlite_")}
    except UNREADABLE:
        return set()


def _write_header(copy: Path, blank: Path) -> None:
    """Replace the file header by that of a blank database with the same page size."""
    with blank.open("rb") as file:
        header = bytearray(file.read(_HEADER_BYTES))
    page_bytes = int.from_bytes(header[16:18], "big")
    has_log = copy.with_name(f"{copy.name}-wal").exists()
    # The journal mode: 2 with a write-ahead log, 1 without.
    header[18:20] = bytes([2, 2] if has_log else [1, 1])
    header[28:32] = max(1, copy.stat().st_size // page_bytes).to_bytes(4, "big")
    # An empty freelist, and below it a version that makes the page count valid.
    header[32:40] = bytes(8)
    header[92:96] = header[24:28]
    with copy.open("r+b") as file:
        file.write(header)


def _write_list_of_tables(copy: Path, blank: Path) -> None:
    """Replace the schema table by that of a blank database of the same schema."""
    content = blank.read_bytes()
    page_bytes = int.from_bytes(content[16:18], "big")
    with copy.open("r+b") as file:
        for number in _pages_of_list(content, page_bytes):
            start = (number - 1) * page_bytes
            file.seek(start)
            file.write(content[start : start + page_bytes])
    _write_header(copy, blank)


def _pages_of_list(content: bytes, page_bytes: int) -> Iterator[int]:
    """Yield the page numbers of the schema table (`sqlite_schema`): page 1 and its children.

    Format: https://www.sqlite.org/fileformat2.html#b_tree_pages
    """
    yield 1
    head = content[_HEADER_BYTES:page_bytes]
    if head[0] == _BRANCH:
        cells = int.from_bytes(head[3:5], "big")
        yield int.from_bytes(head[8:12], "big")
        for at in range(12, 12 + 2 * cells, 2):
            cell = int.from_bytes(head[at : at + 2], "big")
            yield int.from_bytes(content[cell : cell + 4], "big")


def _companions(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(f"{path.name}{ending}") for ending in COMPANIONS)


def _folder_prefix(path: Path) -> str:
    return f"{path.name}.salvage-"


def _new_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def _ready_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.ready")


def _has_lost_changes(log_file: Path) -> bool:
    """Return whether SQLite would silently drop committed changes after a damaged frame.

    A kill does not cause that: nothing follows the frame that was cut off. Nor does another program
    that is writing now, since its log has changed at the second look.
    """
    for _ in range(_LOOKS):
        before = log_file.stat()
        with log_file.open("rb") as file:
            is_suspect = _has_commit_behind_damage(file)
        after = log_file.stat()
        if not is_suspect:
            return False
        if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
            return False
    return True


def _has_commit_behind_damage(file: BinaryIO) -> bool:
    """Return whether a log has a commit after a frame with a wrong checksum.

    Of a very long log only the beginning is read. Format:
    https://www.sqlite.org/fileformat2.html#walformat
    """
    header = file.read(_WAL_HEADER_BYTES)
    order, salts = _order_of(header), header[16:24]
    frame_bytes = _FRAME_HEADER_BYTES + _page_bytes_of(header)
    sums = _stored_sums(header, 24)
    is_damaged = False
    for _ in range(_LOG_LIMIT_BYTES // frame_bytes):
        frame = file.read(frame_bytes)
        if len(frame) < frame_bytes:
            return False
        # Frames from before the last restart of the log have another salt.
        if frame[8:16] != salts:
            is_damaged = True
        elif not is_damaged:
            sums = _summed(frame[:8], order, sums)
            sums = _summed(frame[_FRAME_HEADER_BYTES:], order, sums)
            is_damaged = sums != _stored_sums(frame, 16)
        elif any(frame[4:8]):
            return True
    return False


def _is_log(path: Path) -> bool:
    """Return whether a file has a valid header of a write-ahead log."""
    with path.open("rb") as file:
        header = file.read(_WAL_HEADER_BYTES)
    page_bytes = _page_bytes_of(header)
    if not _LEAST_LOG_PAGE_BYTES <= page_bytes <= _MOST_LOG_PAGE_BYTES:
        return False
    if int.from_bytes(header[:4], "big") not in _WAL_MAGIC or page_bytes.bit_count() != 1:
        return False
    return _summed(header[:24], _order_of(header), (0, 0)) == _stored_sums(header, 24)


def _page_bytes_of(header: bytes) -> int:
    return int.from_bytes(header[8:12], "big")


def _order_of(header: bytes) -> Literal[">", "<"]:
    """Return the byte order of the checksums of a log."""
    return ">" if header[3] & 1 else "<"


def _stored_sums(content: bytes, at: int) -> tuple[int, int]:
    first, second = struct.unpack_from(">II", content, at)
    return first, second


def _summed(data: bytes, order: Literal[">", "<"], sums: tuple[int, int]) -> tuple[int, int]:
    """Continue the two running checksums of a log over further data."""
    first, second = sums
    for one, other in struct.iter_unpack(f"{order}II", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
