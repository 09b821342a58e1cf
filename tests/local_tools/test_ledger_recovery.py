"""A damaged ledger: begun anew with what can be read of it, and nothing runs twice for that."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from local_tools.ledger.ledger import Ledger
from local_tools.ledger.ledger_report import verified
from local_tools.ledger.steps import CallKey, Decider, Decision, Step, StepDetails
from local_tools.recovery.files import PutAside

pytestmark = pytest.mark.anyio

KEY = CallKey("home", "conversation", "done-0")
ALLOWED = StepDetails(decision=Decision.ALLOWED, decider=Decider.USER)
_CALLS = 40
_PAGE_BYTES = 4096


def noon() -> datetime:
    return datetime(2030, 1, 1, 12, tzinfo=UTC)


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[tuple[Ledger, PutAside | None]]:
    ledger = Ledger(path, noon)
    try:
        aside = await ledger.open()
        yield ledger, aside
    finally:
        await ledger.close()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a record of calls that are over, of one that may run, and of one that asks."""
    made = tmp_path_factory.mktemp("filled")
    asyncio.run(_fill(made / "ledger.db"))
    return made


@pytest.fixture(autouse=True)
def _copy_to_damage(filled: Path, tmp_path: Path) -> None:
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)


async def _fill(path: Path) -> None:
    async with opened(path) as (ledger, _):
        for number in range(_CALLS):
            await _run(ledger, replace(KEY, call_id=f"done-{number}"))
        await _ask(ledger, replace(KEY, call_id="allowed"))
        await ledger.record(replace(KEY, call_id="allowed"), Step.DECIDED, ALLOWED)
        await _ask(ledger, replace(KEY, call_id="asking"))


async def _ask(ledger: Ledger, key: CallKey) -> None:
    await ledger.ask(key, tool="read_file", digest="d", input_text='{"path": "notes"}')


async def _run(ledger: Ledger, key: CallKey) -> None:
    await _ask(ledger, key)
    await ledger.record(key, Step.DECIDED, ALLOWED)
    await ledger.record(key, Step.STARTED)
    await ledger.record(key, Step.FINISHED, StepDetails(status="ok"), "result " * 30)
    for step in (Step.RELEASED, Step.POSTED, Step.ACKNOWLEDGED):
        await ledger.record(key, step)


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)


def overwrite(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * _PAGE_BYTES)
        file.write(b"\x00\xff" * (_PAGE_BYTES // 2))


async def test_recovered_ledger_continues_the_chain_if_every_entry_is_readable(
    tmp_path: Path,
) -> None:
    path = tmp_path / "ledger.db"
    overwrite(path, 0)
    damaged = path.read_bytes()

    async with opened(path) as (ledger, aside):
        calls = await ledger.calls("home", "conversation")
        found = await ledger.verify()

    assert aside == PutAside(tmp_path / "ledger.damaged-20300101T120000.db", is_salvaged=True)
    assert aside.path.read_bytes() == damaged
    assert len(calls) == _CALLS + 2
    assert calls[-1].step is Step.ASKED
    assert (found.state, found.begun_at) == ("ok", "")


async def test_entries_that_are_gone_leave_a_cut_that_checking_tells(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    entry_count = 7 * _CALLS + 3
    overwrite(path, 6)

    async with opened(path) as (ledger, aside):
        await _run(ledger, replace(KEY, call_id="later"))
        found = await ledger.verify()
    _, sentence = verified(path)

    assert aside is not None
    assert found.state == "ok"
    assert (found.begun_at, found.before_count) == ("2030-01-01T12:00:00.000+00:00", entry_count)
    assert _CALLS < found.kept_count < entry_count
    assert f"of {entry_count} entries, was damaged; {found.kept_count} of them" in sentence


async def test_nothing_runs_twice_because_entries_are_gone(tmp_path: Path) -> None:
    """What ended a call may be among what is gone, so that none is taken for one that waits."""
    path = tmp_path / "ledger.db"
    overwrite(path, 6)

    async with opened(path) as (ledger, _):
        calls = {call.key.call_id: call for call in await ledger.calls("home", "conversation")}

        assert calls["allowed"].is_interrupted
        assert calls["asking"].details.decision == "closed"
        assert not await ledger.ask(
            replace(KEY, call_id="allowed"), tool="read_file", digest="d", input_text="{}"
        )


@pytest.mark.parametrize(
    "tampering",
    [
        "DELETE FROM origin",
        "UPDATE origin SET before_count = 3",
        "UPDATE origin SET kept = kept + 1",
        "DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)",
    ],
)
async def test_the_cut_cannot_be_hidden_later(tmp_path: Path, tampering: str) -> None:
    path = tmp_path / "ledger.db"
    overwrite(path, 6)
    async with opened(path):
        pass

    change(path, f"PRAGMA foreign_keys = OFF; {tampering}")

    async with opened(path) as (ledger, _):
        assert (await ledger.verify()).state == "broken"


@pytest.mark.parametrize("content", [b"no database at all" * 99, b""], ids=["text", "empty"])
async def test_a_record_that_is_gone_is_named_by_the_new_one(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(content)

    async with opened(path) as (ledger, aside):
        found = await ledger.verify()
        await _run(ledger, KEY)
        assert (await ledger.verify()).state == "ok"

    assert aside is not None
    assert not aside.is_salvaged
    assert aside.path.read_bytes() == content
    assert (found.state, found.before_count, found.kept_count) == ("ok", 7 * _CALLS + 3, 0)


async def test_a_file_that_was_removed_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.unlink()

    async with opened(path) as (ledger, aside):
        found = await ledger.verify()

    assert aside is not None
    assert aside.path.exists()
    assert (found.state, found.before_count) == ("ok", 7 * _CALLS + 3)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET step = 'danced' WHERE number = 2",
        "UPDATE entries SET details = '{' WHERE number = 2",
        "UPDATE entries SET at = 'some day' WHERE number = 2",
    ],
)
async def test_an_entry_that_nobody_understands_is_left_out(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "ledger.db"
    change(path, damage)

    async with opened(path) as (ledger, aside):
        calls = await ledger.calls("home", "conversation")
        found = await ledger.verify()

    assert aside is not None
    assert len(calls) == _CALLS + 2
    assert (found.state, found.before_count - found.kept_count) == ("ok", 1)


@pytest.mark.security(33)
@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER x AFTER INSERT ON entries BEGIN DELETE FROM texts; END",
        "CREATE VIEW x AS SELECT * FROM entries",
    ],
)
async def test_a_record_in_which_something_foreign_would_run_is_put_aside(
    tmp_path: Path, planted: str
) -> None:
    path = tmp_path / "ledger.db"
    change(path, planted)

    async with opened(path) as (ledger, aside):
        await _run(ledger, replace(KEY, call_id="later"))
        calls = await ledger.calls("home", "conversation")
        found = await ledger.verify()

    assert aside is not None
    assert (len(calls), found.state, found.begun_at) == (_CALLS + 3, "ok", "")
    assert all(call.input_text for call in calls)


async def test_a_kill_before_the_new_record_is_in_its_place_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.rename(tmp_path / "ledger.db.ready")
    (tmp_path / "ledger.damaged-20300101T115900.db").write_bytes(b"damaged")

    async with opened(path) as (ledger, aside):
        calls = await ledger.calls("home", "conversation")

    assert aside == PutAside(tmp_path / "ledger.damaged-20300101T115900.db", is_salvaged=True)
    assert len(calls) == _CALLS + 2


@pytest.mark.security(33)
async def test_hostile_check_constraint_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    change(
        path,
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql,"
        " 'link TEXT NOT NULL', 'link TEXT NOT NULL CHECK (length(zeroblob(400000000)) > 0)')"
        " WHERE name = 'entries'",
    )
    async with opened(path) as (ledger, aside):
        assert aside is not None
        assert aside.is_salvaged
        assert len(await ledger.recent("home", _CALLS)) == _CALLS
