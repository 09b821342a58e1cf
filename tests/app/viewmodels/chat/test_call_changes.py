"""What an opened call changed is looked up once it is opened, and undone from its row."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.chat.call_log import CallLog
from app.chat.items import CallChange, ToolCall
from app.chat.workspace import Workspace
from app.viewmodels.chat.call_changes import CallChanges
from app.viewmodels.chat.transcript_model import TranscriptModel
from app.viewmodels.rows import ROW_ROLE
from app.viewmodels.tools.activity import ActivityViewModel
from local_tools.diff import change_text
from local_tools.execution.outputs import OutputFiles
from local_tools.ledger.steps import CallKey
from tests.support.chat_fixtures import PROFILE, Chat, ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class _Stage:
    """A chat with its calls, what looks them up, and the list of all calls beside it."""

    kit: ChatKit
    chat: Chat
    workspace: Workspace
    model: TranscriptModel
    changes: CallChanges
    call_log: CallLog
    activity: ActivityViewModel

    async def calls(self, service: FakeService, *asked: tuple[str, dict[str, str]]) -> None:
        """Have these calls made, each allowed by the person."""
        for number, (tool, given) in enumerate(asked):
            service.asks_tool(tool, given, call_id=f"call-{number}")
        service.says("Done.")
        await self.chat.send("Go on")
        for _ in asked:
            await self.chat.allow()
        await self.chat.is_idle()

    def rows(self) -> list[ToolCall]:
        """Return the calls as the view gets them."""
        count = self.model.rowCount()
        items = [self.model.data(self.model.index(row), ROW_ROLE) for row in range(count)]
        return [item for item in items if isinstance(item, ToolCall)]

    async def lists(self) -> None:
        """Show the list of calls."""
        loaded = emitted(self.activity.loaded)
        self.activity.set_visible(is_visible=True)
        await loaded

    async def look(self, key: str) -> None:
        """Open a row, and wait for what is known of it."""
        looked = emitted(self.model.dataChanged)
        self.changes.look(key)
        await looked


@asynccontextmanager
async def _stage(folder: Path, service: FakeService) -> AsyncIterator[_Stage]:
    errors: list[BaseException] = []
    async with chat_kit(folder, service) as kit:
        service.holds("c1")
        chat = await kit.open()
        await chat.session.set_folder(kit.home)
        parts, outputs = kit.dependencies, OutputFiles(folder / "undo")
        log = CallLog(
            PROFILE,
            parts.ledger,
            parts.store.turns,
            parts.registry,
            parts.undo,
            outputs,
            versions_of=kit.sessions.versions.members,
            on_undone=kit.sessions.read_calls,
        )
        workspace = Workspace(
            parts.client, parts.store, kit.conversations, kit.sessions, parts.ledger, call_log=log
        )
        model = TranscriptModel()
        changes = CallChanges(model, lambda _name, error: errors.append(error))
        changes.follow(workspace, "c1")
        model.show(chat.session)
        activity = ActivityViewModel()
        activity.show(log)
        activity.show_chat("c1")
        yield _Stage(kit, chat, workspace, model, changes, log, activity)
        model.show(None)
        await changes.aclose()
        await activity.aclose()
    assert errors == []


async def test_written_file_is_looked_up_when_its_row_opens_and_removed_by_undo(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.txt"
    async with FakeService() as service, _stage(tmp_path, service) as stage:
        await stage.calls(service, ("write_file", {"path": "a.txt", "content": "one\n"}))
        (row,) = stage.rows()
        assert row.change is None

        await stage.look(row.key)
        (row,) = stage.rows()
        made = CallChange("c1", change_text("", "one\n"), is_new=True, can_undo=True)
        assert row.change == made
        # A row is laid out anew for another item: this is the same until something changes.
        assert stage.rows()[0] is row

        await stage.lists()
        listed = emitted(stage.activity.rows.dataChanged)
        said: list[tuple[str, bool]] = []
        stage.changes.reported.connect(lambda words, is_bad: said.append((words, is_bad)))
        reported, undone = emitted(stage.changes.reported), emitted(stage.model.dataChanged)
        # A double click is one.
        stage.changes.undo(row.key)
        stage.changes.undo(row.key)
        await reported
        assert said == [(f"Removed {file}.", False)]
        await undone
        assert not file.exists()
        (row,) = stage.rows()
        assert row.is_undone
        await listed
        assert "undone" in stage.activity.rows.rows[0].words

        stage.model.show(None)
        stage.model.show(stage.chat.session)
        (row,) = stage.rows()
        assert row.change is not None
        assert row.change.diff == made.diff


async def test_call_before_another_can_be_undone_once_that_was(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one\n", encoding="utf-8")
    edits = [("one", "two"), ("two", "three")]
    async with FakeService() as service, _stage(tmp_path, service) as stage:
        asked = [
            ("edit_file", {"path": "a.txt", "old_text": old, "new_text": new}) for old, new in edits
        ]
        await stage.calls(service, *asked)
        for row in stage.rows():
            await stage.look(row.key)
        changes = [row.change for row in stage.rows() if row.change]
        assert [change.can_undo for change in changes] == [False, True]
        assert [change.is_new for change in changes] == [False, False]

        # Undone in the list of all calls, which no row of the chat was asked for.
        await stage.lists()
        stage.activity.open(CallKey(PROFILE, "c1", "call-1"))
        reported = emitted(stage.activity.reported)
        stage.activity.undo()
        assert (await reported)[1] is False
        while not (stage.rows()[0].change or changes[0]).can_undo:
            await emitted(stage.model.dataChanged)
        assert file.read_text(encoding="utf-8") == "two\n"


async def test_file_that_somebody_changed_since_is_left_and_said_so(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    async with FakeService() as service, _stage(tmp_path, service) as stage:
        await stage.calls(service, ("write_file", {"path": "a.txt", "content": "one\n"}))
        (row,) = stage.rows()
        await stage.look(row.key)
        file.write_text("mine\n", encoding="utf-8")

        reported, looked = emitted(stage.changes.reported), emitted(stage.model.dataChanged)
        stage.changes.undo(row.key)
        words, is_bad = await reported
        assert is_bad
        assert "has changed since then" in words
        await looked
        (row,) = stage.rows()
        assert row.change is not None
        assert not row.change.can_undo
        assert file.read_text(encoding="utf-8") == "mine\n"


async def test_chat_shown_again_offers_only_what_can_be_undone_by_then(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    async with FakeService() as service, _stage(tmp_path, service) as stage:
        await stage.calls(service, ("write_file", {"path": "a.txt", "content": "one\n"}))
        (row,) = stage.rows()
        await stage.look(row.key)
        stage.model.show(None)
        file.write_text("mine\n", encoding="utf-8")

        looked = emitted(stage.model.dataChanged)
        stage.model.show(stage.chat.session)
        await looked
        (row,) = stage.rows()
        assert row.change is not None
        assert not row.change.can_undo


async def test_nothing_is_said_of_an_undo_once_another_chat_is_shown(tmp_path: Path) -> None:
    calls = [("write_file", {"path": name, "content": "one\n"}) for name in ("a.txt", "b.txt")]
    async with FakeService() as service, _stage(tmp_path, service) as stage:
        await stage.calls(service, *calls)
        await stage.lists()
        reports: list[tuple[str, bool]] = []
        stage.activity.reported.connect(lambda words, is_bad: reports.append((words, is_bad)))
        undone = asyncio.get_running_loop().create_future()
        stage.call_log.subscribe_undone(lambda: undone.set_result(None))

        stage.activity.open(CallKey(PROFILE, "c1", "call-0"))
        stage.activity.undo()
        stage.activity.show_chat("c2")
        await undone
        assert reports == [("", False)]

        row = stage.rows()[1]
        await stage.look(row.key)
        stage.changes.reported.connect(lambda words, is_bad: reports.append((words, is_bad)))
        undone = asyncio.get_running_loop().create_future()
        stage.changes.undo(row.key)
        stage.changes.follow(stage.workspace, "c2")
        await undone
        assert reports == [("", False)]
