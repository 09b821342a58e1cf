"""Downloads of models as a window sees them, without a hub."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from app.service.model_downloads import OfferedModel
from app.viewmodels.settings.model_download import DownloadSources

OFFER = OfferedModel("maker/model-GGUF", "model-Q4_K_M.gguf", 2_500_000_000, "apache-2.0")

LARGE = OfferedModel("maker/model-GGUF", "model-F16.gguf", 900_000_000_000, "apache-2.0", False)


class HandDownload:
    """A download that goes on when it is told to."""

    def __init__(self) -> None:
        self.tell: Callable[[int], None] = lambda _done: None
        self.ends: asyncio.Future[Path | None] = asyncio.get_running_loop().create_future()

    def pause(self) -> None:
        self.ends.set_result(None)

    async def run(self, on_progress: Callable[[int], None]) -> Path | None:
        self.tell = on_progress
        return await self.ends


class HandHub:
    """Offers one model.

    `started` are its downloads, of which `begun` tells; `fault` is raised instead of an offer.
    """

    def __init__(self) -> None:
        self.started: list[HandDownload] = []
        self.begun = asyncio.Event()
        self.asked = 0
        self.fault: Exception | None = None

    @property
    def sources(self) -> DownloadSources:
        return DownloadSources(self._suggest, self._download, self._list_files)

    async def _suggest(self) -> OfferedModel:
        self.asked += 1
        if self.fault:
            raise self.fault
        return OFFER

    async def _list_files(self, repository: str) -> tuple[OfferedModel, ...]:
        assert repository == OFFER.repository
        if self.fault:
            raise self.fault
        return OFFER, LARGE

    def _download(self, offer: OfferedModel) -> HandDownload:
        assert offer in {OFFER, LARGE}
        self.started.append(HandDownload())
        self.begun.set()
        return self.started[-1]
