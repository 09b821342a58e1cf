"""A store of an older version is brought up to date, and never left in between."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect

from local_server.cluster.postgres import PostgresAddress
from local_server.settings import utc_now
from local_server.store.database import DatabaseError
from local_server.store.migrations import STEPS, Backups
from local_server.store.opening import ServiceStore, StoreAddress
from local_server.store.records import Message, Notice, Owner, Page
from local_server.store.tables import SCHEMA_VERSION
from tests.support.old_store import (
    FILE,
    age_store,
    dump,
    load_recorded_store,
    write_old_store,
    write_recorded_store,
)
from tests.support.postgres import FreshDatabase, RunningPostgres
from tests.support.store_processes import run_store_processes

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("postgres_server")]

_MINE = Owner("tests", "live")
_OTHER = Owner("other", "test")
_BACKUP = "parley-server.revision-1.sqlite3"


async def _age(address: StoreAddress, request: pytest.FixtureRequest) -> None:
    """Make the store there one of the first version, with data in it."""
    if isinstance(address, Path):
        write_old_store(address)
    else:
        await _open_and_close(address)
        database: FreshDatabase = request.getfixturevalue("postgres_database")
        age_store(database)


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def _open_and_close(address: StoreAddress) -> None:
    await (await ServiceStore.open(address, utc_now)).aclose()


async def test_data_of_the_first_version_is_whole_after_the_migration(
    request: pytest.FixtureRequest, store_address: StoreAddress
) -> None:
    await _age(store_address, request)
    store = await ServiceStore.open(store_address, utc_now)
    asked = await store.conversations.get(_MINE, "conv_asked")
    mine, other = [await store.conversations.page(who, 10, 0, "desc") for who in (_MINE, _OTHER)]
    calls = await store.replies.calls("msg_3")
    answered = await store.replies.answer("conv_asked", "call_3", "C")
    await store.aclose()
    assert asked is not None
    assert [message.content for message in asked.messages] == ["What is in them?", "One. Two."]
    assert _counts(mine) == (2, [("conv_asked", 2), ("conv_empty", 0)])
    assert _counts(other) == (1, [("conv_other", 1)])
    rounds = [(call.id, call.round, call.result) for call in calls]
    assert rounds == [("call_1", 0, "A"), ("call_2", 1, "B"), ("call_3", 2, None)]
    assert {(call.used_skills, call.hand_overs_left) for call in calls} == {((), 0)}
    assert answered is not None
    assert (answered.state, answered.result) == ("answered", "C")


def _counts(page: Page) -> tuple[int, list[tuple[str, int]]]:
    return page.total, [(row.id, row.message_count) for row in page.rows]


async def test_notice_in_a_reply_of_an_older_version_is_found_by_the_migration(
    request: pytest.FixtureRequest, store_address: StoreAddress
) -> None:
    notice = (
        "*This model has too little room for skills, some of the tools and the agent’s "
        "instructions, so it answers without them.*"
    )
    other = "*This model takes no tools, so it answers without them.*"
    await _age(store_address, request)
    statement = f"UPDATE messages SET content = 'é.\n\n{notice}\n\nNo. {other}' WHERE id = 'msg_3'"  # noqa: S608
    if isinstance(store_address, Path):
        with closing(sqlite3.connect(store_address / FILE)) as database:
            database.executescript(statement)
    else:
        request.getfixturevalue("postgres_database").run(statement)
    store = await ServiceStore.open(store_address, utc_now)
    asked = await store.conversations.get(_MINE, "conv_asked")
    await store.aclose()
    assert asked is not None
    assert [message.notices for message in asked.messages] == [
        (),
        (
            Notice(4, len(notice), ("skills", "some_tools", "instructions")),
            Notice(4 + len(notice) + 6, len(other), ("tools_not_taken",)),
        ),
    ]


async def test_data_recorded_with_a_released_version_is_whole(
    request: pytest.FixtureRequest, store_address: StoreAddress
) -> None:
    if isinstance(store_address, Path):
        write_recorded_store(store_address)
    else:
        load_recorded_store(request.getfixturevalue("postgres_database"))
    store = await ServiceStore.open(store_address, utc_now)
    mine, other = [await store.conversations.page(who, 10, 0, "asc") for who in (_MINE, _OTHER)]
    asked = await store.conversations.get(_MINE, mine.rows[-1].id)
    odd = await store.conversations.get(_OTHER, other.rows[0].id)
    calls = await store.replies.calls("msg_3")
    keys = await store.keys.list()
    added = await store.replies.accept(
        _MINE, mine.rows[-1].id, Message("msg_4", "user", "And now?", utc_now())
    )
    await store.aclose()
    assert asked is not None
    assert odd is not None
    assert [message.content for message in asked.messages] == ["What is in them?", "One moment."]
    assert [message.content for message in odd.messages] == ["Odd words: 💬 ' \\ \""]
    assert [row.message_count for row in (*mine.rows, *other.rows)] == [0, 2, 1]
    assert [(call.state, call.result) for call in calls] == [("answered", "A"), ("queued", None)]
    assert {(call.used_skills, call.hand_overs_left) for call in calls} == {(("weekly",), 2)}
    assert {(key.owner, key.revoked_at is None) for key in keys} == {(_MINE, True), (_OTHER, False)}
    assert added


async def test_migrated_database_has_the_shape_of_a_new_one(
    request: pytest.FixtureRequest,
    postgres_server: RunningPostgres,
    tmp_path: Path,
    store_address: StoreAddress,
) -> None:
    await _age(store_address, request)
    migrated = await _shape(store_address)
    if isinstance(store_address, Path):
        new = await _shape(tmp_path / "new")
    else:
        with postgres_server.fresh_database() as database:
            new = await _shape(PostgresAddress.parse(database.url))
    assert migrated == new


async def _shape(address: StoreAddress) -> dict[str, object]:
    """Open a store, and describe each table of its database, whatever its columns' order."""
    store = await ServiceStore.open(address, utc_now)
    shape = await store.database.read(_describe)
    await store.aclose()
    return shape


def _describe(connection: Connection) -> dict[str, object]:
    database = inspect(connection)
    return {
        table: (
            sorted(
                (column["name"], repr(column["type"]), column["nullable"], column["default"])
                for column in database.get_columns(table)
            ),
            database.get_pk_constraint(table)["constrained_columns"],
            sorted(map(repr, database.get_indexes(table))),
            sorted(repr(key["column_names"]) for key in database.get_unique_constraints(table)),
            sorted(map(repr, database.get_foreign_keys(table))),
        )
        for table in sorted(database.get_table_names())
    }


def test_each_shape_since_the_first_has_its_step() -> None:
    assert list(STEPS) == list(range(2, SCHEMA_VERSION + 1))


async def test_old_database_is_copied_before_it_is_changed_for_its_owner_alone(
    tmp_path: Path,
) -> None:
    before = dump(write_old_store(tmp_path))
    await _open_and_close(tmp_path)
    backup = tmp_path / _BACKUP
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert dump(backup) == before
    assert dump(tmp_path / FILE) != before
    assert _names(tmp_path) == {FILE, _BACKUP}


async def test_database_that_is_new_or_up_to_date_is_not_copied(tmp_path: Path) -> None:
    for _ in range(2):
        await _open_and_close(tmp_path)
    assert _names(tmp_path) == {FILE}


def test_copies_of_the_latest_three_shapes_are_kept(tmp_path: Path) -> None:
    backups = Backups(write_old_store(tmp_path))
    for revision in (8, 9, 10, 11):
        backups.make(revision)
    kept = _names(tmp_path) - {FILE}
    assert kept == {f"parley-server.revision-{n}.sqlite3" for n in (9, 10, 11)}


@pytest.mark.spec("3-delete-is-final")
async def test_deleted_conversation_is_deleted_from_backups(tmp_path: Path) -> None:
    write_old_store(tmp_path)
    store = await ServiceStore.open(tmp_path, utc_now)
    copied = b"vineyard" in (tmp_path / _BACKUP).read_bytes()
    is_deleted = await store.conversations.delete(_OTHER, "conv_other")
    left = [(tmp_path / name).read_bytes() for name in _names(tmp_path)]
    await store.aclose()
    assert (copied, is_deleted) == (True, True)
    assert not any(b"vineyard" in content for content in left)
    assert "conv_asked" in dump(tmp_path / _BACKUP)


@pytest.mark.spec("3-delete-is-final")
async def test_copy_in_which_nothing_can_be_deleted_goes_as_a_whole(tmp_path: Path) -> None:
    write_old_store(tmp_path)
    store = await ServiceStore.open(tmp_path, utc_now)
    (tmp_path / _BACKUP).write_bytes(b"the secret of the vineyard, damaged" * 100)
    await store.conversations.delete(_OTHER, "conv_other")
    await store.aclose()
    assert not (tmp_path / _BACKUP).exists()


# In the way of the last statements, long after the first.
_IN_THE_WAY = "CREATE INDEX tool_calls_by_message ON messages (role)"


async def test_migration_that_fails_leaves_the_old_state_and_says_so(tmp_path: Path) -> None:
    path = write_old_store(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(_IN_THE_WAY)
    before = dump(path)
    with pytest.raises(DatabaseError, match="cannot be used"):
        await ServiceStore.open(tmp_path, utc_now)
    assert dump(path) == before


async def test_migration_that_fails_leaves_the_old_state_in_postgresql_too(
    postgres_database: FreshDatabase,
) -> None:
    address = PostgresAddress.parse(postgres_database.url)
    await _open_and_close(address)
    age_store(postgres_database)
    postgres_database.run(_IN_THE_WAY)
    with pytest.raises(DatabaseError, match="cannot be used"):
        await ServiceStore.open(address, utc_now)
    assert postgres_database.run("SELECT version FROM schema_version") == "1"
    assert postgres_database.run("SELECT to_regclass('owners') IS NULL") == "t"


@pytest.mark.parametrize(
    "stride", [3, pytest.param(1, marks=pytest.mark.long)], ids=["every-third", "every"]
)
async def test_migration_killed_at_a_step_leaves_the_data_whole(
    tmp_path: Path, stride: int
) -> None:
    before = dump(write_old_store(tmp_path / "whole"))
    await _open_and_close(tmp_path / "whole")
    after = dump(tmp_path / "whole" / FILE)
    left = {}
    for step in run_store_processes("die", tmp_path, str(stride)):
        left[step] = dump(tmp_path / step / FILE)
        await _open_and_close(tmp_path / step)
        assert dump(tmp_path / step / FILE) == after, step
        # What the killed one had begun to copy is gone as well.
        assert _names(tmp_path / step) <= {FILE, _BACKUP}, step
    assert len(left) > 25 / stride
    assert before in left.values()
    assert set(left.values()) <= {before, after}


def test_service_with_a_folder_does_without_the_driver_of_postgresql(tmp_path: Path) -> None:
    asyncio.run(_open_and_close(tmp_path))
    script = (
        "import asyncio, pathlib, sys\n"
        "from local_server.settings import utc_now\n"
        "from local_server.store.opening import ServiceStore\n"
        "asyncio.run(ServiceStore.open(pathlib.Path(sys.argv[1]), utc_now))\n"
        "sys.exit('asyncpg' in sys.modules)\n"
    )
    command = (sys.executable, "-W", "ignore", "-c", script, str(tmp_path))
    assert subprocess.run(command, check=False, timeout=20).returncode == 0
