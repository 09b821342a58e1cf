"""What is on the disk: private, versioned, and gone when it is deleted."""

import asyncio
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from local_server.settings import utc_now
from local_server.store.database import DatabaseError, StoreUnavailableError
from local_server.store.opening import ServiceStore
from local_server.store.records import Message, Owner
from local_server.store.replies import Draft
from tests.support.old_store import FILE, write_old_store
from tests.support.own_service import own_service
from tests.support.store_processes import run_store_processes

pytestmark = pytest.mark.anyio

_OWNER = Owner("tests", "live")


@pytest.mark.security(81)
async def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    store = await ServiceStore.open(folder, utc_now)
    await store.conversations.create(_OWNER)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    await store.aclose()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


@pytest.mark.security(81)
@pytest.mark.parametrize("make", [lambda _folder: None, write_old_store], ids=["new", "old"])
async def test_files_are_for_their_owner_alone_whatever_the_umask(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    folder = tmp_path / "data"
    make(folder)
    before = os.umask(0)
    try:
        store = await ServiceStore.open(folder, utc_now)
        await store.conversations.create(_OWNER)
        modes = [stat.S_IMODE(path.stat().st_mode) for path in _files(folder)]
        await store.aclose()
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(modes) == (3 if make is not write_old_store else 4)
    assert set(modes) == {0o600}


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_database_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    store = await ServiceStore.open(tmp_path, utc_now)
    await store.aclose()
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE schema_version SET version = version + 1")
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match="newer version"):
        await ServiceStore.open(tmp_path, utc_now)
    assert path.read_bytes() == before
    assert _files(tmp_path) == [path]


async def test_file_that_is_no_database_is_refused_with_words(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all " * 100)
    with pytest.raises(DatabaseError, match="are damaged"):
        await ServiceStore.open(tmp_path, utc_now)


@pytest.mark.expects_log("the store cannot be used: There is no room left for the database.")
async def test_full_disk_is_explained_and_reading_goes_on(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        body = {"conversation_id": conversation_id, "message": "word " * 100_000}
        await _limit_pages(service.store, 1)
        full = await service.client.post("/v1/chat/stream", json=body)
        page = await service.client.get("/v1/conversations")
        await _limit_pages(service.store, 2**30)
        await service.chat(conversation_id, "Hello")
        messages = await service.messages(conversation_id)
    assert full.status_code == 503
    assert full.json()["error"] == {
        "code": "unavailable",
        "message": "There is no room left for the database. Try again in a moment.",
    }
    assert page.json()["meta"]["total"] == 1
    assert messages[0]["content"] == "Hello"


async def _limit_pages(store: ServiceStore, pages: int) -> None:
    """Let the database grow to so many pages, on the one connection that requests in turn use."""
    await store.database.write(
        lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    )


def test_first_starts_at_once_all_find_the_same_store(tmp_path: Path) -> None:
    folders = [tmp_path / str(n) for n in range(15)]
    failed = run_store_processes("race", *folders)
    assert failed == []
    assert [_count(folder / FILE, "conversations") for folder in folders] == [4] * 15
    assert [_count(folder / FILE, "schema_version") for folder in folders] == [1] * 15


def _count(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        [number] = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - ours
        return int(number)


async def test_store_opened_again_has_what_it_had(tmp_path: Path) -> None:
    store = await ServiceStore.open(tmp_path, utc_now)
    made = await store.conversations.create(_OWNER)
    await store.aclose()
    store = await ServiceStore.open(tmp_path, utc_now)
    found = await store.conversations.get(_OWNER, made.id)
    await store.aclose()
    assert found == made


async def test_write_whose_caller_is_cancelled_happens_whole(tmp_path: Path) -> None:
    store = await ServiceStore.open(tmp_path, utc_now)
    made = await store.conversations.create(_OWNER)
    message = Message("msg_1", "user", "Hello", utc_now())
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(store.replies.accept(_OWNER, made.id, message))
        # By the time that this has read, the other one waits for its turn to write.
        await store.conversations.get(_OWNER, made.id)
        writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    found = await store.conversations.get(_OWNER, made.id)
    await store.aclose()
    assert found is not None
    assert [stored.content for stored in found.messages] == ["Hello"]


async def test_closed_store_says_so_and_has_let_its_threads_end(tmp_path: Path) -> None:
    others = set(threading.enumerate())
    store = await ServiceStore.open(tmp_path, utc_now)
    made = await store.conversations.create(_OWNER)
    await store.conversations.get(_OWNER, made.id)
    await store.aclose()
    left = [thread.name for thread in set(threading.enumerate()) - others]
    with pytest.raises(StoreUnavailableError, match="The database is closed"):
        await store.conversations.get(_OWNER, made.id)
    assert [name for name in left if name.startswith("database")] == []


async def test_many_writers_at_once_wait_for_each_other(tmp_path: Path) -> None:
    stores = [await ServiceStore.open(tmp_path, utc_now) for _ in range(2)]
    made = await stores[0].conversations.create(_OWNER)
    drafts = [Draft(made.id, f"msg_{n}", "words", utc_now()) for n in range(20)]
    await asyncio.gather(
        *(stores[n % 2].replies.save(draft) for n, draft in enumerate(drafts)),
        *(stores[n % 2].conversations.get(_OWNER, made.id) for n in range(20)),
    )
    found = await stores[0].conversations.get(_OWNER, made.id)
    for store in stores:
        await store.aclose()
    assert found is not None
    assert {message.id for message in found.messages} == {draft.message_id for draft in drafts}


@pytest.mark.spec("3-delete-is-final")
async def test_words_deleted_just_before_a_kill_are_gone_after_the_next_start(
    tmp_path: Path,
) -> None:
    killed = tmp_path / "killed"
    store = await ServiceStore.open(tmp_path / "data", utc_now)
    made = await store.conversations.create(_OWNER)
    message = Message("msg_1", "user", "the secret of the vineyard", utc_now())
    await store.replies.accept(_OWNER, made.id, message)
    delete = "DELETE FROM conversations"
    await store.database.write(lambda connection: connection.exec_driver_sql(delete))
    # What a process leaves that is killed before it empties the log.
    shutil.copytree(tmp_path / "data", killed)
    await store.aclose()
    before = b"".join(path.read_bytes() for path in _files(killed))
    store = await ServiceStore.open(killed, utc_now)
    after = b"".join(path.read_bytes() for path in _files(killed))
    await store.aclose()
    assert b"vineyard" in before
    assert b"vineyard" not in after


@pytest.mark.expects_log("still on the disk: Somebody has been reading")
async def test_deletion_counts_also_when_the_log_cannot_be_emptied_now(tmp_path: Path) -> None:
    store = await ServiceStore.open(tmp_path, utc_now)
    made = await store.conversations.create(_OWNER)
    impatient = "PRAGMA busy_timeout=0"
    await store.database.write(lambda connection: connection.exec_driver_sql(impatient))
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM conversations").fetchall()
        is_deleted = await store.conversations.delete(_OWNER, made.id)
    found = await store.conversations.get(_OWNER, made.id)
    await store.aclose()
    assert (is_deleted, found) == (True, None)
