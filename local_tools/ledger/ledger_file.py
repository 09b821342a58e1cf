"""The SQLite file of the ledger; blocking, for one thread. Use it through `Ledger`."""

import json
import logging
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any, Final

from local_tools.ledger.chain import (
    ChainedEntry,
    ChainEntry,
    Head,
    LedgerOrigin,
    Verification,
    new_salt,
    read_head,
    salted_hash,
    verify,
    write_head,
)
from local_tools.ledger.steps import (
    INTERRUPTED_TEXT,
    CallFilter,
    CallKey,
    CallRecord,
    CallRecordPage,
    LedgerDamagedError,
    LedgerError,
    Step,
    StoredEntry,
    calls_of,
    check_order,
    read_details,
)
from local_tools.paths.beneath import file_identity
from local_tools.recovery.databases import (
    VALUE_LIMIT_BYTES,
    is_time,
    make_private_file,
    readable_text,
)

log = logging.getLogger(__name__)

_BUSY_TIMEOUT_S: Final = 5.0
_BUSY_PAUSE_S: Final = 0.02
_MADE_BY_DAMAGE: Final = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_TOOBIG,
    }
)
_PRAGMAS: Final = (
    "synchronous = FULL",
    "secure_delete = ON",
    "foreign_keys = ON",
    "trusted_schema = OFF",
)
_SCHEMA: Final = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    step TEXT NOT NULL,
    at TEXT NOT NULL,
    tool TEXT NOT NULL,
    digest TEXT NOT NULL,
    details TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    link TEXT NOT NULL
) STRICT;
CREATE INDEX entries_by_call ON entries (profile, conversation_id, call_id);
CREATE UNIQUE INDEX one_call_per_id
    ON entries (profile, conversation_id, call_id) WHERE step = 'asked';
CREATE TABLE texts (
    number INTEGER PRIMARY KEY REFERENCES entries (number),
    salt BLOB NOT NULL,
    text TEXT NOT NULL
) STRICT;
"""
# One row at most: where this record begins, if it took the place of a damaged one.
_ORIGIN: Final = """
CREATE TABLE origin (
    at TEXT NOT NULL,
    before_count INTEGER NOT NULL,
    before_link TEXT NOT NULL,
    kept INTEGER NOT NULL,
    count INTEGER NOT NULL
) STRICT;
"""
_STEPS: Final = (_SCHEMA, _ORIGIN)
_VERSION: Final = len(_STEPS)
# A version that is later by more than this was not written by any program.
_NEXT_VERSIONS: Final = 1000
UNDERSTOOD: Final = "is_entry(CAST(step AS BLOB), CAST(at AS BLOB), CAST(details AS BLOB))"
"""What holds of an entry that can be read back; `add_functions` comes before."""
ADD_ENTRY: Final = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_NEVER: Final = 2**62
_OF_CONVERSATION: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash, text
FROM entries LEFT JOIN texts USING (number)
WHERE profile = ? AND conversation_id = ? ORDER BY number
"""
_PENDING: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash, text
FROM entries LEFT JOIN texts USING (number)
WHERE profile = ? AND NOT EXISTS (
    SELECT 1 FROM entries AS later
    WHERE later.profile = entries.profile AND later.conversation_id = entries.conversation_id
        AND later.call_id = entries.call_id AND later.step = 'acknowledged'
) ORDER BY number
"""
# Results are long, and nobody asks for them here.
_RECENT: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash,
    CASE WHEN step IN ('asked', 'decided') THEN text END
FROM entries LEFT JOIN texts USING (number)
WHERE (profile, conversation_id, call_id) IN (
    SELECT profile, conversation_id, call_id FROM entries
    WHERE profile = ? AND step = 'asked' ORDER BY number DESC LIMIT ?
) ORDER BY number
"""
# The unary plus keeps SQLite from using the index on `profile`: it would sort all entries for each
# page, while the primary key has them in order already.
_MANY: Final = (
    "(:profile = '' OR +profile = :profile)"
    " AND (:conversations = '[]'"
    " OR conversation_id IN (SELECT value FROM json_each(:conversations)))"
)
_ONE: Final = (
    "profile = :profile AND call_id = :call"
    " AND conversation_id IN (SELECT value FROM json_each(:conversations))"
)
# Results are read call by call, but for the one by which earlier versions said that a call was left
# behind, and of an input no more than tells what it was about.
_PAGE: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash,
    CASE WHEN step IN ('asked', 'decided') OR text = :interrupted THEN substr(text, 1, 8192) END
FROM entries LEFT JOIN texts USING (number)
WHERE (profile, conversation_id, call_id) IN (
    SELECT profile, conversation_id, call_id FROM entries
    WHERE {which} AND step = 'asked' AND number < :number ORDER BY number DESC LIMIT :limit
) ORDER BY number
"""
_SOME: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash, text
FROM entries LEFT JOIN texts USING (number)
WHERE {which} AND number > :number ORDER BY number LIMIT :limit
"""
# A release without a text of its own means that the finished text was sent unchanged.
_LEAVING: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash, text,
    link, step = 'finished' AND text IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM entries AS later
        WHERE later.profile = entries.profile AND later.conversation_id = entries.conversation_id
            AND later.call_id = entries.call_id AND later.step = 'released'
            AND later.text_hash = ''
    )
FROM entries LEFT JOIN texts USING (number)
WHERE {which} AND number > :number ORDER BY number LIMIT :limit
"""
_OF_CALL: Final = """
SELECT step, details, tool, digest FROM entries
WHERE profile = ? AND conversation_id = ? AND call_id = ? ORDER BY number
"""


_ALL: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash, text
FROM entries LEFT JOIN texts USING (number) ORDER BY number LIMIT -1 OFFSET ?
"""
EVERYTHING: Final = """
SELECT number, profile, conversation_id, call_id, step, at, tool, digest, details, text_hash,
    link, salt, text
FROM entries LEFT JOIN texts USING (number) ORDER BY number
"""


class LedgerFile:
    """An open ledger file. Made, used and closed in one thread."""

    def __init__(self, path: Path) -> None:
        """Open the database, make it when it is not there.

        Raises:
            LedgerDamagedError: When what is there is no ledger any more.
            LedgerError: When that is not possible.
        """
        self._head_path = head_path(path)
        with _in_words(path), _damage_in_words(path):
            make_private_file(path)
            self._connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
            # Read invalid bytes leniently; `verify` finds them.
            self._connection.text_factory = readable_text
            try:
                self._set_up(path)
                self._origin = read_origin(self._connection)
                self._start = self._origin.head if self._origin else Head()
                self._is_head_sound = self._fits(read_head(self._head_path))
                if self._is_new_beginning():
                    self._note_head(self._last())
            except BaseException:
                self._connection.close()
                raise
        self._path = path
        self._identity = file_identity(path)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def append(
        self, key: CallKey, step: Step, at: str, *, details: str, text: str, what: tuple[str, str]
    ) -> bool:
        """Add an entry; it is on disk when this returns.

        Args:
            key: Which call.
            step: The step that is about to be taken.
            at: The time of the step.
            details: Canonical JSON.
            text: The text that belongs to it; empty for none.
            what: The tool's name and digest; if empty, those of the call's first entry are used.

        Returns:
            False if the call was recorded before; then nothing is written.

        Raises:
            LedgerError: When the file cannot be written, or the step does not follow the latest
                one.
        """
        if file_identity(self._path) != self._identity:
            raise LedgerError(f"The record of tool calls in {self._path} is gone.")
        with _in_words(self._path):
            with self._transaction():
                past = self._connection.execute(_OF_CALL, astuple(key)).fetchall()
                if step is Step.ASKED and past:
                    return False
                _check_order(past, step)
                tool, digest = (past[0][2], past[0][3]) if past else what
                head = self._write(key, (step.value, at, tool, digest, details), text)
            self._note_head(head)
        return True

    def of_conversation(self, profile: str, conversation_id: str) -> tuple[CallRecord, ...]:
        """Return the calls of a conversation, oldest first."""
        return self._read(_OF_CONVERSATION, (profile, conversation_id))

    def pending(self, profile: str) -> tuple[CallRecord, ...]:
        """Return the calls whose results are not acknowledged, oldest first."""
        return self._read(_PENDING, (profile,))

    def recent(self, profile: str, limit: int) -> tuple[CallRecord, ...]:
        """Return the newest calls of all conversations, without results, oldest first."""
        return self._read(_RECENT, (profile, limit))

    def page(self, calls: CallFilter, before: int | None, limit: int) -> CallRecordPage:
        """Return a page of these calls, newest first, recorded before entry `before`."""
        with _in_words(self._path):
            stored = self._some(_PAGE, calls, _NEVER if before is None else before, limit)
        asked = [item.entry.number for item in stored if item.entry.step == Step.ASKED]
        return CallRecordPage(calls_of(stored)[::-1], asked[0] if len(asked) == limit else None)

    def some(self, calls: CallFilter, after: int, limit: int) -> tuple[StoredEntry, ...]:
        """Return the next `limit` entries of these calls after entry `after`, with their texts."""
        with _in_words(self._path):
            return self._some(_SOME, calls, after, limit)

    def leaving(self, calls: CallFilter, after: int, limit: int) -> tuple[StoredEntry, ...]:
        """Return entries as `some`, for an export: with links, and whether a text was not sent."""
        with _in_words(self._path):
            return self._some(_LEAVING, calls, after, limit)

    def erase(self, profile: str, conversation_id: str) -> int:
        """Erase the texts of a conversation's calls; return the number of erased texts."""
        with _in_words(self._path):
            with self._transaction():
                gone = self._connection.execute(
                    "DELETE FROM texts WHERE number IN"
                    " (SELECT number FROM entries WHERE profile = ? AND conversation_id = ?)",
                    (profile, conversation_id),
                ).rowcount
            # The write-ahead log still contains the erased text until it is truncated.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return gone

    def entries(self, last: int) -> Iterator[StoredEntry]:
        """Yield the last `last` entries in order."""
        with _in_words(self._path):
            (count,) = self._connection.execute("SELECT count(*) FROM entries").fetchone()
            with closing(self._connection.execute(_ALL, (max(0, count - last),))) as rows:
                yield from (StoredEntry(ChainEntry(*row[:10]), row[10]) for row in rows)

    def verify(self) -> Verification:
        """Verify every entry, every text and the head."""
        noted = read_head(self._head_path)
        with _in_words(self._path), closing(self._connection.execute(EVERYTHING)) as rows:
            return verify(chained_entries(rows), noted, self._origin)

    def _set_up(self, path: Path) -> None:
        # Before anything in it changes: it may belong to another program.
        _check_tables(self._connection)
        _write_through_a_log(self._connection)
        for pragma in _PRAGMAS:
            self._connection.execute(f"PRAGMA {pragma}").fetchall()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version < _VERSION:
            with self._transaction():
                # Another program may have made it at this moment.
                make_tables(self._connection)
        if _VERSION < version <= _VERSION + _NEXT_VERSIONS and _has_more(self._connection):
            raise LedgerError(f"{path} was written by a newer version of Parley.")
        if version > _VERSION:
            raise LedgerDamagedError(_damaged(path))
        query = "SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')"
        if self._connection.execute(query).fetchone():
            raise LedgerDamagedError(f"{path} was changed by another program, and is not used.")
        self._check(path)

    def _check(self, path: Path) -> None:
        """Make sure that every entry can be read back."""
        add_functions(self._connection)
        strange = f"SELECT 1 FROM entries WHERE NOT {UNDERSTOOD} LIMIT 1"  # noqa: S608 - our own
        # The check evaluates the CHECK expressions of the file, which may come from anybody.
        limit = self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT_BYTES)
        (verdict,) = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limit)
        if verdict != "ok":
            raise LedgerDamagedError(_damaged(path))
        if self._connection.execute(strange).fetchone():
            if self._is_chain_sound():
                # Damage breaks a link: a program wrote this, with a step or a value not known here.
                raise LedgerError(f"{path} was written by a newer version of Parley.")
            raise LedgerDamagedError(_damaged(path))

    def _is_chain_sound(self) -> bool:
        with closing(self._connection.execute(EVERYTHING)) as rows:
            noted, origin = read_head(self._head_path), read_origin(self._connection)
            return verify(chained_entries(rows), noted, origin).state != "broken"

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # SQLite may have ended the transaction by itself, for one when the disk is full.
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise

    def _read(self, query: str, values: tuple[str | int, ...]) -> tuple[CallRecord, ...]:
        with _in_words(self._path):
            rows = self._connection.execute(query, values).fetchall()
            return calls_of(StoredEntry(ChainEntry(*row[:10]), row[10]) for row in rows)

    def _some(
        self, query: str, calls: CallFilter, number: int, limit: int
    ) -> tuple[StoredEntry, ...]:
        given = {
            "profile": calls.profile,
            "conversations": json.dumps(calls.conversation_ids),
            "call": calls.call_id,
            "number": number,
            "limit": limit,
            "interrupted": INTERRUPTED_TEXT,
        }
        found = query.format(which=_ONE if calls.call_id else _MANY)
        rows = self._connection.execute(found, given).fetchall()
        return tuple(StoredEntry(ChainEntry(*row[:10]), *row[10:]) for row in rows)

    def _write(self, key: CallKey, said: tuple[str, str, str, str, str], text: str) -> Head:
        last = self._last()
        salt = new_salt()
        text_hash = salted_hash(salt, text) if text else ""
        place = (last.count + 1, key.profile, key.conversation_id, key.call_id)
        entry = ChainEntry(*place, *said, text_hash)
        link = entry.link_after(last.link)
        self._connection.execute(ADD_ENTRY, (*astuple(entry), link))
        if text:
            self._connection.execute(
                "INSERT INTO texts VALUES (?, ?, ?)", (entry.number, salt, text)
            )
        return Head(entry.number, link)

    def _last(self) -> Head:
        query = "SELECT number, link FROM entries ORDER BY number DESC LIMIT 1"
        row = self._connection.execute(query).fetchone()
        return Head(*row) if row else self._start

    def _fits(self, noted: Head | None) -> bool:
        """Return whether the chain still contains what was noted as its end."""
        if self._is_new_beginning():
            return True
        count = self._last().count
        if noted is None or noted == self._start:
            return count <= 1
        query = "SELECT link FROM entries WHERE number = ?"
        row = self._connection.execute(query, (noted.count,)).fetchone()
        return row is not None and row[0] == noted.link

    def _is_new_beginning(self) -> bool:
        """Return whether the note is still that of the damaged record before this one."""
        noted = read_head(self._head_path)
        count = self._last().count
        return self._origin is not None and self._origin.explains(noted, count)

    def _note_head(self, head: Head) -> None:
        # A note that no longer fits is evidence, and stays.
        if not self._is_head_sound:
            return
        try:
            write_head(self._head_path, head)
        except OSError as exc:
            # The entry itself is safe, and a note that lags behind is still true.
            log.warning("Cannot save the end of the ledger: %s", exc.strerror)


def _check_order(past: list[tuple[str, str, str, str]], step: Step) -> None:
    before = Step(past[-1][0]) if past else None
    decided = next((row[1] for row in past if row[0] == Step.DECIDED), None)
    check_order(before, None if decided is None else read_details(decided).decision, step)


def head_path(path: Path) -> Path:
    """Return the path of the file with the ledger's head."""
    return path.with_name(f"{path.name}.head")


def make_tables(connection: sqlite3.Connection) -> None:
    """Migrate the tables to the current version, in a transaction.

    Raises:
        LedgerDamagedError: When the file has tables that are not a ledger's.
    """
    _check_tables(connection)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for statement in "".join(_STEPS[max(0, version) :]).split(";"):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {max(version, _VERSION)}")


def _write_through_a_log(connection: sqlite3.Connection) -> None:
    """Have changes written to a log first; waits while another program makes the same ledger.

    SQLite itself does not wait here: two that look at a new file at once would wait for each other.
    """
    gives_up_at = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as exc:
            is_busy = exc.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > gives_up_at:
                raise
            time.sleep(_BUSY_PAUSE_S)
        else:
            return


def _check_tables(connection: sqlite3.Connection) -> None:
    """Make sure that there are no tables, or ours: a number alone proves nothing."""
    # One query, as another program may be making the tables at this moment.
    query = (
        "SELECT user_version, (SELECT count(*) FROM sqlite_schema),"
        " (SELECT group_concat(name) FROM pragma_table_info('entries')) FROM pragma_user_version"
    )
    version, count, columns = connection.execute(query).fetchone()
    ours = ",".join([*(field.name for field in fields(ChainEntry)), "link"])
    if count and (version == 0 or columns != ours):
        raise LedgerDamagedError("This is the database of another program.")


def read_origin(connection: sqlite3.Connection) -> LedgerOrigin | None:
    """Read the origin of a ledger that replaced a damaged one; None for any other."""
    query = "SELECT at, before_count, before_link, kept, count FROM origin"
    row = connection.execute(query).fetchone()
    return LedgerOrigin(row[0], Head(row[1], row[2]), *row[3:]) if row else None


def chained_entries(rows: Iterable[tuple[Any, ...]]) -> Iterator[ChainedEntry]:
    """Convert the rows of the query `EVERYTHING` to entries."""
    return (ChainedEntry(ChainEntry(*row[:10]), *row[10:]) for row in rows)


def add_functions(connection: sqlite3.Connection) -> None:
    """Register an SQL function that tells which entries can be parsed."""
    connection.create_function("is_entry", 3, _is_entry, deterministic=True)


def _is_entry(step: bytes, at: bytes, details: bytes) -> bool:
    try:
        Step(step.decode())
        read_details(details.decode())
    except ValueError:
        return False
    return is_time(at)


def _has_more(connection: sqlite3.Connection) -> bool:
    """Return whether there are tables that this program does not know."""
    query = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
    (count,) = connection.execute(query).fetchone()
    return bool(count > "".join(_STEPS).count("CREATE TABLE"))


def _damaged(path: Path) -> str:
    return f"The record of tool calls in {path} cannot be used: it is damaged."


@contextmanager
def _damage_in_words(path: Path) -> Iterator[None]:
    """Explain errors at opening: there, a statement that fails means that the file is damaged."""
    try:
        yield
    except sqlite3.DatabaseError as exc:
        if getattr(exc, "sqlite_errorcode", 0) & 0xFF in _MADE_BY_DAMAGE:
            raise LedgerDamagedError(_damaged(path)) from exc
        raise
    except UnicodeDecodeError as exc:
        # SQLite's own message quotes bytes of the file.
        raise LedgerDamagedError(_damaged(path)) from exc


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Put what the system and SQLite say into a sentence."""
    try:
        yield
    except sqlite3.DatabaseError as exc:
        raise LedgerError(f"The record of tool calls in {path} cannot be used: {exc}.") from exc
    except ValueError as exc:
        raise LedgerError(_damaged(path)) from exc
    except OSError as exc:
        raise LedgerError(
            f"The record of tool calls in {path} cannot be written: {exc.strerror}."
        ) from exc
