"""A damaged database of the service that the window starts: begun anew with what can be read."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from local_server.settings import utc_now
from local_server.store.database import DatabaseError
from local_server.store.opening import ServiceStore
from local_server.store.records import Owner
from local_server.store.recovery import recover_if_damaged
from tests.support import damage
from tests.support.old_store import FILE, write_old_store
from tests.support.service import launch_line, listening_socket, read_line, write_line

pytestmark = pytest.mark.anyio

_OWNER = Owner("local", "live")
_CONVERSATIONS = 30
_MESSAGES = 10


async def _fill(folder: Path) -> None:
    store = await ServiceStore.open(folder, utc_now)
    made = [await store.conversations.create(_OWNER) for _ in range(_CONVERSATIONS)]
    await store.aclose()
    with closing(sqlite3.connect(folder / FILE)) as connection, connection:
        for conversation in made:
            for number in range(_MESSAGES):
                connection.execute(
                    "INSERT INTO messages (id, conversation_id, role, content, created_at)"
                    " VALUES (?, ?, 'user', ?, 1700000000000000)",
                    (f"{conversation.id}-{number}", conversation.id, "word " * 40),
                )


def _count(folder: Path, query: str) -> int:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        (count,) = connection.execute(query).fetchone()
        return int(count)


async def test_a_database_that_is_whole_is_left_alone(tmp_path: Path) -> None:
    assert recover_if_damaged(tmp_path, utc_now()) is None
    await _fill(tmp_path)
    before = (tmp_path / FILE).read_bytes()

    assert recover_if_damaged(tmp_path, utc_now()) is None
    assert (tmp_path / FILE).read_bytes() == before


async def test_a_database_of_the_first_version_is_whole(tmp_path: Path) -> None:
    write_old_store(tmp_path)

    assert recover_if_damaged(tmp_path, utc_now()) is None


@pytest.mark.parametrize("how", [damage.page(0), damage.overwritten(0, 100)])
async def test_readable_rows_are_in_the_new_database(tmp_path: Path, how: damage.Damage) -> None:
    await _fill(tmp_path)
    how(tmp_path / FILE)
    damaged = (tmp_path / FILE).read_bytes()

    found = recover_if_damaged(tmp_path, utc_now())
    store = await ServiceStore.open(tmp_path, utc_now)
    await store.aclose()

    assert found is not None
    assert found.is_salvaged
    assert found.path.read_bytes() == damaged
    assert _count(tmp_path, "SELECT count(*) FROM messages") == _CONVERSATIONS * _MESSAGES
    assert _count(tmp_path, "SELECT conversation_count FROM owners") == _CONVERSATIONS


async def test_a_conversation_comes_back_from_its_messages(tmp_path: Path) -> None:
    await _fill(tmp_path)
    damage.said("UPDATE conversations SET mode = 'dancing' WHERE rowid <= 3")(tmp_path / FILE)

    found = recover_if_damaged(tmp_path, utc_now())

    assert found is not None
    query = "SELECT count(*) FROM conversations WHERE message_count > 0"
    assert _count(tmp_path, query) == _CONVERSATIONS
    assert _count(tmp_path, "SELECT conversation_count FROM owners") == _CONVERSATIONS


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE messages SET created_at = 'some day' WHERE seq = 1",
        "UPDATE messages SET role = 'dancer' WHERE seq = 1",
        "UPDATE messages SET content = x'ff' WHERE seq = 1",
    ],
)
async def test_a_row_that_nobody_understands_is_left_out(tmp_path: Path, statement: str) -> None:
    await _fill(tmp_path)
    damage.said(statement)(tmp_path / FILE)

    assert recover_if_damaged(tmp_path, utc_now()) is not None

    assert _count(tmp_path, "SELECT count(*) FROM messages") == _CONVERSATIONS * _MESSAGES - 1


@pytest.mark.parametrize(
    "notices", ["", "{", "{}", "[1]", "[[1]]", '[[-1, 2, ["skills"]]]', '[[0, 2, ["dances"]]]']
)
async def test_notices_that_nobody_understands_cost_no_message(
    tmp_path: Path, notices: str
) -> None:
    await _fill(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        connection.execute("UPDATE messages SET notices = ? WHERE seq = 1", (notices,))

    assert recover_if_damaged(tmp_path, utc_now()) is None

    store = await ServiceStore.open(tmp_path, utc_now)
    page = await store.conversations.page(_OWNER, _CONVERSATIONS, 0, "asc")
    found = [await store.conversations.get(_OWNER, row.id) for row in page.rows]
    await store.aclose()
    read = [message for one in found if one for message in one.messages]
    assert len(read) == _CONVERSATIONS * _MESSAGES
    assert {message.notices for message in read} == {()}


@pytest.mark.security(33)
async def test_hostile_check_constraint_fills_no_memory(tmp_path: Path) -> None:
    await _fill(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE (id)',"
            " 'CHECK (length(hex(zeroblob(400000000))) > 0), UNIQUE (id)') WHERE name = 'messages'"
        )

    found = recover_if_damaged(tmp_path, utc_now())

    assert found is not None
    assert _count(tmp_path, "SELECT count(*) FROM conversations") == _CONVERSATIONS
    assert _count(tmp_path, "SELECT count(*) FROM messages") == _CONVERSATIONS * _MESSAGES


async def test_a_newer_database_is_left_to_be_refused(tmp_path: Path) -> None:
    await _fill(tmp_path)
    damage.said("UPDATE schema_version SET version = version + 1")(tmp_path / FILE)

    assert recover_if_damaged(tmp_path, utc_now()) is None
    with pytest.raises(DatabaseError, match="newer version"):
        await ServiceStore.open(tmp_path, utc_now)


async def test_the_ready_line_of_a_child_tells_of_it(tmp_path: Path) -> None:
    await _fill(tmp_path)
    damage.overwritten(0, 100)(tmp_path / FILE)

    ready = await asyncio.to_thread(_ready_line, tmp_path)

    told = ready["put_aside"]
    assert told["is_salvaged"] is True
    assert told["path"] in _damaged_in(tmp_path)


def _damaged_in(folder: Path) -> set[str]:
    return {str(path) for path in folder.glob("parley-server.damaged-*")}


def _ready_line(folder: Path) -> dict[str, dict[str, str | bool]]:
    bound = listening_socket()
    command = (sys.executable, "-m", "local_server.cli", "serve", "--child", "--data-dir")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, str(folder), "--fd", str(bound.fileno())],
        stdin=pipe,
        stdout=pipe,
        pass_fds=(bound.fileno(),),
    ) as process:
        write_line(process, launch_line("pk_live_" + "k" * 40, "s" * 40))
        ready: dict[str, dict[str, str | bool]] = json.loads(read_line(process, lambda _line: True))
        process.communicate(timeout=20)
    bound.close()
    return ready
