"""The imported chats in several windows: opened in each, and gone from all at once."""

from pathlib import Path

import pytest

from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode, ErrorMessage
from app.store.errors import StoreError
from app.viewmodels.import_export import ImportedChats
from app.viewmodels.sidebar.archive import ArchiveViewModel
from tests.support.chat_fixtures import ChatKit, chat_kit
from tests.support.fake_service import FakeService
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


class _Archive:
    """Counts what is asked of it; with a `fault`, removing fails."""

    def __init__(self, kit: ChatKit) -> None:
        self._kit = kit
        self.made = list[Workspace]()
        self.removals = 0
        self.fault: StoreError | None = None

    async def open(self) -> Workspace:
        dependencies = self._kit.dependencies
        parts = (self._kit.conversations, self._kit.sessions, dependencies.ledger)
        self.made.append(
            Workspace(dependencies.client, dependencies.store, *parts, is_archive=True)
        )
        return self.made[-1]

    async def forget_all(self) -> None:
        self.removals += 1
        if self.fault:
            raise self.fault


async def test_all_windows_show_one_archive_and_leave_it_when_it_is_deleted(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        archive = _Archive(kit)
        imported = ImportedChats(archive.open, archive.forget_all)
        here, there = ArchiveViewModel(imported), ArchiveViewModel(imported)
        for window in (here, there):
            opened = emitted(window.opened)
            window.open()
            await opened
        assert len(archive.made) == 1

        closed = emitted(there.closed)
        here.delete_all()
        await closed

        assert not here.is_open
        assert not there.is_open
        opened = emitted(there.opened)
        there.open()
        await opened
        assert archive.removals == 1
        assert len(archive.made) == 2
        for window in (here, there):
            await window.aclose()
        await imported.aclose()


async def test_archive_that_cannot_be_deleted_is_reported(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        archive = _Archive(kit)
        archive.fault = StoreError(ErrorCode.STORE_UNWRITABLE)
        imported = ImportedChats(archive.open, archive.forget_all)
        window, said = ArchiveViewModel(imported), list[ErrorMessage]()
        window.failed.connect(said.append)

        failed = emitted(window.failed)
        window.delete_all()
        await failed

        assert said
        await window.aclose()
        await imported.aclose()


async def test_pressed_twice_quickly_the_chats_of_the_project_stay(tmp_path: Path) -> None:
    async with FakeService() as service, chat_kit(tmp_path, service) as kit:
        archive = _Archive(kit)
        imported = ImportedChats(archive.open, archive.forget_all)
        window, shown = ArchiveViewModel(imported), list[Workspace]()
        window.opened.connect(shown.append)
        window.toggle()
        window.toggle()
        # Asked for behind what was begun, so that it comes later.
        await imported.workspace()
        assert not window.is_open
        assert shown == []

        opened = emitted(window.opened)
        for _ in range(3):
            window.toggle()
        await opened
        assert shown == [await imported.workspace()]
        await window.aclose()
        await imported.aclose()
