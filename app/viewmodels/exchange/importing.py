"""Import of chats: which file, how it is going, and what became of it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.error_text import ErrorText, explain
from app.exchange.importing import ChatImport, Imported
from app.exchange.sources import NotImported
from app.store.archive import ArchiveTable
from app.tasks import TaskOwner
from app.viewmodels.exchange.export_words import export_labels
from app.viewmodels.exchange.work import WorkView
from app.viewmodels.failures import failure_route, translated


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
        self._tasks = TaskOwner(failure_route(self._on_task_failed))

    def import_files(self, paths: Sequence[Path]) -> None:
        """Imports these files; what is wrong with one is said at the end."""
        self._tasks.start(self._import(tuple(paths)), name="import")

    def cancel(self) -> None:
        """Ends the import that runs; the chats that were read until then stay."""
        self._tasks.cancel()

    def dismiss(self) -> None:
        """What became of the last import was read."""
        self.work_changed.emit(None)

    async def aclose(self) -> None:
        """Ends the import that runs."""
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
        def tell(share: float, outcome: Imported) -> None:
            words = self.tr("%n chats read…", "", (before + outcome).readable)
            self.work_changed.emit(WorkView(words, is_running=True, share=share))

        run = ChatImport(path, self._archive, export_labels())
        try:
            await run.run(tell)
        except NotImported as error:
            problems.append(translated(explain(error)))
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

    def _on_task_failed(self, words: ErrorText) -> None:
        self.work_changed.emit(WorkView(translated(words), is_bad=True))
