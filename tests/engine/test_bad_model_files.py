"""A model file or a computer that the engine cannot use: each is said in words."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from local_server.engine import engine_process
from local_server.engine.confinement import find_bubblewrap
from tests.support.engine import TinyModels
from tests.support.model_file_service import ended_well, serving_models
from tests.support.tiny_model import PLAIN_TEMPLATE, write_model

pytestmark = pytest.mark.anyio


@pytest.fixture
def model(tiny_models: TinyModels) -> Path:
    return tiny_models.file("plain", PLAIN_TEMPLATE)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2000])


def _cut_in_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:900])


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for place in range(24, 2000, 50):
        data[place] ^= 0xFF
    path.write_bytes(data)


def _of_another_kind(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04" + bytes(4000))


def _unknown_architecture(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"\x05\0\0\0\0\0\0\0llama", b"\x05\0\0\0\0\0\0\0lxama"))


def _without_template(path: Path) -> None:
    path.unlink()
    write_model(path, "")


def _deleted(path: Path) -> None:
    path.unlink()


def _larger_than_memory(path: Path) -> None:
    os.truncate(path, 1 << 43)


def _on_a_disk_that_is_gone(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


_BAD: Final[tuple[tuple[Callable[[Path], None], str], ...]] = (
    (_cut, "is incomplete"),
    (_cut_in_header, "is damaged"),
    (_flipped, "is damaged"),
    (_of_another_kind, "not a model file in the GGUF format"),
    (_unknown_architecture, "unknown model architecture: 'lxama'"),
    (_without_template, "no chat template"),
    (_deleted, "is no longer available"),
    (_larger_than_memory, "GB of memory, but"),
    (_on_a_disk_that_is_gone, "cannot be read"),
    (_a_folder, "cannot be read"),
)


@pytest.mark.parametrize(("spoil", "words"), _BAD, ids=lambda case: getattr(case, "__name__", None))
async def test_bad_file_is_explained_and_costs_no_chat(
    tmp_path: Path, model: Path, spoil: Callable[[Path], None], words: str
) -> None:
    own = tmp_path / "own.gguf"
    shutil.copy(model, own)
    async with serving_models(tmp_path, own) as served:
        chat = await served.service.create()
        first = await served.chat("Hello", chat)
        spoil(own)
        bad = await served.chat("Are you well?", chat)
        listed = (await served.models())[f"file:{own}"]
        if own.is_dir():
            own.rmdir()
        own.unlink(missing_ok=True)
        shutil.copy(model, own)
        again = await served.chat("And now?", chat)
    assert ended_well(first)
    assert bad[-1]["type"] == "error"
    assert words in bad[-1]["message"]
    assert (listed["state"], words in listed["reason"]) == ("unavailable", True)
    assert ended_well(again), again[-1]


async def test_processor_without_avx2_is_named_as_the_reason(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpuinfo").write_text("flags : sse4_2 avx\n")
    monkeypatch.setattr("local_server.engine.memory._CPU_INFO", tmp_path / "cpuinfo")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    async with serving_models(tmp_path, model) as served:
        events = await served.chat("Hello")
        listed = (await served.models())[f"file:{model}"]
    assert "lacks AVX2" in events[-1]["message"]
    assert (listed["state"], "AVX2" in listed["reason"]) == ("unavailable", True)


async def test_missing_library_of_the_engine_is_named_with_its_package(
    tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As the loader says it where libgomp is not installed.
    said = "libgomp.so.1: cannot open shared object file: No such file or directory"
    package = tmp_path / "xllamacpp"
    package.mkdir()
    (package / "__init__.py").write_text(f"raise ImportError({said!r})\n")
    child = Path(engine_process.__file__).with_name("engine_child.py")
    script = f"import runpy, sys; sys.path.insert(0, {str(tmp_path)!r}); "
    script += f"runpy.run_path({str(child)!r}, run_name='__main__')"
    command = [sys.executable, "-I", "-c", script]
    monkeypatch.setattr("local_server.engine.engine_process._command", lambda: command)
    async with serving_models(tmp_path, model, bubblewrap="") as served:
        events = await served.chat("Hello")
    assert "libgomp.so.1" in events[-1]["message"]
    assert "libgomp1 and libstdc++6" in events[-1]["message"]


def _saying(ready: object) -> list[str]:
    """Return a command that announces this in the engine's place, and waits."""
    line = ready if isinstance(ready, str) else json.dumps(ready)
    script = "import sys; sys.stdin.readline(); print(sys.argv[1], flush=True); sys.stdin.read()"
    return [sys.executable, "-I", "-c", script, line]


_READY: Final = {"window": 4096, "has_tools": True, "sees": False}


@pytest.mark.security(130)
@pytest.mark.parametrize(
    ("ready", "bubblewrap"),
    [
        ({**_READY, "address": "http://engine.evil.test:80"}, None),
        ({**_READY, "address": "unix:///run/docker.sock"}, None),
        ({**_READY, "address": "http://127.0.0.1:631"}, None),
        ({**_READY, "address": "http://127.0.0.1:80@evil.test:80"}, ""),
        ({**_READY, "address": "unix:///run/docker.sock"}, ""),
        (_READY, ""),
        ({**_READY, "address": "http://127.0.0.1:1", "window": 0}, ""),
        ('{"address": "http://127.0.0.1:1", "window": 1e999, "has_tools": 1, "sees": 1}', ""),
        ([1], ""),
        ("x" * 100_000, ""),
    ],
)
async def test_engine_that_a_file_took_over_cannot_send_chats_elsewhere(
    tmp_path: Path,
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    ready: object,
    bubblewrap: str | None,
) -> None:
    if bubblewrap is None and not find_bubblewrap():
        pytest.skip("bubblewrap is not installed")
    monkeypatch.setattr("local_server.engine.engine_process._command", lambda: _saying(ready))
    confined = find_bubblewrap() if bubblewrap is None else bubblewrap
    async with serving_models(tmp_path, model, bubblewrap=confined) as served:
        events = await served.chat("A secret")
        listed = (await served.models())[f"file:{model}"]
    assert "its output cannot be read" in events[-1]["message"]
    assert "its output cannot be read" in listed["reason"]


async def test_file_that_is_replaced_while_open_is_loaded_anew(tmp_path: Path, model: Path) -> None:
    own = tmp_path / "own.gguf"
    shutil.copy(model, own)
    async with serving_models(tmp_path, own) as served:
        await served.chat("Hello")
        before = served.keeper.pid
        write_model(tmp_path / "new.gguf", PLAIN_TEMPLATE, name="Another llama")
        (tmp_path / "new.gguf").replace(own)
        events = await served.chat("Who are you?")
        after = served.keeper.pid
    assert ended_well(events)
    assert before != after
