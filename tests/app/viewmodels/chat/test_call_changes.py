"""What an opened call changed is looked up once it is opened, and undone from its row."""

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
from local_tools.diff import change_text
from local_tools.execution.outputs import OutputFiles
from tests.support.chat_fixtures import PROFILE, Chat, ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class _Stage:
    """A chat with its calls, and what looks them up."""

    kit: ChatKit
    chat: Chat
    model: TranscriptModel
    changes: CallChanges

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
            kit.sessions.read_calls,
        )
        workspace = Workspace(
            parts.client, parts.store, kit.conversations, kit.sessions, parts.ledger, call_log=log
        )
        model = TranscriptModel()
        changes = CallChanges(model, lambda _name, error: errors.append(error))
        changes.follow(workspace, "c1")
        model.show(chat.session)
        yield _Stage(kit, chat, model, changes)
        model.show(None)
        await changes.aclose()
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

        said: list[tuple[str, bool]] = []
        stage.changes.reported.connect(lambda words, is_bad: said.append((words, is_bad)))
        reported, undone = emitted(stage.changes.reported), emitted(stage.model.dataChanged)
        # A double click is one.
        stage.changes.undo(row.key)
        stage.changes.undo(row.key)
        await reported
        assert said == [(f"Restored {file}.", False)]
        await undone
        assert not file.exists()
        (row,) = stage.rows()
        assert row.is_undone

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

        first, second = stage.rows()
        reported = emitted(stage.changes.reported)
        stage.changes.undo(second.key)
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
