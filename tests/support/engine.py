"""llama.cpp's own server with a tiny model, as a process of its own, over loopback."""

import ctypes
import json
import os
import platform
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.support.service import end, get, read_line, write_line

_CHILD: Final = Path(__file__).with_name("engine_child.py")
_CPU_INFO: Final = Path("/proc/cpuinfo")
_ENGINE_LIBRARY: Final = "libgomp.so.1"
_REASON_BYTES: Final = 2000
NAME: Final = "tiny"


@dataclass(frozen=True)
class Engine:
    """An engine that answers.

    Attributes:
        base_url: Its address, without a slash at the end.
        process: The process, to be killed where a test wants that.
    """

    base_url: str
    process: subprocess.Popen[bytes]

    @property
    def model(self) -> str:
        """The id of its model, as the service takes it."""
        return f"openai:{NAME}@{self.base_url}/v1"

    @property
    def port(self) -> int:
        """The port at which it listens."""
        return int(self.base_url.rpartition(":")[2])

    def slots(self) -> list[dict[str, Any]]:
        """Return what it works at, a row for each answer that it can give at once."""
        rows: list[dict[str, Any]] = get(f"{self.base_url}/slots").json()
        return rows

    def ask(self, **body: Any) -> httpx.Response:
        """Ask it directly, without the service."""
        with httpx.Client(trust_env=False, timeout=20) as client:
            return client.post(f"{self.base_url}/v1/chat/completions", json=body)


class TinyModels:
    """Files of tiny models, each written when it is first wanted, for all tests of a session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, name: str, template: str, *, ends: bool = True) -> Path:
        """Find the model of this name and template; another process may write it meanwhile."""
        # Heavy, and not there where the engine is not.
        from tests.support.tiny_model import write_model  # noqa: PLC0415

        path = self._folder / f"{name}.gguf"
        if not path.exists():
            begun = path.with_suffix(f".{secrets.token_hex(8)}")
            write_model(begun, template, ends=ends)
            begun.replace(path)
        return path


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> TinyModels:
    """Return the models; whoever asks is skipped where the engine cannot run."""
    reason = _why_not_here()
    if reason:
        pytest.skip(f"the engine cannot run here: {reason}")
    own = tmp_path_factory.getbasetemp()
    # Several processes of one run share what is beside their own folders.
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "tiny-models"
    shared.mkdir(exist_ok=True)
    return TinyModels(shared)


@contextmanager
def running_engine(
    model: Path, *, window: int = 16_384, slots: int = 2, port: int = 0, key: str = ""
) -> Iterator[Engine]:
    """Run an engine until the end of the block.

    `window` is how many tokens one question and its answer may have; each of `slots` answers has
    as many. Given a port, it can be started again at the same address; given a key, it answers
    nobody without.
    """
    wanted = {"model": str(model), "window": window, "slots": slots, "port": port, "key": key}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            (sys.executable, "-I", str(_CHILD)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
        )
        try:
            write_line(process, json.dumps(wanted) + "\n")
            try:
                ready = json.loads(read_line(process, _is_ready))
            except AssertionError as failure:
                raise AssertionError(f"the engine did not start: {_end_of(said)}") from failure
            yield Engine(ready["address"], process)
        finally:
            end(process)


def _is_ready(line: str) -> bool:
    return line.startswith("{") and json.loads(line).get("event") == "ready"


def _end_of(said: Any) -> str:
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - _REASON_BYTES))
    text: str = said.read().decode(errors="replace")
    return text


def _why_not_here() -> str:
    """Tell why the engine cannot run; empty where it can."""
    if find_spec("xllamacpp") is None:
        return "xllamacpp is not installed"
    if sys.platform != "linux":
        return ""
    is_intel = platform.machine() in {"x86_64", "AMD64"}
    if is_intel and "avx2" not in _CPU_INFO.read_text(encoding="utf-8").split():
        return "the processor has no AVX2"
    try:
        ctypes.CDLL(_ENGINE_LIBRARY)
    except OSError:
        return f"{_ENGINE_LIBRARY} is missing"
    return ""
