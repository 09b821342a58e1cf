"""Putting files aside: nothing is ever written over, and a kill in the middle loses nothing."""

import os
import sqlite3
import struct
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from local_tools.recovery import databases
from local_tools.recovery.files import PutAside, put_aside
from tests.support import damage

_NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)


def _build(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE notes (text TEXT NOT NULL)")


def _take_over(source: databases.Copy, target: sqlite3.Connection) -> int:
    return databases.copy_rows(source, target, "notes")


def _settle(_target: sqlite3.Connection) -> None:
    """Nothing is to be brought into order."""


def _filled(path: Path, rows: int = 500) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        _build(connection)
        texts = [(f"note {number:04} " + "word " * 30,) for number in range(rows)]
        connection.executemany("INSERT INTO notes VALUES (?)", texts)
    return path


def _rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM notes").fetchone()
        return int(count)


def test_two_files_of_one_second_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    kept = []
    for text in ("one", "two"):
        path.write_text(text, encoding="utf-8")
        kept.append(put_aside(path, moment=_NOW))

    assert [place.read_text(encoding="utf-8") for place in kept] == ["one", "two"]
    assert kept[0].name == "settings.damaged-20300101T120000.toml"


def test_what_belongs_to_a_file_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"a")
    (tmp_path / "a.db-wal").write_bytes(b"changes")

    aside = put_aside(path, ("-wal", "-shm"), _NOW)

    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"changes"
    assert sorted(tmp_path.iterdir()) == [aside, aside.with_name(f"{aside.name}-wal")]


@pytest.mark.parametrize("page", [3, 10, 20])
def test_rows_on_both_sides_of_a_gap_are_taken_over(tmp_path: Path, page: int) -> None:
    path = _filled(tmp_path / "a.db")
    damage.page(page)(path)

    found = databases.begin_anew(path, _build, _take_over, _settle, _NOW)

    assert found == PutAside(tmp_path / "a.damaged-20300101T120000.db", is_salvaged=True)
    assert 450 < _rows(path) < 500
    with closing(sqlite3.connect(path)) as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM notes ORDER BY rowid")]
    assert (texts[0][:9], texts[-1][:9]) == ("note 0000", "note 0499")


def test_kill_between_the_two_renames_is_recovered_at_the_next_start(tmp_path: Path) -> None:
    path = _filled(tmp_path / "a.db")
    path.rename(tmp_path / "a.db.ready")
    (tmp_path / "a.db.salvage-1").mkdir()
    damaged = tmp_path / "a.damaged-20260101T115900.db"
    damaged.write_bytes(b"damaged")

    assert databases.finish_beginning_anew(path) == PutAside(damaged, is_salvaged=True)

    assert _rows(path) == 500
    assert set(tmp_path.iterdir()) == {path, damaged}


def test_kill_that_separates_a_database_from_its_wal_is_recovered_at_the_next_start(
    tmp_path: Path,
) -> None:
    """What was salvaged from the log is nowhere else."""
    path = _filled(tmp_path / "a.db", rows=100)
    _filled(tmp_path / "a.db.ready")
    log = tmp_path / "a.damaged-20260101T115900.db-wal"
    log.write_bytes(b"changes")

    found = databases.finish_beginning_anew(path)

    assert _rows(path) == 500
    assert found is not None
    assert _rows(found.path) == 100
    assert set(tmp_path.iterdir()) == {path, log, found.path}


def test_a_new_file_that_was_not_finished_takes_no_place_that_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    (tmp_path / "a.db-wal").write_bytes(b"all that was left before the kill")
    (tmp_path / "a.db.new").write_bytes(b"half of it")

    assert databases.finish_beginning_anew(path) is None
    assert not path.exists()


def test_a_new_file_that_was_not_finished_is_begun_again(tmp_path: Path) -> None:
    path = _filled(tmp_path / "a.db")
    (tmp_path / "a.db.new").write_bytes(b"half of it")

    assert databases.finish_beginning_anew(path) is None
    databases.begin_anew(path, _build, _take_over, _settle, _NOW)

    assert _rows(path) == 500


def test_a_log_whose_last_changes_were_never_committed_is_no_damage(tmp_path: Path) -> None:
    """So a kill in the middle of a change leaves it."""
    path = _filled(tmp_path / "a.db")
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("INSERT INTO notes VALUES ('kept')")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO notes VALUES (?)", [("x" * 3000,)] * 50)
        copy.write_bytes(path.read_bytes())
        changes = path.with_name("a.db-wal").read_bytes()
        connection.execute("ROLLBACK")
    copy.with_name("copy.db-wal").write_bytes(changes)

    assert len(changes) > 50 * 3000
    assert not databases.is_lost(copy)
    assert _rows(copy) == 501


def _log_header(page_bytes: int) -> bytes:
    """Return the first bytes of a log of changes, with the right sums."""
    header = struct.pack(">6I", 0x377F0682, 3007000, page_bytes, 0, 1, 2)
    first = second = 0
    for one, other in struct.iter_unpack("<II", header):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return header + struct.pack(">II", first, second)


@pytest.mark.security(33)
@pytest.mark.parametrize("page_bytes", [0, 1, 4, 513, 2**31, 2**32 - 1])
def test_a_log_of_pages_of_an_impossible_size_is_damaged(tmp_path: Path, page_bytes: int) -> None:
    path = _filled(tmp_path / "a.db")
    frames = struct.pack(">4I", 1, 1, 1, 2) * 100
    path.with_name("a.db-wal").write_bytes(_log_header(page_bytes) + frames)
    assert databases.is_lost(path)


@pytest.mark.security(33)
@pytest.mark.parametrize("page_bytes", [512, 4096])
def test_a_log_without_end_is_neither_read_whole_nor_into_memory(
    tmp_path: Path, page_bytes: int
) -> None:
    path = _filled(tmp_path / "a.db")
    log = path.with_name("a.db-wal")
    log.write_bytes(_log_header(page_bytes))
    os.truncate(log, 2**40)
    assert not databases.is_lost(path)


@pytest.mark.security(33)
def test_of_a_database_that_claims_a_terabyte_only_what_is_there_is_copied(tmp_path: Path) -> None:
    path = _filled(tmp_path / "a.db")
    damage.overwritten(0, 100)(path)
    os.truncate(path, 2**40)
    assert databases.begin_anew(path, _build, _take_over, _settle, _NOW).is_salvaged
    assert _rows(path) == 500


_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS text FROM n"


@pytest.mark.security(33)
@pytest.mark.parametrize(
    "planted",
    [
        f"CREATE VIEW notes AS {_ENDLESS}",
        f"CREATE VIEW v AS {_ENDLESS};"
        "CREATE VIRTUAL TABLE notes USING fts5(text, content='v', content_rowid='text')",
        "CREATE TABLE notes (other, text AS (hex(zeroblob(400000000))));"
        "INSERT INTO notes (other) VALUES (1)",
        "CREATE TABLE notes (text); INSERT INTO notes VALUES (zeroblob(100000000))",
    ],
)
def test_nothing_in_a_hostile_database_runs_without_end_or_fills_the_memory(
    tmp_path: Path, planted: str
) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(planted)
    assert not databases.begin_anew(path, _build, _take_over, _settle, _NOW).is_salvaged
    assert _rows(path) == 0


@pytest.mark.security(33)
def test_a_database_whose_pages_lead_in_a_circle_comes_to_an_end(tmp_path: Path) -> None:
    path = _filled(tmp_path / "a.db", rows=5_000)
    content = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'notes'"
        (root,) = connection.execute(query).fetchone()
    start = (root - 1) * 4096
    cells = int.from_bytes(content[start + 3 : start + 5], "big")
    assert cells > 1
    for number in range(cells):
        at = start + 12 + 2 * number
        cell = start + int.from_bytes(content[at : at + 2], "big")
        content[cell : cell + 4] = root.to_bytes(4, "big")
    path.write_bytes(content)
    databases.begin_anew(path, _build, _take_over, _settle, _NOW)
    assert _rows(path) < 5_000
