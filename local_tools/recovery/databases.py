"""Takes out of a damaged SQLite database what can still be read, and puts a new one in its place.

The damaged files are never opened, since SQLite would change them: all reading is of a copy. In
that copy the first bytes of the file, which are always the same in ours, are written anew; where
the list of tables behind them is gone, too, it is taken from a new database of the same shape.
"""

import logging
import os
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from local_tools.recovery.files import PutAside, is_no_file, put_aside

log = logging.getLogger(__name__)

COMPANIONS: Final = ("-wal", "-shm", "-journal")
UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged database raises; the second where SQLite's message quotes its bytes."""

_HEADER_BYTES: Final = 100
_LEAST_PAGE_BYTES: Final = 512
_BRANCH: Final = 0x05
# A page that is gone holds so many rows at most; a branch of the tree some ten thousand.
_MOST_ROWS_A_PAGE: Final = 500
_MOST_GAPS: Final = 50_000
_LAST_NUMBER: Final = 2**63 - 1
_WAL_HEADER_BYTES: Final = 32
_FRAME_HEADER_BYTES: Final = 24
_WAL_MAGIC: Final = (0x377F0682, 0x377F0683)
# A damaged log stays as it is.
_LOOKS: Final = 2

Row: TypeAlias = "tuple[Any, ...]"
Build = Callable[[sqlite3.Connection], None]
"""Makes the tables of a new database."""
TakeOver = Callable[[sqlite3.Connection, sqlite3.Connection], int]
"""Copies what can be read from a copy of the damaged database into a new one; gives how much. It
may be called again, with a copy in which more can be read."""
Settle = Callable[[sqlite3.Connection], None]
"""Brings what was taken over into order."""


def is_lost(path: Path) -> bool:
    """Tell whether no database can be opened there, although there was one.

    That is so of what is no file, of an empty file, and of a log of changes (`-wal`) that is
    damaged or has lost its database: SQLite itself would throw such a log away and say nothing.
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
    """Make a database's file where it is missing, for its owner only.

    SQLite gives the files beside it the same rights.

    Raises:
        OSError: It cannot be made, read or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileNotFoundError):
        path.chmod(0o600)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def finish_beginning_anew(path: Path) -> PutAside | None:
    """Put a new database in its place where the program was killed just before it had done so.

    Copies that a kill left behind go.
    """
    for left in path.parent.glob(f"{_folder_prefix(path)}*"):
        shutil.rmtree(left, ignore_errors=True)
    if not _ready_path(path).exists():
        return None
    # Of the damaged files, some may have been moved before the kill, and some not.
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
    """Put a damaged database aside, and a new one in its place with what could still be read.

    The new one is whole, and named so, before the damaged one is moved: a kill loses nothing.

    Args:
        path: The database.
        build: Makes the tables of the new one.
        take_over: Copies what can be read.
        settle: Brings that into order; called once, also where nothing was copied.
        moment: Now; a test's.

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
    log.info("a damaged database was put aside, with %d rows taken over", count)
    return PutAside(aside, is_salvaged=count > 0)


def columns_of(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """List the columns of a table; nothing where there is no such table."""
    found = connection.execute(f"PRAGMA table_info({table})")
    return tuple(str(row[1]) for row in found)


def copy_rows(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, *, where: str = "1"
) -> int:
    """Copy all rows of a table that can be read and fit; gives how many.

    Args:
        source: A copy of the damaged database; it may have fewer columns.
        target: The new one.
        table: The table's name, in both.
        where: What holds of a row that is understood; in SQL.
    """
    if table not in _tables(source):
        # What only looks like it may run anything, and is none that we made.
        return 0
    known = set(columns_of(source, table))
    columns = [name for name in columns_of(target, table) if name in known]
    marks = ", ".join("?" for _ in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    sql = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our own names
    count = 0
    for row in readable_rows(source, table, columns, where):
        # What does not fit the new table is no row that we wrote.
        with suppress(sqlite3.Error):
            count += target.execute(sql, row).rowcount
    return count


def readable_rows(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], where: str = "1"
) -> Iterator[Row]:
    """Read a table of a damaged database, leaving out what cannot be read.

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


def _past_gaps(connection: sqlite3.Connection, table: str, names: str, where: str) -> Iterator[Row]:
    """Read by number, and try the next one wherever one cannot be read."""
    sql = (
        f"SELECT rowid, {where}, {names} FROM {table} NOT INDEXED"  # noqa: S608 - our own names
        " WHERE rowid >= ? ORDER BY rowid"
    )
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    most_gaps = min(_MOST_GAPS, pages * _MOST_ROWS_A_PAGE)
    number, gaps, last = 1, 0, _last_number(connection, table)
    while gaps < most_gaps and number <= last:
        try:
            for found, *row in connection.execute(sql, (number,)):
                number = found + 1
                yield from _understood(row)
        except (*UNREADABLE, OverflowError):
            number, gaps = number + 1, gaps + 1
        else:
            return


def _understood(row: Sequence[Any]) -> Iterator[Row]:
    """Yield a row without what is said of it first, unless that is no."""
    if row[0]:
        yield tuple(row[1:])


def _last_number(connection: sqlite3.Connection, table: str) -> int:
    """The last number that a row was given, where that is noted."""
    with suppress(*UNREADABLE):
        query = "SELECT seq FROM sqlite_sequence WHERE name = ?"
        for (number,) in connection.execute(query, (table,)):
            if isinstance(number, int):
                return number
    return _LAST_NUMBER


def _from_both_ends(
    connection: sqlite3.Connection, table: str, names: str, where: str
) -> Iterator[Row]:
    """Read a table without numbers from its beginning, and where that breaks from its end."""
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


def _opened_copies(path: Path, blank: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a damaged database that has tables of a blank one, then one that has more.

    None where nothing can be read, or where it is a database of another program. Each is closed
    when the next one is asked for.
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
    """List what to try, in this order; nothing with a database of another program."""
    # Alone, since SQLite throws a log of changes away where its database is empty.
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
                shutil.copyfile(found, copy.with_name(f"{copy.name}{ending}"))
        except OSError as exc:
            # A disk that is full, or nobody may read it: it is put aside all the same.
            log.info("nothing can be read of a damaged database: %s", exc.strerror)
            return None
    return copy


def _connected(path: Path, *, alone: bool = False) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}{'?immutable=1' if alone else ''}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.text_factory = readable_text
    return connection


def is_time(stored: bytes | None) -> bool:
    """Tell whether a text, as it lies in a database, is a time that can be read; none is fine."""
    try:
        return stored is None or bool(datetime.fromisoformat(stored.decode()))
    except ValueError:
        return False


def readable_text(stored: bytes) -> str:
    """Read text in which bytes may be wrong: U+FFFD stands for those."""
    return stored.decode("utf-8", "replace")


def _tables(connection: sqlite3.Connection) -> set[str]:
    """List the tables; nothing where that cannot be told."""
    try:
        found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {str(name) for (name,) in found if not str(name).startswith("sqlite_")}
    except UNREADABLE:
        return set()


def _write_header(copy: Path, blank: Path) -> None:
    """Write the first bytes of a database as they are in a blank one of the same pages."""
    with blank.open("rb") as file:
        header = bytearray(file.read(_HEADER_BYTES))
    page_bytes = int.from_bytes(header[16:18], "big")
    has_log = copy.with_name(f"{copy.name}-wal").exists()
    # How it is written: with a log of changes, or with a journal.
    header[18:20] = bytes([2, 2] if has_log else [1, 1])
    header[28:32] = max(1, copy.stat().st_size // page_bytes).to_bytes(4, "big")
    # No list of free pages, and a number of pages that counts.
    header[32:40] = bytes(8)
    header[92:96] = header[24:28]
    with copy.open("r+b") as file:
        file.write(header)


def _write_list_of_tables(copy: Path, blank: Path) -> None:
    """Write the list of tables as a blank database of the same shape has it."""
    content = blank.read_bytes()
    page_bytes = int.from_bytes(content[16:18], "big")
    with copy.open("r+b") as file:
        for number in _pages_of_list(content, page_bytes):
            start = (number - 1) * page_bytes
            file.seek(start)
            file.write(content[start : start + page_bytes])
    _write_header(copy, blank)


def _pages_of_list(content: bytes, page_bytes: int) -> Iterator[int]:
    """Find the pages of the list of tables: the first one, and those that it leads to.

    The form is that of https://www.sqlite.org/fileformat2.html#b_tree_pages
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
    """Tell whether SQLite would drop committed changes behind a damaged one, and say nothing.

    What a kill leaves is none: behind the change that was cut off there is nothing. Nor is what
    another program is writing at this moment, which looks different a moment later.
    """
    for _ in range(_LOOKS):
        before = log_file.stat()
        is_suspect = _has_commit_behind_damage(log_file.read_bytes())
        after = log_file.stat()
        if not is_suspect:
            return False
        if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
            return False
    return True


def _has_commit_behind_damage(content: bytes) -> bool:
    """Tell whether a change of a log was committed behind a frame whose sum is wrong.

    The form is that of https://www.sqlite.org/fileformat2.html#walformat
    """
    order = _order_of(content)
    page_bytes = int.from_bytes(content[8:12], "big")
    frame_bytes = _FRAME_HEADER_BYTES + page_bytes
    sums = _stored_sums(content, 24)
    is_damaged = False
    for start in range(_WAL_HEADER_BYTES, len(content) - frame_bytes + 1, frame_bytes):
        # What was written before the log was begun again has another salt.
        if content[start + 8 : start + 16] != content[16:24]:
            is_damaged = True
        elif not is_damaged:
            sums = _summed(content[start : start + 8], order, sums)
            page = content[start + _FRAME_HEADER_BYTES : start + frame_bytes]
            sums = _summed(page, order, sums)
            is_damaged = sums != _stored_sums(content, start + 16)
        elif any(content[start + 4 : start + 8]):
            return True
    return False


def _is_log(path: Path) -> bool:
    """Tell whether a log of changes begins as SQLite begins one."""
    with path.open("rb") as file:
        header = file.read(_WAL_HEADER_BYTES)
    if int.from_bytes(header[:4], "big") not in _WAL_MAGIC:
        return False
    return _summed(header[:24], _order_of(header), (0, 0)) == _stored_sums(header, 24)


def _order_of(header: bytes) -> Literal[">", "<"]:
    """Find the order of bytes in which the sums of a log are made."""
    return ">" if header[3] & 1 else "<"


def _stored_sums(content: bytes, at: int) -> tuple[int, int]:
    first, second = struct.unpack_from(">II", content, at)
    return first, second


def _summed(data: bytes, order: Literal[">", "<"], sums: tuple[int, int]) -> tuple[int, int]:
    """Go on with the two sums of a log."""
    first, second = sums
    for one, other in struct.iter_unpack(f"{order}II", data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
