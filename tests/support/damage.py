"""Ways in which a file is damaged: by a bad disk, a crash, another program, or a person."""

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

_PAGE_BYTES: Final = 4096
_GARBAGE: Final = b"\x00\xff\x9d\x41"

Damage = Callable[[Path], None]


def flipped(seed: int, count: int = 12) -> Damage:
    """Flip one bit in each of so many random bytes."""

    def damage(path: Path) -> None:
        content, dice = bytearray(path.read_bytes()), random.Random(seed)  # noqa: S311 - no secret
        for at in dice.sample(range(len(content)), min(count, len(content))):
            content[at] ^= 1 << dice.randrange(8)
        path.write_bytes(content)

    return damage


def overwritten(start: int, length: int) -> Damage:
    """Write garbage over a part of the file."""

    def damage(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(start)
            file.write((_GARBAGE * length)[:length])

    return damage


def page(number: int) -> Damage:
    """Write garbage over one page of a database, from 0."""
    return overwritten(number * _PAGE_BYTES, _PAGE_BYTES)


def cut(keeps: Callable[[int], int]) -> Damage:
    """Cut the file off; `keeps` makes of its length how much is left."""

    def damage(path: Path) -> None:
        os.truncate(path, keeps(path.stat().st_size))

    return damage


def replaced(content: bytes) -> Damage:
    """Write something else into the file."""
    return lambda path: _write_anew(path, content)


def _write_anew(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def folder(path: Path) -> None:
    """Put a folder with something in it in the place of the file."""
    path.unlink()
    path.mkdir()
    (path / "mine.txt").write_text("words", encoding="utf-8")


def dangling_link(path: Path) -> None:
    """Put a link that leads nowhere in the place of the file."""
    path.unlink()
    path.symlink_to(path.parent / "not there" / path.name)


def other_database(path: Path) -> None:
    """Put the database of another program in the place of ours."""
    path.unlink()
    _run(path, "CREATE TABLE bookmarks (id INTEGER PRIMARY KEY, url TEXT);")


def other_database_like_ours(path: Path) -> None:
    """Do the same, with tables named like ours and a schema version like ours."""
    path.unlink()
    statements = "CREATE TABLE messages (id TEXT); CREATE TABLE entries (id TEXT);"
    _run(path, f"{statements} PRAGMA user_version = 2;")


def numbered(version: int) -> Damage:
    """Write another schema version."""
    return lambda path: _run(path, f"PRAGMA user_version = {version};")


def said(statement: str) -> Damage:
    """Write into the database as another program."""
    return lambda path: _run(path, f"PRAGMA foreign_keys = OFF; {statement};")


def _run(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def log_of_garbage(path: Path) -> None:
    """Put garbage in the place of the write-ahead log."""
    path.with_name(f"{path.name}-wal").write_bytes(_GARBAGE * 4000)


def log_without_database(path: Path) -> None:
    """Leave the last changes in the write-ahead log, and empty the database."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("VACUUM")
        changes = path.with_name(f"{path.name}-wal").read_bytes()
    path.write_bytes(b"")
    path.with_name(f"{path.name}-wal").write_bytes(changes)


def log_with_wrong_byte(path: Path) -> None:
    """Damage the first of several changes that are only in the write-ahead log."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for _ in range(3):
            connection.execute(f"PRAGMA user_version = {version}")
        changes = bytearray(path.with_name(f"{path.name}-wal").read_bytes())
        content = path.read_bytes()
    changes[32 + 24 + 500] ^= 1
    path.write_bytes(content)
    path.with_name(f"{path.name}-wal").write_bytes(changes)


def index_of_garbage(path: Path) -> None:
    """Write garbage over the `-shm` index of the log, which SQLite rebuilds by itself."""
    path.with_name(f"{path.name}-shm").write_bytes(_GARBAGE * 8192)


def companion_is_folder(path: Path) -> None:
    """Put a folder where SQLite keeps its write-ahead log."""
    path.with_name(f"{path.name}-wal").mkdir()


def read_only(path: Path) -> None:
    """Make the file read-only."""
    path.chmod(0o400)


def unreadable(path: Path) -> None:
    """Make the file unreadable."""
    path.chmod(0o000)


def wrong_byte(before: bytes) -> Damage:
    """Put a byte that is not valid UTF-8 before these words."""

    def damage(path: Path) -> None:
        content = path.read_bytes()
        assert before in content
        path.write_bytes(content.replace(before, b"\xff" + before, 1))

    return damage


def removed(ending: str) -> Damage:
    """Remove a file that belongs to this one."""
    return lambda path: path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)
