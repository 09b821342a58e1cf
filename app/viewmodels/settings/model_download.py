"""`ModelDownloadViewModel` offers a model to download, and downloads it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.common.error_messages import ErrorMessage
from app.service.model_downloads import OfferedModel
from app.tasks import TaskOwner
from app.viewmodels.i18n import error_handler, localized


class DownloadState(Enum):
    """The state of the download."""

    NONE = "none"
    ASKING = "asking"
    OFFERED = "offered"
    RUNNING = "running"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class DownloadView:
    """The download; `error` says why it did not go on, and may be empty.

    `files` are those of the repository that was listed last.
    """

    state: DownloadState = DownloadState.NONE
    offer: OfferedModel | None = None
    done_bytes: int = 0
    error: str = ""
    files: tuple[OfferedModel, ...] = ()


class Download(Protocol):
    """One download, as `app.service.model_downloads` makes it."""

    def pause(self) -> None:
        """Have `run` end; another download of the file goes on from there."""

    async def run(self, on_progress: Callable[[int], None]) -> Path | None:
        """Download until the file is whole; None when it was paused."""


@dataclass(frozen=True, slots=True)
class DownloadSources:
    """The functions that ask the hub; made by the composition, replaced in tests."""

    suggest: Callable[[], Awaitable[OfferedModel]]
    download: Callable[[OfferedModel], Download]
    list_files: Callable[[str], Awaitable[Sequence[OfferedModel]]]


class ModelDownloadViewModel(QObject):
    """Offers one model, and downloads it when the person accepts its licence. One for the run.

    Nobody on the network is asked before `suggest`.
    """

    changed = Signal(object)
    """The state of the download has changed; argument: a `DownloadView`."""
    finished = Signal(object)
    """The file is whole; argument: its `Path`."""

    def __init__(self, sources: DownloadSources) -> None:
        super().__init__()
        self._sources = sources
        self._tasks = TaskOwner(error_handler(self._on_task_failed))
        self._download: Download | None = None
        self.view = DownloadView()

    def suggest(self) -> None:
        """Ask the hub for a model that fits."""
        if self.view.state is DownloadState.NONE:
            self._show(replace(self.view, state=DownloadState.ASKING, error=""))
            self._tasks.start(self._suggest(), name="suggest a model")

    def list_files(self, repository: str) -> None:
        """Ask the hub which files a repository has."""
        if self.view.state in {DownloadState.NONE, DownloadState.OFFERED}:
            self._show(DownloadView(DownloadState.ASKING))
            self._tasks.start(self._list_files(repository), name="list model files")

    def choose(self, name: str) -> None:
        """Offer one of the files that were listed; a download that was paused is left."""
        for file in self.view.files:
            if file.name == name and self.view.state is not DownloadState.RUNNING:
                state = DownloadState.OFFERED
                self._show(replace(self.view, state=state, offer=file, done_bytes=0, error=""))

    def start(self) -> None:
        """Download what is offered, or go on with it; its licence is accepted."""
        offer = self.view.offer
        if offer and self.view.state in {DownloadState.OFFERED, DownloadState.PAUSED}:
            self._show(replace(self.view, state=DownloadState.RUNNING, error=""))
            self._tasks.start(self._run(offer), name="download a model")

    def pause(self) -> None:
        """Keep what came so far, and stop."""
        if self._download is not None:
            self._download.pause()

    async def aclose(self) -> None:
        """End what is under way; what came so far is kept."""
        await self._tasks.aclose()

    async def _suggest(self) -> None:
        offer = await self._sources.suggest()
        self._show(replace(self.view, state=DownloadState.OFFERED, offer=offer))

    async def _list_files(self, repository: str) -> None:
        files = tuple(await self._sources.list_files(repository))
        self._show(replace(self.view, state=DownloadState.NONE, files=files))

    async def _run(self, offer: OfferedModel) -> None:
        self._download = self._sources.download(offer)
        try:
            path = await self._download.run(self._on_progress)
        finally:
            self._download = None
        if path is None:
            self._show(replace(self.view, state=DownloadState.PAUSED))
            return
        self._show(replace(self.view, state=DownloadState.NONE, offer=None, done_bytes=0))
        self.finished.emit(path)

    def _on_progress(self, done_bytes: int) -> None:
        self._show(replace(self.view, done_bytes=done_bytes))

    def _on_task_failed(self, words: ErrorMessage) -> None:
        # What came so far is kept: the same button goes on.
        state = DownloadState.PAUSED if self.view.offer else DownloadState.NONE
        self._show(replace(self.view, state=state, error=localized(words)))

    def _show(self, view: DownloadView) -> None:
        self.view = view
        self.changed.emit(view)
