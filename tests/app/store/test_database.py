"""The file itself: private, whole after every accident, and never somebody else's to break."""

import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from app.common.error_messages import ErrorCode
from app.store.conversation_versions import StoredVersion
from app.store.database import Database
from app.store.errors import NewerError, StoreError
from app.store.records import StoredFailure, TurnState
from app.store.schema import STEPS, migrate
from app.store.store import Store
from local_tools.recovery.files import PutAside

pytestmark = pytest.mark.anyio

NOW = datetime(2025, 3, 4, 5, 6, 7, tzinfo=UTC)


def fill(connection: sqlite3.Connection) -> None:
    for number in range(200):
        note(connection, f"{number:03} " + "word " * 50)


@asynccontextmanager
async def opened(path: Path, busy_timeout_s: float = 5.0) -> AsyncIterator[Database]:
    database = Database(path, lambda: NOW, busy_timeout_s)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


def note(connection: sqlite3.Connection, text: str) -> None:
    connection.execute(
        "INSERT INTO drafts (profile, conversation_id, text) VALUES ('p', ?, ?)", (text, text)
    )


def notes(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT text FROM drafts ORDER BY text")]


async def test_folder_and_files_are_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "store.db"

    async with opened(path) as database:
        await database.write(lambda c: note(c, "secret"))

        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()}
        assert modes == {"store.db": 0o600, "store.db-wal": 0o600, "store.db-shm": 0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.security(33)
async def test_the_database_is_set_up_to_lose_and_leak_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path / "store.db") as database:

        def settings(connection: sqlite3.Connection) -> list[object]:
            names = (
                "journal_mode synchronous foreign_keys secure_delete trusted_schema busy_timeout"
            )
            return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names.split()]

        assert await database.read(settings) == ["wal", 2, 1, 1, 0, 5000]
        with pytest.raises(StoreError):
            await database.read(lambda c: c.execute("SELECT load_extension('libc.so.6')"))


async def test_work_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    async with opened(tmp_path / "store.db") as database:

        def half(connection: sqlite3.Connection) -> None:
            note(connection, "half")
            raise LookupError

        with pytest.raises(LookupError):
            await database.write(half)

        assert await database.read(notes) == []


async def test_changes_are_made_for_all_rows_or_none(tmp_path: Path) -> None:
    put = "INSERT INTO drafts (profile, conversation_id, text) VALUES ('p', ?, ?)"
    async with opened(tmp_path / "store.db") as database:
        await database.change(put, ("a", "one"), ("b", "two"))
        with pytest.raises(StoreError):
            await database.change(put, ("c", "three"), ("a", "again"))

        assert await database.read(notes) == ["one", "two"]


async def test_no_cursor_leaves_the_thread_of_its_database(tmp_path: Path) -> None:
    async with opened(tmp_path / "store.db") as database:
        with pytest.raises(TypeError, match="cursor"):
            await database.read(lambda c: c.execute("SELECT 1"))


async def test_a_full_disk_is_reported_and_what_was_kept_before_stays(tmp_path: Path) -> None:
    async with opened(tmp_path / "store.db") as database:
        await database.write(lambda c: note(c, "before"))
        pages = await database.read(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
        await database.read(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchone())

        with pytest.raises(StoreError) as caught:
            await database.write(lambda c: note(c, "x" * 100_000))

        assert caught.value.reason == ErrorCode.STORE_FULL
        assert await database.read(notes) == ["before"]
        await database.read(lambda c: c.execute("PRAGMA max_page_count = 100000").fetchone())
        await database.write(lambda c: note(c, "after"))
        assert await database.read(notes) == ["after", "before"]


async def test_a_file_that_another_program_holds_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with opened(path, busy_timeout_s=0.01) as database:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreError) as caught:
            await database.write(lambda c: note(c, "mine"))

        other.execute("ROLLBACK")
        other.close()
        assert caught.value.reason == ErrorCode.STORE_LOCKED
        await database.write(lambda c: note(c, "mine"))
        assert await database.read(notes) == ["mine"]


@pytest.mark.parametrize(
    "content", [b"no database at all" * 500, b"SQLite format 3\0" + b"\xff" * 4096]
)
async def test_a_damaged_file_is_put_aside_with_its_date(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(content)
    database = Database(path, lambda: NOW)

    aside = await database.open()

    assert aside == PutAside(tmp_path / "store.damaged-20250304T050607.db")
    assert aside.path.read_bytes() == content
    await database.write(lambda c: note(c, "anew"))
    await database.close()


@pytest.mark.security(33)
@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER x AFTER INSERT ON drafts BEGIN DELETE FROM drafts; END",
        "CREATE TRIGGER x BEFORE UPDATE ON turns BEGIN SELECT load_extension('x'); END",
        "CREATE VIEW chats AS SELECT writefile('marker', 'x') AS id",
        "DROP TRIGGER message_added;"
        "CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN DELETE FROM drafts; END",
    ],
)
async def test_a_file_in_which_something_foreign_would_run_is_put_aside(
    tmp_path: Path, planted: str
) -> None:
    path = tmp_path / "store.db"
    async with opened(path) as database:
        await database.write(lambda c: note(c, "mine"))
    with closing(sqlite3.connect(path)) as other:
        other.executescript(planted)
    database = Database(path, lambda: NOW)

    aside = await database.open()
    await database.write(lambda c: note(c, "anew"))
    kept = await database.read(notes)
    await database.close()

    assert aside is not None
    assert aside.is_salvaged
    assert kept == ["anew", "mine"]


def _count(table: str, connection: sqlite3.Connection) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
    return int(count)


async def test_every_table_is_taken_over_but_the_index_of_words(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    put = {
        "conversations": "(profile, conversation_id, agent_name) VALUES ('p', 'c', 'guide')",
        "messages": "(profile, conversation_id, message_id, role, text, position)"
        " VALUES ('p', 'c', 'm', 'user', 'x', 0)",
        "turns": "(turn_id, profile, conversation_id, sequence, text, state, created_at)"
        " VALUES ('t', 'p', 'c', 0, 'x', 'done', '2025-03-04T05:06:07+00:00')",
        "pieces": "(turn_id, position, kind, text, message_id, call_id, title, target)"
        " VALUES ('t', 0, 'text', 'x', '', '', '', '')",
        "drafts": "(profile, conversation_id, text) VALUES ('p', 'c', 'x')",
        "deletions": "(profile, conversation_id) VALUES ('p', 'gone')",
        "versions": "(profile, fork_id, source_id, parent_id, shared_count, conversation_id,"
        " turn_id) VALUES ('p', 'f', 'first', 'first', 2, 'c', 't')",
        "shown_versions": "(profile, chat_id, conversation_id) VALUES ('p', 'first', 'c')",
    }
    async with opened(path) as database:
        for table, row in put.items():
            await database.change(f"INSERT INTO {table} {row}", ())
    with path.open("r+b") as file:
        file.write(b"no database")
    async with opened(path) as database:
        kept = {table: await database.read(partial(_count, table)) for table in put}

    assert kept == dict.fromkeys(put, 1)


async def test_only_versions_that_are_whole_are_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = Store(path)
    await store.open()
    profile = store.profile("p")
    # The first are as they should be; then a circle, what hangs on it, a message of another chat,
    # and copies that were cut off.
    parents = {"b": "a", "c": "b", "d": "e", "e": "d", "f": "e", "g": "a", "h": "a", "i": "a"}
    for name, parent in parents.items():
        version = StoredVersion(name, parent, "m", parent, 2, is_branch=name == "i")
        await profile.versions.reserve(version)
        await profile.versions.note_known(version, name, {})
        if name != "h":
            await profile.turns.add("a" if name == "g" else name, "x", None, fork_id=name)
    await profile.versions.show("a", "b")
    await profile.versions.show("d", "e")
    await store.close()
    with path.open("r+b") as file:
        file.write(b"no database")

    store = Store(path)
    aside = await store.open()
    kept = await store.profile("p").versions.all()
    shown = await store.profile("p").versions.shown()
    await store.close()

    assert aside is not None
    assert [(version.conversation_id, version.parent_id) for version in kept] == [
        ("b", "a"),
        ("c", "b"),
    ]
    assert shown == {"b"}


@pytest.mark.parametrize(
    "damage",
    [
        """UPDATE turns SET failure = '{"reasom": "stopped", "values": {}}'""",
        """UPDATE turns SET failure = '{"reason": "stopped", "values": []}'""",
        """UPDATE turns SET failure = '{"reason": 1, "values": {}}'""",
        """UPDATE turns SET declared = '{"read_file": 1}'""",
        """UPDATE conversations SET tools_off = '[{}]'""",
    ],
)
async def test_json_of_another_shape_is_noticed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "store.db"
    store = Store(path)
    await store.open()
    profile = store.profile("p")
    turn = await profile.turns.add("c", "x", None)
    await profile.turns.begin(turn.turn_id, 0, {"read_file": "digest"})
    failure = StoredFailure("stopped", {"seconds": 1})
    await profile.turns.advance(turn.turn_id, TurnState.STOPPED, failure)
    await profile.conversations.set_tools_off("c", frozenset({"read_file"}))
    await store.close()
    whole = Store(path)
    assert await whole.open() is None
    await whole.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    store = Store(path)

    aside = await store.open()

    assert aside is not None
    await store.profile("p").turns.of_conversation("c")
    await store.profile("p").conversations.get("c")
    await store.close()


@pytest.mark.security(33)
async def test_a_damaged_file_proves_no_rule_and_no_wish_to_delete(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with opened(path) as database:
        await database.change(
            "INSERT INTO deletions (profile, conversation_id) VALUES ('p', 'c')", ()
        )
        await database.change(
            "INSERT INTO rules (profile, rule_id, conversation_id, body)"
            " VALUES ('p', 'r', 'c', '{}')",
            (),
        )
    with path.open("r+b") as file:
        file.write(b"no database")
    async with opened(path) as database:
        rules = await database.read(partial(_count, "rules"))
        kept = await database.read(
            lambda c: c.execute("SELECT conversation_id, is_in_doubt FROM deletions").fetchall()
        )
    # What the service still has of a chat in doubt is not deleted.
    assert (rules, kept) == (0, [("c", 1)])


@pytest.mark.security(33)
async def test_hostile_check_constraint_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with opened(path) as database:
        await database.write(lambda c: note(c, "mine"))
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'PRIMARY KEY (profile',"
            " 'CHECK (length(hex(zeroblob(400000000))) > 0), PRIMARY KEY (profile')"
            " WHERE name = 'drafts'"
        )
    database = Database(path, lambda: NOW)
    assert await database.open() is not None
    kept = await database.read(notes)
    await database.close()
    assert kept == ["mine"]


async def test_a_page_overwritten_in_the_middle_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with opened(path) as database:
        await database.write(fill)
    with path.open("r+b") as file:
        file.seek(8 * 4096)
        file.write(b"\x00\xff" * 2048)
    database = Database(path, lambda: NOW)

    aside = await database.open()
    await database.close()

    assert aside is not None


async def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with opened(path) as database:
        await database.write(lambda c: note(c, "from the future"))
        await database.write(lambda c: c.execute("CREATE TABLE later (word TEXT)").close())
        await database.read(lambda c: c.execute(f"PRAGMA user_version = {len(STEPS) + 1}").close())
    before = path.read_bytes()
    database = Database(path, lambda: NOW)

    with pytest.raises(NewerError):
        await database.open()
    await database.close()

    assert path.read_bytes() == before


async def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    database = Database(tmp_path / "file" / "store.db", lambda: NOW)

    with pytest.raises(StoreError) as caught:
        await database.open()
    await database.close()

    assert caught.value.reason == ErrorCode.STORE_UNWRITABLE


def test_each_missing_step_is_taken_once_and_whole() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    steps = ["CREATE TABLE one (a);", "CREATE TABLE two (a); INSERT INTO two VALUES (1);"]

    migrate(connection, steps[:1])
    migrate(connection, steps)
    migrate(connection, steps)

    assert connection.execute("SELECT count(*) FROM two").fetchone() == (1,)
    with pytest.raises(sqlite3.DatabaseError):
        migrate(connection, [*steps, "CREATE TABLE three (a); INSERT INTO nowhere VALUES (1);"])
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    tables = connection.execute("SELECT name FROM sqlite_schema ORDER BY name").fetchall()
    assert tables == [("one",), ("two",)]
    connection.close()
