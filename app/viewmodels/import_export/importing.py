"""Import of chats: which file, how it is going, and what became of it.

`ImportViewModel` imports into `ImportedChats`: the imported chats as a workspace of their own, the
same for every window.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.chat.workspace import Workspace
from app.common.error_messages import ErrorMessage, explain
from app.import_export.chat_import import ChatImport, Imported
from app.import_export.sources import NotImported
from app.store.archive import ArchiveTable
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized
from app.viewmodels.import_export.exporting import WorkView, export_labels


class ImportedChats(QObject):
    """Makes the workspace when the first window wants it, and removes what is in it.

    One for the run; the workspace lives until `aclose`, or until everything in it is removed.
    """

    emptied = Signal()
    """Every imported chat goes now: nobody should show one any more."""

    def __init__(
        self,
        open_workspace: Callable[[], Awaitable[Workspace]],
        forget_all: Callable[[], Awaitable[None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._open_workspace = open_workspace
        self._forget_all = forget_all
        self._workspace: Workspace | None = None
        self._changing = asyncio.Lock()

    async def workspace(self) -> Workspace:
        """Return the workspace; while everything is removed, wait for the next one.

        Raises:
            StoreError: it cannot be read.
        """
        async with self._changing:
            if self._workspace is None:
                self._workspace = await self._open_workspace()
            return self._workspace

    async def forget_all(self) -> None:
        """Remove every imported chat from this computer, for ever.

        Raises:
            StoreError: not everything could be removed.
        """
        self.emptied.emit()
        async with self._changing:
            await self._close()
            await self._forget_all()

    async def aclose(self) -> None:
        """End the workspace."""
        await self._close()

    async def _close(self) -> None:
        workspace, self._workspace = self._workspace, None
        if workspace:
            await workspace.aclose()


class ImportViewModel(QObject):
    """Imports files into the archive, one after the other.

    One for the run. `aclose` ends what runs; the chats that were read until then stay.
    """

    work_changed = Signal(object)
    """How it is going; argument: a `WorkView`, or None when there is nothing more to say."""
    finished = Signal()
    """There may be other chats in the archive now."""

    def __init__(self, archive: ArchiveTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._archive = archive
        self._one_at_a_time = asyncio.Lock()
        self._tasks = TaskOwner(error_handler(self._on_task_failed))

    def import_files(self, paths: Sequence[Path]) -> None:
        """Import these files; what is wrong with one is said at the end."""
        self._tasks.start(self._import(tuple(paths)), name="import")

    def cancel(self) -> None:
        """End the import that runs; the chats that were read until then stay."""
        self._tasks.cancel()

    def dismiss(self) -> None:
        """Hide what became of the last import: it was read."""
        self.work_changed.emit(None)

    async def aclose(self) -> None:
        """End the import that runs."""
        await self._tasks.aclose()

    async def _import(self, paths: Sequence[Path]) -> None:
        async with self._one_at_a_time:
            self.work_changed.emit(WorkView(self.tr("Reading…"), is_running=True))
            total, problems = Imported(), list[str]()
            try:
                for path in paths:
                    total += await self._import_one(path, total, problems)
            except asyncio.CancelledError:
                self.work_changed.emit(WorkView(self.tr("Import cancelled.")))
                raise
            finally:
                self.finished.emit()
        said = [self._done_words(total)] if total.readable or not problems else []
        self.work_changed.emit(WorkView(" ".join([*said, *problems]), is_bad=bool(problems)))

    async def _import_one(self, path: Path, before: Imported, problems: list[str]) -> Imported:
        def report(share: float, outcome: Imported) -> None:
            words = self.tr("%n chats read…", "", (before + outcome).readable)
            self.work_changed.emit(WorkView(words, is_running=True, share=share))

        run = ChatImport(path, self._archive, export_labels())
        try:
            await run.run(report)
        except NotImported as error:
            problems.append(localized(explain(error)))
            return Imported()
        return run.outcome

    def _done_words(self, outcome: Imported) -> str:
        said = [self.tr("%n chats imported.", "", outcome.new)]
        if outcome.changed:
            said.append(self.tr("%n had more in them than before.", "", outcome.changed))
        if outcome.known:
            said.append(self.tr("%n were here already.", "", outcome.known))
        if outcome.unreadable:
            words = self.tr("{count} of %n chats could not be read.", "", outcome.total)
            said.append(words.format(count=outcome.unreadable))
        if outcome.left_branches:
            words = self.tr(
                "Of each chat the branch shown last is here; %n other branches were left out.",
                "",
                outcome.left_branches,
            )
            said.append(words)
        if outcome.is_cut:
            said.append(self.tr("The file is damaged, so there may have been more."))
        return " ".join(said)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.work_changed.emit(WorkView(localized(words), is_bad=True))
