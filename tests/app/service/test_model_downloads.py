"""A model comes from a hub by the service's own program, as the window asks for it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.common.errors import UserFacingError
from app.service.model_downloads import ModelDownload, suggest_model
from app.service.models import delete_model_file, find_models, read_model_file
from tests.support.fake_http import Answer
from tests.support.fake_hub import FakeHub
from tests.support.tiny_model import write_model

pytestmark = pytest.mark.anyio


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[FakeHub]:
    write_model(tmp_path / "tiny.gguf")
    async with FakeHub((tmp_path / "tiny.gguf").read_bytes()) as running:
        yield running


async def test_model_is_suggested_paused_and_whole_in_the_end(hub: FakeHub, tmp_path: Path) -> None:
    environ = {"HF_ENDPOINT": hub.base_url, "HF_TOKEN": "hf_secret"}
    offer = await suggest_model(environ)
    hub.behaviours = [lambda _request, answer: replace(answer, hang_after=300_000)]
    first = ModelDownload(offer, tmp_path, environ)

    def pause(done: int) -> None:
        if done:
            first.pause()

    paused = await first.run(pause)
    told: list[int] = []
    path = await ModelDownload(offer, tmp_path, environ).run(told.append)
    assert paused is None
    assert told[0] > 0
    assert path == tmp_path / "models" / "tiny-Q4_K_M.gguf"
    assert path.read_bytes() == hub.model
    assert (offer.licence, offer.size_bytes) == ("apache-2.0", len(hub.model))
    assert not any("hf_secret" in one.raw.decode(errors="replace") for one in hub.requests)


async def test_refusal_of_the_hub_is_shown_with_its_message(hub: FakeHub, tmp_path: Path) -> None:
    environ = {"HF_ENDPOINT": hub.base_url}
    offer = await suggest_model(environ)
    hub.behaviours = [lambda _request, _answer: Answer(403)]
    with pytest.raises(UserFacingError) as raised:
        await ModelDownload(offer, tmp_path, environ).run(lambda _done: None)
    await hub.stops()
    with pytest.raises(UserFacingError) as unreached:
        await suggest_model(environ)
    assert "with an account" in str(raised.value.values["message"])
    assert "does not answer" in str(unreached.value.values["message"])


async def test_downloaded_file_is_known_as_own_and_deleted_and_no_other(
    hub: FakeHub, tmp_path: Path
) -> None:
    own, other = tmp_path / "models" / "own.gguf", tmp_path / "other.gguf"
    own.parent.mkdir()
    for path in (own, other):
        path.write_bytes(hub.model)
    found = await find_models(tmp_path, {"HOME": str(tmp_path)})
    opened = await read_model_file(other, {})
    assert [(one.model_id, one.is_own) for one in found if "own.gguf" in one.model_id] == [
        (f"file:{own}", True)
    ]
    assert (opened.server, opened.is_own) == ("", False)
    await delete_model_file(own, tmp_path, {})
    with pytest.raises(UserFacingError):
        await delete_model_file(other, tmp_path, {})
    assert (own.exists(), other.exists()) == (False, True)


async def test_file_that_is_no_model_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("nothing of the kind")
    with pytest.raises(UserFacingError) as raised:
        await read_model_file(tmp_path / "notes.gguf", {})
    assert "not a model file" in str(raised.value.values["message"])
