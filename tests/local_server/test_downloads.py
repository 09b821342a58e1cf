"""Models from a hub that cuts, stalls, redirects, lies, refuses and is busy."""

import asyncio
import errno
import hashlib
import json
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from local_server.cli import app
from local_server.engine.downloads import (
    DownloadError,
    DownloadOptions,
    HubFile,
    download,
    hub_of,
    list_hub_files,
    recommended,
)
from local_server.engine.model_files import read_model_file
from tests.support.fake_http import Answer, Received
from tests.support.fake_hub import REPOSITORY, Behave, FakeHub, Json
from tests.support.tiny_model import write_model, write_projector

pytestmark = pytest.mark.anyio

_LIMIT_S: Final = 20


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("hub") / "tiny.gguf"
    write_model(path)
    return path.read_bytes()


@pytest.fixture
async def hub(model: bytes) -> AsyncIterator[FakeHub]:
    async with FakeHub(model) as running:
        yield running


async def _no_pause(_seconds: float) -> None:
    """Wait for nothing."""


def _options(hub: FakeHub, **changes: Any) -> DownloadOptions:
    return replace(DownloadOptions(hub.base_url, sleep=_no_pause), **changes)


async def _file(hub: FakeHub) -> HubFile:
    [file] = await list_hub_files(REPOSITORY, _options(hub))
    return file


async def _get(hub: FakeHub, folder: Path, **changes: Any) -> list[int]:
    """Download the model; return how much there was each time something was said."""
    told: list[int] = []
    await download(await _file(hub), folder, told.append, _options(hub, **changes))
    return told


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _cut_at(count: int) -> Behave:
    return lambda _request, answer: replace(answer, cut_after=count)


def _stalled_at(count: int) -> Behave:
    return lambda _request, answer: replace(answer, hang_after=count)


def _status(status: int, **headers: str) -> Behave:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _request, _answer: Answer(status, b"{}", named)


async def test_hub_says_what_there_is(hub: FakeHub) -> None:
    file = await _file(hub)
    assert (file.name, file.size_bytes, file.sha256) == (
        "tiny-Q4_K_M.gguf",
        len(hub.model),
        hub.sha256,
    )
    assert (file.licence, file.revision) == ("apache-2.0", "abc123")
    assert hub.requests[0].header("Authorization") is None
    assert recommended((file,)) is file


@pytest.mark.security(133)
async def test_names_that_lead_elsewhere_are_left_out(hub: FakeHub) -> None:
    lfs = {"sha256": "ab" * 32, "size": 5}
    odd = (".hidden.gguf", "a\n.gguf", "..\\x.gguf", "m-00001-of-00002.gguf", "mmproj-m.gguf")
    # On Windows the first leads to another folder, and the others to no file at all.
    on_windows = ("C:x.gguf", "what?.gguf", "a|b.gguf", "a*.gguf", '"a".gguf', "<a>.gguf")
    devices = ("CON.gguf", "nul.Q4_0.gguf", "com1.gguf", "LPT¹.gguf", "aux .gguf", "CONIN$.gguf")
    rows: list[Json] = [
        {"rfilename": name, "lfs": lfs} for name in (*odd, *on_windows, *devices, "../../good.gguf")
    ]
    rows += [{"rfilename": "b.gguf", "lfs": {"sha256": "zz", "size": 5}}, {"rfilename": 7}]
    hub.listing = {"siblings": rows}
    [file] = await list_hub_files(REPOSITORY, _options(hub))
    assert file.name == "good.gguf"


async def test_file_is_whole_before_it_has_its_name(hub: FakeHub, tmp_path: Path) -> None:
    told = await _get(hub, tmp_path / "models")
    assert (tmp_path / "models/tiny-Q4_K_M.gguf").read_bytes() == hub.model
    assert _names(tmp_path / "models") == {"tiny-Q4_K_M.gguf"}
    assert told[0] == 0
    assert told[-1] == len(hub.model)
    with pytest.raises(DownloadError, match="already exists"):
        await _get(hub, tmp_path / "models")


async def test_projector_comes_with_its_model_and_is_deleted_with_it(
    hub: FakeHub, tmp_path: Path
) -> None:
    write_projector(tmp_path / "eye")
    hub.projector = (tmp_path / "eye").read_bytes()
    models = tmp_path / "models"
    told = await _get(hub, models)
    both = len(hub.projector) + len(hub.model)
    model = read_model_file(models / "tiny-Q4_K_M.gguf")
    removed = CliRunner().invoke(
        app, ["model-files", "remove", str(model.path), "--data-dir", str(tmp_path)]
    )
    assert told == sorted(told)
    assert (told[-1], model.size_bytes) == (both, both)
    assert model.projector == models / "tiny-Q4_K_M-mmproj.gguf"
    assert removed.exit_code == 0
    assert _names(models) == set()


async def test_room_is_looked_at_for_model_and_projector_together(
    hub: FakeHub, tmp_path: Path
) -> None:
    write_projector(tmp_path / "eye")
    hub.projector = (tmp_path / "eye").read_bytes()
    almost = 256 * 1024 * 1024 + len(hub.model) + 10
    with pytest.raises(DownloadError, match="are needed"):
        await _get(hub, tmp_path / "models", free_bytes=lambda _folder: almost)
    assert not (tmp_path / "models").exists()


async def test_projector_that_is_none_is_not_kept(hub: FakeHub, tmp_path: Path) -> None:
    hub.projector = hub.model
    with pytest.raises(DownloadError, match="not a complete projector"):
        await _get(hub, tmp_path / "models")
    assert _names(tmp_path / "models") == set()


async def test_two_downloads_of_one_file_never_make_a_mixed_one(
    hub: FakeHub, tmp_path: Path
) -> None:
    file = await _file(hub)
    partial = tmp_path / f"{file.name}.part"

    def other_writes(size: int) -> None:
        if 0 < size < len(hub.model):
            with partial.open("ab") as other:
                other.write(b"something else")

    with pytest.raises(DownloadError, match="also being downloaded"):
        await download(file, tmp_path, other_writes, _options(hub))
    assert not (tmp_path / file.name).exists()


async def test_broken_and_stalled_lines_are_gone_on_with(hub: FakeHub, tmp_path: Path) -> None:
    hub.behaviours = [_cut_at(100_000), _stalled_at(50_000), _cut_at(7)]
    await _get(hub, tmp_path, stall_s=0.3)
    assert (tmp_path / "tiny-Q4_K_M.gguf").read_bytes() == hub.model
    assert hub.ranges[0] is None
    assert len(hub.ranges) == 4
    assert all(asked and asked != "bytes=0-" for asked in hub.ranges[1:])


async def test_hub_that_never_goes_on_leaves_what_came(hub: FakeHub, tmp_path: Path) -> None:
    hub.behaviours = [_cut_at(100_000), *[_cut_at(0)] * 9]
    with pytest.raises(DownloadError, match="What was downloaded is kept"):
        await _get(hub, tmp_path)
    assert _names(tmp_path) == {"tiny-Q4_K_M.gguf.part", "tiny-Q4_K_M.gguf.part.json"}
    hub.behaviours = []
    told = await _get(hub, tmp_path)
    assert told[0] > 0
    assert (tmp_path / "tiny-Q4_K_M.gguf").read_bytes() == hub.model


async def test_file_that_changed_meanwhile_is_begun_anew(hub: FakeHub, tmp_path: Path) -> None:
    def changed(_request: Received, _answer: Answer) -> Answer:
        hub.etag = '"two"'
        return Answer(200, hub.model, {"ETag": hub.etag})

    hub.behaviours = [_cut_at(100_000), changed]
    await _get(hub, tmp_path)
    assert (tmp_path / "tiny-Q4_K_M.gguf").read_bytes() == hub.model


async def test_other_part_than_was_asked_for_is_not_taken(hub: FakeHub, tmp_path: Path) -> None:
    def elsewhere(_request: Received, answer: Answer) -> Answer:
        return replace(answer, headers={**answer.headers, "Content-Range": "bytes 5-9/10"})

    hub.behaviours = [_cut_at(100_000), elsewhere]
    await _get(hub, tmp_path)
    assert (tmp_path / "tiny-Q4_K_M.gguf").read_bytes() == hub.model
    assert hub.ranges[2] is None


@pytest.mark.security(133)
async def test_wrong_hash_and_wrong_size_leave_nothing(hub: FakeHub, tmp_path: Path) -> None:
    good, hub.model = hub.model, hub.model[:-1] + b"!"
    with pytest.raises(DownloadError, match="does not match its announced checksum"):
        await _get(hub, tmp_path)
    hub.model = good + b"and more"
    hub.listing = {}
    usual = hub.usual()
    usual["siblings"][0]["lfs"]["size"] = len(good)
    hub.listing = usual
    with pytest.raises(DownloadError, match="larger than announced"):
        await _get(hub, tmp_path)
    assert _names(tmp_path) == set()


async def test_download_that_is_not_a_model_is_discarded(hub: FakeHub, tmp_path: Path) -> None:
    hub.model = b"a web page, rather" * 100
    hub.sha256 = hashlib.sha256(hub.model).hexdigest()
    with pytest.raises(DownloadError, match="not a model file"):
        await _get(hub, tmp_path)
    assert _names(tmp_path) == set()


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "with an account"), (403, "with an account"), (404, "no such model"), (418, "(418)")],
)
async def test_refusal_is_explained(hub: FakeHub, tmp_path: Path, status: int, words: str) -> None:
    hub.behaviours = [_status(status)]
    with pytest.raises(DownloadError) as raised:
        await _get(hub, tmp_path)
    assert words in str(raised.value)


async def test_busy_hub_is_asked_again_when_it_says(hub: FakeHub, tmp_path: Path) -> None:
    waited: list[float] = []

    async def note(seconds: float) -> None:
        waited.append(seconds)

    hub.behaviours = [_status(429, Retry_After="7"), _status(503)]
    await _get(hub, tmp_path, sleep=note)
    assert waited == [7.0, 2.0]
    (tmp_path / "tiny-Q4_K_M.gguf").unlink()
    hub.behaviours = [_status(429, Retry_After="3600")]
    with pytest.raises(DownloadError, match="busy"):
        await _get(hub, tmp_path)


@pytest.mark.security(133)
async def test_redirects_are_followed_where_it_is_safe(hub: FakeHub, tmp_path: Path) -> None:
    def to(place: str) -> Behave:
        return lambda _request, _answer: Answer(302, b"", {"Location": place})

    hub.behaviours = [to("/cdn/resolve/elsewhere")]
    await _get(hub, tmp_path)
    assert (tmp_path / "tiny-Q4_K_M.gguf").exists()
    for place in ("http://evil.example/m.gguf", "file:///etc/passwd"):
        hub.behaviours = [to(place)]
        with pytest.raises(DownloadError, match="not safe"):
            await _get(hub, tmp_path / "other")
    hub.behaviours = [to("/again/resolve/it")] * 9
    with pytest.raises(DownloadError, match="in a loop"):
        await _get(hub, tmp_path / "other")


async def test_room_on_the_disk_is_looked_at_first(hub: FakeHub, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"The disk has 0\.0 GB left"):
        await _get(hub, tmp_path, free_bytes=lambda _folder: 1000)
    assert not hub.ranges


async def test_disk_that_is_full_at_nine_tenths_costs_nothing_that_came(
    hub: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.model += bytes(2_000_000)
    hub.sha256 = hashlib.sha256(hub.model).hexdigest()
    begun, nine_tenths = tmp_path / "tiny-Q4_K_M.gguf.part", len(hub.model) * 9 // 10
    opened = Path.open

    def refuse(path: Path, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if "a" in mode and path.stat().st_size >= nine_tenths:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(path, mode, *arguments, **named)

    with monkeypatch.context() as full:
        full.setattr(Path, "open", refuse)
        with pytest.raises(
            DownloadError, match=r"The disk is full\. What was downloaded is kept\."
        ):
            await _get(hub, tmp_path)
    came = begun.stat().st_size
    told = await _get(hub, tmp_path)
    assert nine_tenths <= came < len(hub.model)
    assert told[0] == came
    assert hub.ranges[-1] == f"bytes={came}-"
    assert (tmp_path / "tiny-Q4_K_M.gguf").read_bytes() == hub.model


@pytest.mark.parametrize("name", ["model", "a/b/c", "../x", "/x"])
async def test_repository_is_owner_and_name(hub: FakeHub, name: str) -> None:
    with pytest.raises(DownloadError, match="OWNER/NAME"):
        await list_hub_files(name, _options(hub))


async def test_unreachable_or_malformed_hub_is_reported(hub: FakeHub) -> None:
    hub.listing = {"siblings": "none"}
    assert await list_hub_files(REPOSITORY, _options(hub)) == ()
    await hub.stops()
    with pytest.raises(DownloadError, match="does not answer"):
        await list_hub_files(REPOSITORY, _options(hub))


def test_address_of_the_hub_can_be_changed() -> None:
    assert hub_of({}) == "https://huggingface.co"
    assert hub_of({"HF_ENDPOINT": "https://mirror.example/"}) == "https://mirror.example"
    with pytest.raises(DownloadError):
        hub_of({"HF_ENDPOINT": "http://mirror.example"})


async def test_command_pauses_with_its_input_and_goes_on(hub: FakeHub, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "local_server.cli", "model-files", "get", REPOSITORY]
    command += ["tiny-Q4_K_M.gguf", "--yes", "--json", "--data-dir", str(tmp_path)]
    hub.behaviours = [_stalled_at(400_000)]

    async def start() -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, env={"HF_ENDPOINT": hub.base_url, "PATH": ""}
        )

    first = await start()
    assert first.stdin is not None
    assert first.stdout is not None
    async with asyncio.timeout(_LIMIT_S):
        begun = {"done": 0}
        while not begun["done"]:
            begun = json.loads(await first.stdout.readline())
        first.stdin.close()
        await first.wait()
        second = await start()
        output, _ = await second.communicate()
    assert hub.ranges[1] is not None
    said = [json.loads(line) for line in output.splitlines()]
    assert said[-1] == {"event": "done", "path": str(tmp_path / "models/tiny-Q4_K_M.gguf")}
    assert (tmp_path / "models/tiny-Q4_K_M.gguf").read_bytes() == hub.model
