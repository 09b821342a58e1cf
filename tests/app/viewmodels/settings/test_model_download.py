"""A model is offered, downloaded, paused and gone on with; nobody is asked before a click."""

from pathlib import Path

import pytest

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.viewmodels.settings.model_download import DownloadState, ModelDownloadViewModel
from tests.support.model_downloads import LARGE, OFFER, HandHub
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio


async def _until(download: ModelDownloadViewModel, state: DownloadState) -> None:
    while download.view.state is not state:
        await emitted(download.changed)


async def test_download_is_offered_started_paused_and_finished() -> None:
    hub = HandHub()
    download = ModelDownloadViewModel(hub.sources)
    assert hub.asked == 0
    download.suggest()
    await _until(download, DownloadState.OFFERED)
    assert download.view.offer == OFFER
    download.start()
    await hub.begun.wait()
    hub.started[0].tell(1000)
    assert download.view.done_bytes == 1000
    download.pause()
    await _until(download, DownloadState.PAUSED)
    hub.begun.clear()
    download.start()
    download.start()
    finished = emitted(download.finished)
    await hub.begun.wait()
    hub.started[-1].ends.set_result(Path("/models/model.gguf"))
    await finished
    assert len(hub.started) == 2
    assert download.view.state is DownloadState.NONE
    await download.aclose()


async def test_failure_is_reported_and_the_same_button_goes_on() -> None:
    hub = HandHub()
    hub.fault = UserFacingError(ErrorCode.NO_MODEL_FITS)
    download = ModelDownloadViewModel(hub.sources)
    download.suggest()
    while not download.view.error:
        await emitted(download.changed)
    assert download.view.state is DownloadState.NONE
    hub.fault = None
    download.suggest()
    await _until(download, DownloadState.OFFERED)
    assert download.view.error == ""
    await download.aclose()


async def test_files_of_a_named_repository_are_listed_and_one_is_chosen() -> None:
    hub = HandHub()
    download = ModelDownloadViewModel(hub.sources)
    download.list_files(OFFER.repository)
    while not download.view.files:
        await emitted(download.changed)
    assert download.view.files == (OFFER, LARGE)
    download.choose(LARGE.name)
    assert (download.view.state, download.view.offer) == (DownloadState.OFFERED, LARGE)
    download.start()
    await hub.begun.wait()
    # What runs goes on, whatever is chosen meanwhile.
    download.choose(OFFER.name)
    assert download.view.offer == LARGE
    hub.started[0].ends.set_result(Path("/models/model.gguf"))
    await emitted(download.finished)
    await download.aclose()


async def test_repository_without_files_is_refused_with_a_reason() -> None:
    hub = HandHub()
    hub.fault = UserFacingError(ErrorCode.NO_MODEL_FILES, {"repository": OFFER.repository})
    download = ModelDownloadViewModel(hub.sources)
    download.list_files(OFFER.repository)
    while not download.view.error:
        await emitted(download.changed)
    assert download.view.error.startswith("maker/model-GGUF has no model file")
    assert download.view.state is DownloadState.NONE
    await download.aclose()
