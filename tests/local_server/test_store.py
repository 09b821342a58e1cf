"""What is on the disk: private, versioned, and gone when it is deleted."""

import asyncio
import sqlite3
import stat
from pathlib import Path

import pytest

from local_server.clock import utc_now
from local_server.store.database import StoreError
from local_server.store.records import Message, Owner
from local_server.store.replies import Draft
from local_server.store.store import Store

pytestmark = pytest.mark.anyio

_OWNER = Owner("tests", "live")


@pytest.mark.security(81)
async def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    store = await Store.open(folder, utc_now)
    await store.conversations.create(_OWNER)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    await store.aclose()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(modes) == 3
    assert set(modes.values()) == {0o600}


async def test_database_of_a_newer_version_is_refused_with_words(tmp_path: Path) -> None:
    store = await Store.open(tmp_path, utc_now)
    await store.aclose()
    path = tmp_path / "parley-server.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE schema_version SET version = version + 1")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer version"):
        await Store.open(tmp_path, utc_now)
    assert path.read_bytes() == before


async def test_first_starts_at_once_all_find_the_same_store(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "parley-server.sqlite3")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    stores = await asyncio.gather(*(Store.open(tmp_path, utc_now) for _ in range(8)))
    made = await stores[0].conversations.create(_OWNER)
    found = [await store.conversations.get(_OWNER, made.id) for store in stores]
    for store in stores:
        await store.aclose()
    assert found == [made] * 8


async def test_store_opened_again_has_what_it_had(tmp_path: Path) -> None:
    store = await Store.open(tmp_path, utc_now)
    made = await store.conversations.create(_OWNER)
    await store.aclose()
    store = await Store.open(tmp_path, utc_now)
    found = await store.conversations.get(_OWNER, made.id)
    await store.aclose()
    assert found == made


async def test_write_whose_caller_is_cancelled_happens_whole(tmp_path: Path) -> None:
    store = await Store.open(tmp_path, utc_now)
    made = await store.conversations.create(_OWNER)
    message = Message("msg_1", "user", "Hello", utc_now())
    async with store.database.writing():
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


async def test_many_writers_at_once_wait_for_each_other(tmp_path: Path) -> None:
    stores = [await Store.open(tmp_path, utc_now) for _ in range(2)]
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
