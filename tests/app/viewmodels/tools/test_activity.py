"""What tools did, as the Activity panel lists, tells, checks and exports it."""

import json
import os
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, fields
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex
from pytestqt.modeltest import ModelTester

from app.chat.call_log import CallLog
from app.chat.items import CallState
from app.store.store import ProfileStore, Store
from app.viewmodels.tools.activity import ActivityFilter, ActivityViewModel
from local_tools.execution.outputs import OutputFiles
from local_tools.ledger.chain import START, ChainEntry
from local_tools.ledger.ledger import Ledger
from local_tools.ledger.ledger_report import exported
from local_tools.ledger.steps import (
    INTERRUPTED_TEXT,
    CallKey,
    Decider,
    Decision,
    ReleaseKind,
    Step,
    StepDetails,
)
from local_tools.outcome import OutcomeStatus
from local_tools.paths.beneath import Root
from local_tools.registry import ToolRegistry
from local_tools.undo.undo import RecordFolder, UndoRecord, UndoStore
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio

PROFILE = "home"
ALLOWED = StepDetails(decision=Decision.ALLOWED, decider=Decider.USER)
BY_RULE = StepDetails(decision=Decision.ALLOWED, decider=Decider.FOLDER_RULE, rule_id="1f2e")
DENIED = StepDetails(decision=Decision.DENIED, decider=Decider.USER)


@dataclass(frozen=True)
class ActivityFixture:
    """What tools did, and what shows it; nothing is read before `activity.attend`."""

    ledger: Ledger
    store: ProfileStore
    undo: UndoStore
    call_log: CallLog
    activity: ActivityViewModel

    async def asks(
        self, call_id: str, tool: str, input_text: str, conversation_id: str = "c1"
    ) -> CallKey:
        """Return the assistant wants this."""
        key = CallKey(PROFILE, conversation_id, call_id)
        await self.ledger.ask(key, tool=tool, digest="d", input_text=input_text)
        return key

    async def ran(
        self,
        key: CallKey,
        decided: StepDetails = ALLOWED,
        result: str = "Done.",
        *,
        status: OutcomeStatus = "ok",
        released: str = "",
        way: StepDetails | None = None,
    ) -> None:
        """Record a call that was allowed and ran, and whose result the service took."""
        await self.ledger.record(key, Step.DECIDED, decided)
        await self.ledger.record(key, Step.STARTED)
        details = StepDetails(status=status, duration_ms=4)
        await self.ledger.record(key, Step.FINISHED, details, result)
        await self.ledger.record(key, Step.RELEASED, way, released)
        await self.ledger.record(key, Step.POSTED)
        await self.ledger.record(key, Step.ACKNOWLEDGED)

    async def was_denied(self, key: CallKey, reason: str = "") -> None:
        """Record a call that the person declined."""
        await self.ledger.record(key, Step.DECIDED, DENIED, reason)
        await self.ledger.record(key, Step.RELEASED, text="The user declined.")


def _versions_of(conversation_id: str) -> tuple[str, ...]:
    """Return the conversations of one chat; "c1-edited" is a version of "c1"."""
    root = conversation_id.removesuffix("-edited")
    return root, f"{root}-edited"


async def _nobody() -> None:
    """Stand in for the chats that show which calls were undone."""


@asynccontextmanager
async def activity_stage(folder: Path) -> AsyncIterator[ActivityFixture]:
    """Open a record that lies in `folder`, and show it."""
    store, ledger = Store(folder / "store.db"), Ledger(folder / "ledger.db")
    await store.open()
    await ledger.open()
    undo, activity = UndoStore(folder / "undo"), ActivityViewModel()
    profile = store.profile(PROFILE)
    registry = ToolRegistry.built_in()
    outputs = OutputFiles(folder / "undo")
    call_log = CallLog(
        PROFILE, ledger, profile.turns, registry, undo, outputs, _versions_of, _nobody
    )
    activity.show(call_log)
    try:
        yield ActivityFixture(ledger, profile, undo, call_log, activity)
    finally:
        await activity.aclose()
        await ledger.close()
        await store.close()


async def _look(stage: ActivityFixture, conversation_id: str = "c1") -> ActivityViewModel:
    activity = stage.activity
    activity.show_chat(conversation_id)
    loaded = emitted(activity.loaded)
    activity.set_visible(is_visible=True)
    await loaded
    return activity


async def _lists(stage: ActivityFixture, chosen: ActivityFilter) -> list[str]:
    loaded = emitted(stage.activity.loaded)
    stage.activity.list_only(chosen)
    await loaded
    return [row.target for row in stage.activity.rows.rows]


async def _three_calls(stage: ActivityFixture) -> CallKey:
    listed = await stage.asks("call-1", "list_folder", '{"path":"~/notes"}')
    await stage.ran(listed, BY_RULE)
    push = await stage.asks("call-2", "run_command", '{"argv":["git","push","--force"]}')
    await stage.was_denied(push, "not today")
    await stage.asks("call-3", "write_file", '{"content":"x","path":"~/notes/a.md"}')
    return push


async def test_calls_are_listed_newest_first_with_who_decided(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        await _three_calls(stage)

        activity = await _look(stage)

        rows = activity.rows.rows
        assert [(row.title, row.target, row.state) for row in rows] == [
            ("Write file", "~/notes/a.md", CallState.WAITING),
            ("Run command", "git push --force", CallState.DENIED),
            ("List folder", "~/notes", CallState.DONE),
        ]
        assert rows[0].words == "waiting for you"
        assert re.fullmatch(r"denied by you · \d\d:\d\d", rows[1].words)
        assert re.fullmatch(r"allowed · folder rule · 4 ms · \d\d:\d\d", rows[2].words)


async def test_only_what_fits_is_listed(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        await _three_calls(stage)
        await stage.asks("call-1", "list_folder", '{"path":"~/elsewhere"}', conversation_id="c2")
        await _look(stage)

        assert await _lists(stage, ActivityFilter(tool="run_command")) == ["git push --force"]
        assert await _lists(stage, ActivityFilter(decision="rule")) == ["~/notes"]
        assert await _lists(stage, ActivityFilter(decision="you")) == []
        assert await _lists(stage, ActivityFilter(decision="denied")) == ["git push --force"]
        assert await _lists(stage, ActivityFilter(decision="waiting")) == ["~/notes/a.md"]
        assert await _lists(stage, ActivityFilter(text="A.MD")) == ["~/notes/a.md"]
        every = ActivityFilter(is_all_chats=True, tool="list_folder")
        assert await _lists(stage, every) == ["~/elsewhere", "~/notes"]


async def test_version_lists_the_calls_of_its_whole_chat(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        await stage.asks("call-1", "list_folder", '{"path":"~/notes"}')
        await stage.asks("call-1", "list_folder", '{"path":"~/elsewhere"}', conversation_id="c2")
        activity = await _look(stage, "c1-edited")
        assert [row.target for row in activity.rows.rows] == ["~/notes"]

        inserted = emitted(activity.rows.rowsInserted)
        await stage.asks("call-2", "list_folder", '{"path":"~/more"}')
        await inserted
        assert [row.target for row in activity.rows.rows] == ["~/more", "~/notes"]


async def test_report_about_a_call_is_taken_back_with_its_chat(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        key = await stage.asks("call-1", "write_file", '{"path":"~/notes/a.md"}')
        activity = await _look(stage)
        reports: list[tuple[str, bool]] = []
        activity.reported.connect(lambda words, is_bad: reports.append((words, is_bad)))
        activity.open(key)
        reported = emitted(activity.reported)
        activity.undo()
        await reported
        activity.show_chat("c2")
        assert reports[-1] == ("", False)


async def test_a_call_that_goes_on_is_followed_while_the_list_is_seen(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        activity = await _look(stage)
        inserted = emitted(activity.rows.rowsInserted)
        key = await stage.asks("call-1", "current_time", "{}")
        await inserted
        assert activity.rows.rows[0].words == "waiting for you"

        changed = emitted(activity.rows.dataChanged)
        await stage.ledger.record(key, Step.DECIDED, ALLOWED)
        await stage.ledger.record(key, Step.STARTED)
        await changed
        while activity.rows.rows[0].words != "running":
            await emitted(activity.rows.dataChanged)
        await stage.ledger.record(
            key, Step.FINISHED, StepDetails(status="ok", duration_ms=7), "Noon"
        )
        # What it gave back has not left yet.
        while activity.rows.rows[0].words != "waiting for you":
            await emitted(activity.rows.dataChanged)
        await stage.ledger.record(key, Step.RELEASED)
        while "allowed by you · 7 ms" not in activity.rows.rows[0].words:
            await emitted(activity.rows.dataChanged)

        activity.list_only(ActivityFilter(decision="denied"))
        await stage.ledger.record(key, Step.POSTED)
        assert activity.rows.rowCount() == 0


@pytest.mark.parametrize(
    ("ended", "text"),
    [
        (StepDetails(status="stopped", duration_ms=0), "Error: stopped by the user"),
        (StepDetails(status="crashed", duration_ms=0), INTERRUPTED_TEXT),
    ],
)
async def test_a_call_that_was_stopped_or_left_behind_waits_for_nobody(
    tmp_path: Path, ended: StepDetails, text: str
) -> None:
    async with activity_stage(tmp_path) as stage:
        key = await stage.asks("call-1", "run_command", '{"argv":["sleep","9"]}')
        await stage.ledger.record(key, Step.DECIDED, ALLOWED)
        await stage.ledger.record(key, Step.STARTED)
        await stage.ledger.record(key, Step.FINISHED, ended, text)
        await stage.ledger.record(key, Step.RELEASED)

        (row,) = (await _look(stage)).rows.rows

        assert row.state is CallState.INTERRUPTED
        assert row.words.startswith("allowed by you · interrupted · ")


async def test_everything_about_a_call_is_reported(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        activity = await _look(stage)
        key = await stage.asks("call-1", "read_file", '{"path":"a.txt"}')
        await stage.ran(
            key,
            result="the whole text",
            released="a part of it",
            way=StepDetails(release=ReleaseKind.MASKED),
        )

        told = emitted(activity.details_changed)
        activity.open(key)
        (view,) = await told

        assert view.input_text == '{"path":"a.txt"}'
        assert (view.result, view.sent) == ("the whole text", "a part of it")
        names = [name for name, _ in view.steps]
        assert names == ["Asked", "Decided", "Started", "Finished", "Released", "Sent", "Received"]
        assert view.remarks == ("You sent the result with its secrets masked.",)
        assert not view.can_undo
        assert view.undo_words == ""


async def test_call_that_ran_with_another_input_is_reported_with_that(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        activity = await _look(stage)
        key = await stage.asks("call-1", "read_file", '{"path":"a.txt"}')
        edited = StepDetails(decision=Decision.EDITED, decider=Decider.USER)
        await stage.ledger.record(key, Step.DECIDED, edited, '{"path":"b.txt"}')

        told = emitted(activity.details_changed)
        activity.open(key)
        (view,) = await told

        assert view.input_text == '{"path":"b.txt"}'


@pytest.mark.parametrize(
    ("details", "words"),
    [
        (StepDetails(release=ReleaseKind.KEPT_BACK), "not sent"),
        (StepDetails(release=ReleaseKind.MASKED, masked=2), "sent with 2 secrets masked"),
        (StepDetails(release=ReleaseKind.MASKED), "sent with secrets masked"),
        (StepDetails(release=ReleaseKind.PART), "partly sent"),
        (StepDetails(release=ReleaseKind.AS_IS), ""),
    ],
)
async def test_row_of_a_call_says_what_was_kept_of_its_result(
    tmp_path: Path, details: StepDetails, words: str
) -> None:
    async with activity_stage(tmp_path) as stage:
        key = await stage.asks("call-1", "read_file", '{"path":"a.txt"}')
        await stage.ran(key, released="told", way=details)

        (row,) = (await _look(stage)).rows.rows

        between = f" · {words} · " if words else " · "
        assert row.words.startswith(f"allowed by you{between}4 ms · ")


async def test_verdict_does_not_outlive_what_is_recorded_after_it(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        said = emitted(stage.activity.reported)
        stage.activity.verify()
        assert await said == ("The record is intact: 0 calls.", False)

        said = emitted(stage.activity.reported)
        await stage.asks("call-1", "current_time", "{}")
        assert await said == ("", False)


async def test_call_that_cannot_be_undone_shows_the_reason(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        activity = await _look(stage)
        key = await stage.asks("call-1", "write_file", '{"path":"a.txt","content":"x"}')
        await stage.ran(key)
        told = emitted(activity.details_changed)
        activity.open(key)
        (view,) = await told
        assert view.undo_words == "Could not undo: No copy of the earlier contents was kept."

        said = emitted(activity.reported)
        activity.undo()

        assert await said == ("No copy of the earlier contents was kept.", True)


async def test_undone_call_is_marked_as_undone(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        activity = await _look(stage)
        key = await stage.asks("call-1", "write_file", '{"path":"a.txt","content":"x"}')
        await stage.ran(key)
        folder = RecordFolder(tmp_path / "undo", key)
        folder.path.mkdir(parents=True)
        root = Root(str(tmp_path), 0, 0)
        folder.write(UndoRecord("write_file", root, (), is_undone=True))

        told = emitted(activity.details_changed)
        activity.open(key)
        (view,) = await told

        assert (view.can_undo, view.undo_words) == (False, "Undone")
        assert "undone" in view.row.words


async def test_checking_says_whether_the_record_is_whole(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        await _three_calls(stage)
        said = emitted(stage.activity.reported)
        stage.activity.verify()
        assert await said == ("The record is intact: 3 calls.", False)

        await stage.ledger.erase("home", "c1")
        said = emitted(stage.activity.reported)
        stage.activity.verify()
        words, is_bad = await said
        assert words.startswith("The record is intact: 3 calls.")
        assert "Only the text of deleted chats is gone" in words
        assert not is_bad

        with closing(sqlite3.connect(tmp_path / "ledger.db")) as spoilt, spoilt:
            spoilt.execute("UPDATE entries SET tool = 'run_shell' WHERE number = 3")
        said = emitted(stage.activity.reported)
        stage.activity.verify()
        assert await said == ("The record is damaged at entry 3.", True)


async def test_the_record_is_exported_as_lines_of_json(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        await _three_calls(stage)
        await stage.asks("call-9", "current_time", "{}", conversation_id="c2")
        stage.activity.show_chat("c1")
        file = tmp_path / "activity.jsonl"

        done = emitted(stage.activity.work_changed)
        stage.activity.export(file)
        (work,) = await done

        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        assert {line["conversation_id"] for line in lines} == {"c1"}
        assert lines[0]["step"] == "asked"
        assert json.loads(lines[0]["text"]) == {"path": "~/notes"}
        assert "11 steps exported to activity.jsonl." in work.words


async def test_withheld_or_masked_text_is_in_no_export(tmp_path: Path) -> None:
    async with activity_stage(tmp_path) as stage:
        kept, masked = (
            StepDetails(release=ReleaseKind.KEPT_BACK),
            StepDetails(release=ReleaseKind.MASKED, masked=1),
        )
        for call_id, way in (("kept", kept), ("masked", masked), ("held", None)):
            key = await stage.asks(call_id, "read_file", '{"path":"a"}')
            if way is None:
                await stage.ledger.record(key, Step.DECIDED, ALLOWED)
                await stage.ledger.record(key, Step.STARTED)
                await stage.ledger.record(key, Step.FINISHED, text="hunter2")
            else:
                await stage.ran(key, result="hunter2", released=f"told {call_id}", way=way)
        await stage.ran(await stage.asks("sent", "read_file", '{"path":"b"}'), result="noon")
        file = tmp_path / "activity.jsonl"
        stage.activity.show_chat("c1")

        done = emitted(stage.activity.work_changed)
        stage.activity.export(file)
        (work,) = await done

        text = file.read_text(encoding="utf-8")
        assert "hunter2" not in text
        assert "hunter2" not in "".join(exported(tmp_path / "ledger.db"))
        lines = [json.loads(line) for line in text.splitlines()]
        told = [(line["text"], line["is_unsent"]) for line in lines if line["step"] == "finished"]
        assert told == [(None, True), (None, True), (None, True), ("noon", False)]
        assert "told masked" in [line["text"] for line in lines]
        assert "Text that was not sent or was masked is not included." in work.words
        # The lines still hang together.
        link = START
        for line in lines:
            link = _entry(line).link_after(link)
            assert link == line["link"]
        if os.name == "posix":
            assert file.stat().st_mode & 0o077 == 0


def _entry(line: dict[str, str]) -> ChainEntry:
    """Return the entry that an exported line tells of."""
    said = {name: line[name] for name in StepDetails.__dataclass_fields__ if name in line}
    details = json.dumps(said, sort_keys=True, separators=(",", ":"))
    values = {field.name: line.get(field.name, "") for field in fields(ChainEntry)}
    return ChainEntry(**{**values, "details": details})  # type: ignore[arg-type]


async def test_many_calls_are_read_a_page_at_a_time(
    tmp_path: Path, qtmodeltester: ModelTester
) -> None:
    async with activity_stage(tmp_path) as stage:
        rows = stage.activity.rows
        qtmodeltester.check(rows)
        await stage.asks("first", "current_time", "{}")
        _ask_many(tmp_path / "ledger.db", 350)

        activity = await _look(stage)

        assert rows.rowCount() == 100
        assert rows.rows[0].key.call_id == "more-350"
        while rows.canFetchMore(QModelIndex()):
            loaded = emitted(activity.loaded)
            rows.fetchMore(QModelIndex())
            await loaded
        qtmodeltester.check(rows)
        assert len({row.key for row in rows.rows}) == rows.rowCount() == 351
        # What is looked for may be the oldest of all.
        assert len(await _lists(stage, ActivityFilter(tool="current_time"))) == 1


def _ask_many(ledger: Path, count: int) -> None:
    """As other runs of the program have left them; nobody checks the chain here."""
    with closing(sqlite3.connect(ledger)) as connection, connection:
        connection.executemany(
            "INSERT INTO entries SELECT number + ?, profile, conversation_id, ?, step, at,"
            " 'read_file', digest, details, text_hash, ? FROM entries WHERE number = 1",
            [(n, f"more-{n}", f"link-{n}") for n in range(1, count + 1)],
        )
