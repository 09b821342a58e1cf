"""Export and import chats, and show their progress and outcome.

`ExportViewModel` exports, with the words that `export_labels` gives in the language of the window;
`ImportViewModel` imports into the archive, whose chats `ImportedChats` shows and removes.
`WorkView` is what the window shows of both: one state for exports and imports.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Signal

from app.chat.items import CallState
from app.chat.workspace import Workspace
from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import UserFacingError
from app.import_export.chat_export import (
    ChatExport,
    Exported,
    ExportFormat,
    Writers,
    file_stem,
    free_name,
    names_in,
)
from app.import_export.chat_import import ChatImport, Imported
from app.import_export.loading import ConversationLoader, Labels
from app.import_export.sources import NotImported
from app.store.archive import ArchiveTable
from app.tasks import TaskOwner
from app.viewmodels.dates import local_now
from app.viewmodels.i18n import error_handler, localized


def export_labels() -> Labels:
    """Return the labels that exported files have, in the language of the window."""
    translate = QCoreApplication.translate
    return Labels(
        code=QLocale().bcp47Name() or "en",
        you=translate("Export", "You"),
        assistant=translate("Export", "Assistant"),
        untitled=translate("Export", "Chat"),
        exported=translate("Export", "Exported from Parley, {date}"),
        incomplete=translate(
            "Export", "Some messages may be missing because the service could not be reached."
        ),
        not_delivered=translate("Export", "not delivered"),
        handed_over=translate("Export", "{name} continues"),
        thought=translate("Export", "Thought"),
        allowed_by_you=translate("Activity", "allowed by you"),
        allowed_by_rule=translate("Export", "allowed by a rule"),
        allowed_by_attaching=translate("Activity", "allowed by attaching"),
        allowed_changed=translate("Activity", "changed and allowed by you"),
        input_words=translate("Export", "Input"),
        output_words=translate("Export", "Output"),
        left_out=translate(
            "Export", "Shortened ({count}). Export as Markdown or JSON for the full text."
        ),
        states={
            CallState.WAITING: translate("Export", "not decided"),
            CallState.RUNNING: translate("Export", "running"),
            CallState.DONE: translate("Export", "done"),
            CallState.FAILED: translate("Export", "failed"),
            CallState.DENIED: translate("Export", "denied"),
            CallState.ANSWERED: translate("Export", "answered by you"),
            CallState.REFUSED: translate("Export", "not run"),
            CallState.INTERRUPTED: translate("Export", "interrupted"),
        },
    )


@dataclass(frozen=True, slots=True)
class WorkView:
    """How a long piece of work is going, in words.

    While it `is_running` it can be cancelled; `share` is how much is done, 0 to 1. Afterwards
    `words` say what became of it, `is_bad` that it failed, and `path` what it made, if anything;
    `has_imported` that there are more imported chats now.
    """

    words: str
    is_running: bool = False
    share: float = 0.0
    is_bad: bool = False
    path: str = ""
    has_imported: bool = False


class ExportViewModel(QObject):
    """Exports chats of the profile that is shown, or all of the project, one export at a time.

    One for the run; `show` and `show_project` say whose chats these are. `aclose` cancels what
    runs, which leaves nothing behind.
    """

    work_changed = Signal(object)
    """How it is going; argument: a `WorkView`, or None when there is nothing more to say."""

    def __init__(self, writers: Writers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._writers = writers
        self._workspace: Workspace | None = None
        self._project: Workspace | None = None
        self._has_thoughts = False
        self._one_at_a_time = asyncio.Lock()
        self._tasks = TaskOwner(error_handler(self._on_task_failed))

    def show(self, workspace: Workspace | None) -> None:
        """Take the chats of this profile from now on: the project's, or imported ones."""
        self._workspace = workspace

    def show_project(self, workspace: Workspace | None) -> None:
        """Take this project for `export_all` from now on, also while imported chats are shown."""
        self._project = workspace

    def file_name(self, title: str, kind: ExportFormat) -> str:
        """Return a name for a file with the chat of this title."""
        return free_name(file_stem(title, export_labels().untitled), kind.value, ())

    def several_name(self, kind: ExportFormat) -> str:
        """Return a name for what several chats are exported to: a file, or a folder."""
        day = local_now().strftime("%Y-%m-%d")
        stem = self.tr("Parley chats {day}").format(day=day)
        return free_name(stem, kind.value if kind.holds_several else "", ())

    def include_thoughts(self, *, is_wanted: bool) -> None:
        """Choose whether the next export includes the thoughts of models."""
        self._has_thoughts = is_wanted

    def export(self, conversation_ids: Sequence[str], kind: ExportFormat, target: Path) -> None:
        """Export these chats to `target`; a file that is there was agreed to be replaced."""
        self._start(self._workspace, tuple(conversation_ids), kind, target)

    def export_into(self, conversation_ids: Sequence[str], kind: ExportFormat, into: Path) -> None:
        """Export these chats into a new folder in `into`."""
        self._start(self._workspace, tuple(conversation_ids), kind, into, is_folder=True)

    def export_all(self, kind: ExportFormat, target: Path) -> None:
        """Export every chat of the project to `target`, a file; the kind holds several."""
        self._start(self._project, None, kind, target)

    def cancel(self) -> None:
        """End the export that runs; nothing of it is left."""
        self._tasks.cancel()

    def dismiss(self) -> None:
        """Hide what became of the last export: it was read."""
        self.work_changed.emit(None)

    @property
    def is_idle(self) -> bool:
        """Whether no export runs."""
        return self._tasks.is_idle

    async def finish(self) -> None:
        """Wait for the end of the export that runs."""
        await self._tasks.finish()

    async def aclose(self) -> None:
        """End the export that runs."""
        await self._tasks.aclose()

    def _start(
        self,
        workspace: Workspace | None,
        ids: tuple[str, ...] | None,
        kind: ExportFormat,
        target: Path,
        *,
        is_folder: bool = False,
    ) -> None:
        if workspace is None:
            self._on_task_failed(explain(UserFacingError(ErrorCode.NOT_CONNECTED)))
            return
        loader = ConversationLoader(workspace, has_thoughts=self._has_thoughts)
        # Only for this one: whether thoughts go along is asked before each export.
        self._has_thoughts = False
        work = self._export(loader, ids, kind, target, is_folder)
        self._tasks.start(work, name="export")

    async def _export(
        self,
        gatherer: ConversationLoader,
        ids: tuple[str, ...] | None,
        kind: ExportFormat,
        target: Path,
        is_folder: bool,
    ) -> None:
        async with self._one_at_a_time:
            self.work_changed.emit(WorkView(self.tr("Preparing the export…"), is_running=True))
            try:
                if is_folder:
                    taken = await asyncio.to_thread(names_in, target)
                    target /= free_name(self.several_name(kind), "", taken)
                chosen_ids = await gatherer.all_ids() if ids is None else ids
                exported = await ChatExport(gatherer, self._writers, export_labels()).run(
                    chosen_ids,
                    kind,
                    target,
                    may_replace=True,
                    on_progress=lambda done: self._report_progress(done, len(chosen_ids)),
                )
            except asyncio.CancelledError:
                self.work_changed.emit(WorkView(self.tr("Export cancelled. Nothing was written.")))
                raise
        self.work_changed.emit(WorkView(self._done_words(exported), path=str(exported.path)))

    def _report_progress(self, done: int, total: int) -> None:
        words = self.tr("{done} of %n chats exported", "", total).format(done=done)
        self.work_changed.emit(WorkView(words, is_running=True, share=done / max(total, 1)))

    def _done_words(self, exported: Exported) -> str:
        words = self.tr("%n chats exported to {name}.", "", exported.count)
        words = words.format(name=exported.path.name)
        if exported.incomplete:
            gaps = self.tr(
                "%n of them may be incomplete because the service could not be reached.",
                "",
                exported.incomplete,
            )
            words = f"{words} {gaps}"
        return words

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.work_changed.emit(WorkView(localized(words), is_bad=True))


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
        """Remove every imported chat from this computer, permanently.

        Raises:
            StoreError: not everything could be removed.
        """
        # Before anything closes: windows leave these chats first.
        self.emptied.emit()
        async with self._changing:
            await self._close()
            await self._forget_all()

    async def aclose(self) -> None:
        """Close the archive's workspace; the imported chats stay."""
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
        words = " ".join([*said, *problems])
        self.work_changed.emit(
            WorkView(words, is_bad=bool(problems), has_imported=total.readable > 0)
        )

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
            said.append(self.tr("%n updated.", "", outcome.changed))
        if outcome.known:
            said.append(self.tr("%n already imported.", "", outcome.known))
        if outcome.unreadable:
            words = self.tr("{count} of %n chats could not be read.", "", outcome.total)
            said.append(words.format(count=outcome.unreadable))
        if outcome.left_branches:
            words = self.tr(
                "Only the latest branch of each chat was imported; %n other branches were "
                "left out.",
                "",
                outcome.left_branches,
            )
            said.append(words)
        if outcome.left_versions:
            words = self.tr("%n versions of chats could not be read.", "", outcome.left_versions)
            said.append(words)
        if outcome.is_cut:
            said.append(self.tr("The file is damaged, so some chats may be missing."))
        return " ".join(said)

    def _on_task_failed(self, words: ErrorMessage) -> None:
        self.work_changed.emit(WorkView(localized(words), is_bad=True))
