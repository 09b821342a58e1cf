"""A model is offered, downloaded, paused and gone on with; nobody is asked before a click."""

from pathlib import Path

import pytest

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.viewmodels.settings.model_download import DownloadState, ModelDownloadViewModel
from tests.support.model_downloads import OFFER, HandHub
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


async def test_failure_is_said_and_the_same_button_goes_on() -> None:
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
