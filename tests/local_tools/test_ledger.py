"""Every step is kept, in order, for good; words can be erased, nothing else can change."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from local_tools.ledger.chain import ChainEntry, Head, write_head
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import (
    CallFilter,
    CallKey,
    CallRecord,
    Decider,
    Decision,
    LedgerError,
    LedgerOrderError,
    Step,
    StepDetails,
)

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]
KEY = CallKey("home", "conversation", "call-1")
ALLOWED = StepDetails(decision=Decision.ALLOWED, decider=Decider.USER)
DENIED = StepDetails(decision=Decision.DENIED, decider=Decider.USER)
WORDS = "the words nobody else should read"


def noon() -> datetime:
    return datetime(2030, 1, 1, 12, tzinfo=UTC)


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Ledger]:
    ledger = Ledger(path, noon)
    try:
        await ledger.open()
        yield ledger
    finally:
        await ledger.close()


async def ask(ledger: Ledger, key: CallKey = KEY) -> CallRecord | None:
    return await ledger.ask(key, tool="read_file", digest="d1", input_text=f'{{"a":"{WORDS}"}}')


async def finish(ledger: Ledger, key: CallKey = KEY) -> None:
    """Take a call through all its steps."""
    assert await ask(ledger, key)
    await ledger.record(key, Step.DECIDED, ALLOWED)
    await ledger.record(key, Step.STARTED)
    await ledger.record(key, Step.FINISHED, StepDetails(status="ok", duration_ms=0), WORDS)
    await ledger.record(key, Step.RELEASED)
    await ledger.record(key, Step.POSTED)
    await ledger.record(key, Step.ACKNOWLEDGED)


async def only_call(ledger: Ledger) -> CallRecord:
    (call,) = await ledger.calls("home", "conversation")
    return call


async def test_a_call_is_read_back_as_it_stands(tmp_path: Path) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        await finish(ledger)
    async with opened(tmp_path / "ledger.db") as ledger:
        assert await only_call(ledger) == CallRecord(
            key=KEY,
            tool="read_file",
            digest="d1",
            step=Step.ACKNOWLEDGED,
            asked_at="2030-01-01T12:00:00.000+00:00",
            changed_at="2030-01-01T12:00:00.000+00:00",
            details=replace(ALLOWED, status="ok", duration_ms=0),
            reason="",
            input_text=f'{{"a":"{WORDS}"}}',
            result_text=WORDS,
        )
        assert (await ledger.verify()).state == "ok"


async def test_a_denied_call_keeps_the_reason_and_what_was_told(tmp_path: Path) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        await ask(ledger)
        await ledger.record(KEY, Step.DECIDED, DENIED, "not today")
        await ledger.record(KEY, Step.RELEASED, text="The user declined to run this tool.")
        call = await only_call(ledger)
    assert (call.details.decision, call.reason) == ("denied", "not today")
    assert call.result_text == "The user declined to run this tool."
    assert call.details.status is None


async def test_released_text_replaces_the_finished_one(tmp_path: Path) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        await ask(ledger)
        await ledger.record(KEY, Step.DECIDED, ALLOWED)
        await ledger.record(KEY, Step.STARTED)
        await ledger.record(KEY, Step.FINISHED, StepDetails(status="ok"), "all of it")
        assert (await only_call(ledger)).result_text == "all of it"
        await ledger.record(KEY, Step.RELEASED, text="a part")
        assert (await only_call(ledger)).result_text == "a part"


async def test_the_same_id_is_asked_once_whatever_became_of_it(tmp_path: Path) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        assert await ask(ledger)
        assert not await ask(ledger)
        for other in (replace(KEY, conversation_id="b"), replace(KEY, profile="b")):
            assert await ask(ledger, other)
    async with opened(tmp_path / "ledger.db") as ledger:
        assert not await ask(ledger)
        await ledger.erase("home", "conversation")
        assert not await ask(ledger)
        assert (await ledger.verify()).entry_count == 3


STEPS_BEFORE: dict[Step, tuple[Step, ...]] = {
    Step.ASKED: (),
    Step.DECIDED: (Step.DECIDED,),
    Step.STARTED: (Step.DECIDED, Step.STARTED),
    Step.FINISHED: (Step.DECIDED, Step.STARTED, Step.FINISHED),
    Step.RELEASED: (Step.DECIDED, Step.RELEASED),
    Step.POSTED: (Step.DECIDED, Step.RELEASED, Step.POSTED),
    Step.ACKNOWLEDGED: (Step.DECIDED, Step.RELEASED, Step.POSTED, Step.ACKNOWLEDGED),
}
LEGAL = {
    (Step.ASKED, Step.DECIDED),
    (Step.DECIDED, Step.STARTED),
    (Step.DECIDED, Step.RELEASED),
    (Step.STARTED, Step.FINISHED),
    (Step.FINISHED, Step.RELEASED),
    (Step.RELEASED, Step.POSTED),
    (Step.POSTED, Step.POSTED),
    (Step.POSTED, Step.ACKNOWLEDGED),
}


@pytest.mark.parametrize(("before", "step"), list(product(Step, Step)))
async def test_steps_come_in_their_order_only(tmp_path: Path, before: Step, step: Step) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        await ask(ledger)
        for earlier in STEPS_BEFORE[before]:
            await ledger.record(KEY, earlier, ALLOWED if earlier is Step.DECIDED else None)
        if (before, step) in LEGAL:
            await ledger.record(KEY, step, ALLOWED)
            assert (await only_call(ledger)).step is step
            return
        with pytest.raises(LedgerOrderError):
            await ledger.record(KEY, step, ALLOWED)
        assert (await only_call(ledger)).step is before


@pytest.mark.parametrize("decision", ["denied", "refused", "closed", None])
async def test_denied_call_cannot_start(tmp_path: Path, decision: Decision | None) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        await ask(ledger)
        await ledger.record(KEY, Step.DECIDED, StepDetails(decision=decision))
        with pytest.raises(LedgerOrderError, match="cannot be started when it is decided"):
            await ledger.record(KEY, Step.STARTED)


async def test_a_call_that_was_never_asked_has_no_steps(tmp_path: Path) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        with pytest.raises(LedgerOrderError, match="not asked"):
            await ledger.record(KEY, Step.DECIDED, ALLOWED)
        assert await ledger.calls("home", "conversation") == ()


async def test_pending_are_all_calls_without_an_acknowledgement(tmp_path: Path) -> None:
    keys = [replace(KEY, call_id=str(number)) for number in range(4)]
    async with opened(tmp_path / "ledger.db") as ledger:
        await ask(ledger, keys[0])
        await finish(ledger, keys[1])
        await ask(ledger, keys[2])
        await ledger.record(keys[2], Step.DECIDED, ALLOWED)
        await ledger.record(keys[2], Step.STARTED)
        await ask(ledger, replace(keys[3], profile="other"))
        await ask(ledger, replace(keys[3], conversation_id="deleted"))
        await ledger.erase("home", "deleted")
        found = await ledger.pending("home")
    assert [(call.key.call_id, call.step) for call in found] == [
        ("0", Step.ASKED), ("2", Step.STARTED),
    ]  # fmt: skip
    assert [call.is_interrupted for call in found] == [False, True]


async def test_pages_lead_from_the_newest_call_of_a_conversation_to_the_oldest(
    tmp_path: Path,
) -> None:
    conversation = CallFilter("home", ("conversation",))
    async with opened(tmp_path / "ledger.db") as ledger:
        for number in range(1, 4):
            await finish(ledger, replace(KEY, call_id=f"call-{number}"))
        await finish(ledger, replace(KEY, conversation_id="another"))
        newest = await ledger.page(conversation, limit=2)
        oldest = await ledger.page(conversation, newest.before, limit=2)
    assert [call.key.call_id for call in newest.calls] == ["call-3", "call-2"]
    assert [call.key.call_id for call in oldest.calls] == ["call-1"]
    assert oldest.before is None


async def test_entries_of_a_call_come_in_their_order_and_know_their_link_for_an_export(
    tmp_path: Path,
) -> None:
    call = CallFilter(KEY.profile, (KEY.conversation_id,), KEY.call_id)
    async with opened(tmp_path / "ledger.db") as ledger:
        await finish(ledger)
        await finish(ledger, replace(KEY, call_id="call-2"))
        first = await ledger.entries(call, limit=4)
        others = await ledger.entries(call, after=first[-1].entry.number)
        leaving = await ledger.entries(call, leaves=True)
    numbers = [item.entry.number for item in (*first, *others)]
    assert (len(first), numbers) == (4, [1, 2, 3, 4, 5, 6, 7])
    assert not any(item.link for item in first)
    assert all(item.link for item in leaving)


async def test_erased_text_is_nowhere_in_the_files(tmp_path: Path) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        await finish(ledger)
        await ask(ledger, replace(KEY, conversation_id="kept"))
        assert await ledger.erase("home", "conversation") == 2
        call = await only_call(ledger)
        assert (call.input_text, call.result_text, call.step) == (None, None, Step.ACKNOWLEDGED)
        verification = await ledger.verify()
        assert (verification.state, verification.erased_count) == ("erased", 2)
        await ledger.erase("home", "kept")
        assert WORDS.encode() not in contents(tmp_path)


def contents(folder: Path) -> bytes:
    return b"".join(item.read_bytes() for item in folder.iterdir())


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    ("statement", "broken_at"),
    [
        ("UPDATE entries SET details = '{}' WHERE number = 2", 2),
        ("UPDATE entries SET call_id = 'call-2' WHERE number = 3", 3),
        ("UPDATE entries SET at = '2030-01-01T12:00:00.001+00:00' WHERE number = 1", 1),
        ("UPDATE entries SET link = upper(link) WHERE number = 7", 7),
        ("UPDATE texts SET text = 'other' WHERE number = 4", 4),
        ("DELETE FROM entries WHERE number = 5", 5),
        ("DELETE FROM entries WHERE number = 7", 7),
        ("DELETE FROM entries WHERE number > 3", 4),
        ("DELETE FROM entries", 1),
    ],
)
async def test_every_change_behind_its_back_is_noticed(
    tmp_path: Path, statement: str, broken_at: int
) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await finish(ledger)
    change(path, statement)
    async with opened(path) as ledger:
        verification = await ledger.verify()
    assert (verification.state, verification.broken_at) == ("broken", broken_at)


async def test_a_cut_off_tail_stays_noticed_when_the_ledger_grows_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await finish(ledger)
    change(path, "DELETE FROM entries WHERE number > 5")
    async with opened(path) as ledger:
        await finish(ledger, replace(KEY, call_id="call-2"))
        verification = await ledger.verify()
    assert (verification.state, verification.broken_at) == ("broken", 7)


async def test_a_cut_off_tail_is_noticed_in_a_ledger_that_was_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await finish(ledger)
    async with opened(path) as ledger:
        await finish(ledger, replace(KEY, call_id="call-2"))
    change(path, "DELETE FROM entries WHERE number > 10")
    async with opened(path) as ledger:
        verification = await ledger.verify()
    assert (verification.state, verification.broken_at) == ("broken", 11)


async def test_a_missing_or_odd_note_of_the_end_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await finish(ledger)
        note = tmp_path / "ledger.db.head"
        note.write_text("{}")
        assert (await ledger.verify()).state == "broken"
        note.unlink()
        assert (await ledger.verify()).state == "broken"


async def test_a_note_that_lags_behind_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await ask(ledger)
        early = (tmp_path / "ledger.db.head").read_text()
        await ledger.record(KEY, Step.DECIDED, ALLOWED)
        (tmp_path / "ledger.db.head").write_text(early)
        assert (await ledger.verify()).state == "ok"


async def test_only_the_user_can_read_the_files(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ledger.db"
    async with opened(path) as ledger:
        await ask(ledger)
        modes = {stat.S_IMODE(item.stat().st_mode) for item in path.parent.iterdir()}
        assert modes == {0o600}
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert len(list(path.parent.iterdir())) == 4


async def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="The record of tool calls in"):
        async with opened(tmp_path / "file" / "ledger.db"):
            pass


async def test_a_newer_ledger_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await ask(ledger)
    change(path, "CREATE TABLE later (word TEXT)")
    change(path, "PRAGMA user_version = 99")
    with pytest.raises(LedgerError, match="newer version"):
        async with opened(path):
            pass


@pytest.mark.parametrize(
    ("step", "details"),
    [("decided", '{"decision":"postponed"}'), ("suspended", "{}")],
    ids=["value", "step"],
)
async def test_a_ledger_with_words_of_a_newer_version_is_left_alone(
    tmp_path: Path, step: str, details: str
) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await ask(ledger)
        await ledger.record(KEY, Step.DECIDED, ALLOWED)
    _write_as_newer_version(path, step, details)
    before = path.read_bytes()

    for _ in range(2):
        with pytest.raises(LedgerError, match="newer version"):
            async with opened(path):
                pass
    assert path.read_bytes() == before
    assert not any("damaged" in file.name for file in os.scandir(tmp_path))


def _write_as_newer_version(path: Path, step: str, details: str) -> None:
    """Put another last entry in place of the one there, chained as every program does it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        query = "SELECT * FROM entries ORDER BY number"
        first, last = connection.execute(query).fetchall()
        # Columns: number, profile, conversation_id, call_id, step, at, tool, digest, details, ...
        entry = replace(ChainEntry(*last[:10]), step=step, details=details)
        link = entry.link_after(first[10])
        connection.execute(
            "UPDATE entries SET step = ?, details = ?, link = ? WHERE number = ?",
            (step, details, link, entry.number),
        )
    write_head(path.with_name(f"{path.name}.head"), Head(entry.number, link))


async def test_additional_table_does_not_make_a_ledger_newer(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    async with opened(path) as ledger:
        await ask(ledger)
    change(path, "CREATE TABLE later (word TEXT)")
    async with opened(path) as ledger:
        assert (await ledger.verify()).state == "ok"


async def test_a_ledger_that_is_not_open_says_so(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.db")
    with pytest.raises(LedgerError, match="not open"):
        await ask(ledger)
    await ledger.close()


async def test_odd_words_are_kept(tmp_path: Path) -> None:
    async with opened(tmp_path / "ledger.db") as ledger:
        await ask(ledger)
        await ledger.record(KEY, Step.DECIDED, DENIED, "a\0b\ud800\n😀")
        assert (await only_call(ledger)).reason == "a\0b\ufffd\n😀"
        assert (await ledger.verify()).state == "ok"


def test_a_link_stays_what_it_was_when_earlier_versions_wrote_it() -> None:
    entry = ChainEntry(1, "zuhause", "gespräch", "call-1", "asked", "2030", "größe", "d", "{}", "")
    assert entry.link_after("0" * 64) == (
        "6d47e98de0318192c25009b56f94b6656a27663df9d4ed4d7c34f121b5254ece"
    )


WRITER = """
import asyncio, sys, uuid
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.steps import CallKey

async def write():
    ledger = Ledger(Path(sys.argv[2]))
    await ledger.open()
    while True:
        call_id = uuid.uuid4().hex
        key = CallKey("home", "conversation", call_id)
        await ledger.ask(key, tool="t", digest="d", input_text=call_id)
        print(call_id, flush=True)

asyncio.run(write())
"""


def written_until_killed(path: Path, count: int) -> list[str]:
    """Let a program write, kill it after `count` confirmations; gives all that it confirmed."""
    arguments = [sys.executable, "-c", WRITER, str(CHECKOUT), str(path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        confirmed = [program.stdout.readline().strip() for _ in range(count)]
        program.kill()
        return confirmed + program.stdout.read().split()


async def test_after_a_kill_every_step_that_was_confirmed_is_there(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    confirmed = [call_id for count in (1, 7, 40) for call_id in written_until_killed(path, count)]
    async with opened(path) as ledger:
        kept = [call.key.call_id for call in await ledger.calls("home", "conversation")]
        assert (await ledger.verify()).state == "ok"
    assert set(confirmed) <= set(kept)
    # One of each run may have been written without being confirmed.
    assert len(kept) <= len(confirmed) + 3
