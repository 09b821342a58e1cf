"""The frozen program that dev.py build has made, for the tests that are run with --frozen."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.support.fake_models import KEY
from tests.support.service import (
    address_of,
    end,
    launch_line,
    listening_socket,
    read_line,
    write_line,
)

_ROOT: Final = Path(__file__).resolve().parents[2]
DIST: Final = _ROOT / "dist"
FOLDER: Final = DIST / "parley"
LIBRARIES: Final = FOLDER / "_internal"
LAUNCH_KEY: Final = "pk_live_" + "k" * 40
_SUFFIX: Final = ".exe" if sys.platform == "win32" else ""
_TIMEOUT_S: Final = 150.0
_MOMENT_S: Final = 0.2


def check_built() -> None:
    """Fail where nothing was built yet."""
    assert FOLDER.is_dir(), "There is no frozen program: python3 packaging/dev.py build"


def program(name: str) -> str:
    """Return the path of one of the executables."""
    return str(FOLDER / f"{name}{_SUFFIX}")


def run(
    name: str, *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run one of the executables to its end."""
    return subprocess.run(
        [program(name), *arguments],
        env={**os.environ, **(env or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=_TIMEOUT_S,
        check=False,
    )


@contextmanager
def self_test_of(folder: Path) -> Iterator[tuple[Iterator[str], Path]]:
    """Run the self-test of a copy; yield its lines as they come, and the file of its stderr."""
    errors = folder.with_suffix(".errors")
    with errors.open("wb") as file:
        process = subprocess.Popen(
            [folder / f"parley{_SUFFIX}", "--self-test"],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            stderr=file,
            encoding="utf-8",
        )
    with process:
        assert process.stdout
        try:
            yield process.stdout, errors
        finally:
            process.terminate()


@contextmanager
def running_window(folder: Path) -> Iterator[Callable[[], None]]:
    """Run the window on a folder; yield a function that pauses, and fails if it has ended."""
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen([program("parley"), "--data", str(folder)], env=env) as process:
        ends_at = time.monotonic() + _TIMEOUT_S

        def wait() -> None:
            with suppress(subprocess.TimeoutExpired):
                raise AssertionError(f"It ended with {process.wait(_MOMENT_S)}.")
            assert time.monotonic() < ends_at

        try:
            yield wait
        finally:
            process.terminate()
            process.wait(_TIMEOUT_S)


@contextmanager
def running_service(
    folder: Path, model: str, variables: Mapping[str, str]
) -> Iterator[tuple[str, Path]]:
    """Run the service as the window does; yield its address and its log file."""
    launch = json.loads(launch_line(LAUNCH_KEY, "s" * 40))
    launch |= {"model": model, "provider_keys": {model.partition(":")[0]: KEY}}
    bound, log = listening_socket(), folder / "log"
    command = [program("parley-server"), "serve", "--child", "--fd", str(bound.fileno())]
    with bound, log.open("wb") as errors:
        process = subprocess.Popen(
            [*command, "--data-dir", str(folder / "data")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            pass_fds=(bound.fileno(),),
            env={**os.environ, **variables},
        )
        try:
            write_line(process, json.dumps(launch) + "\n")
            read_line(process, lambda line: "ready" in line)
            yield address_of(bound), log
        finally:
            end(process)
