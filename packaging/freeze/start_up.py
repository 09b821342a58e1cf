"""Measure how fast the frozen program starts, compared with the same from source.

The window creates its log file right after its first paint, so the file's time is the measurement;
the service prints a ready line.
"""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from checkout import executable, program
from processes import Failed

_RUNS: Final = 5
_LOOK_EVERY_S: Final = 0.001
_TIMEOUT_S: Final = 60.0
PAINT_LIMIT: Final = 1.3
SERVICE_LIMIT: Final = 4.0
_LOADED: Final = "               (goals are for a computer that does nothing else: look again then)"


@dataclass(frozen=True)
class StartUp:
    """The fastest of several starts each, in seconds: other load can only make starts slower."""

    frozen_paint_s: float
    source_paint_s: float
    frozen_ready_s: float

    def table(self) -> str:
        """Return goals and measurements as text, a line each."""
        paint = self.frozen_paint_s / self.source_paint_s
        ready = self.frozen_ready_s / self.frozen_paint_s
        is_within = paint <= PAINT_LIMIT and ready <= SERVICE_LIMIT
        return "\n".join(
            [
                f"{self.frozen_paint_s * 1000:8.0f} ms   first painted window, frozen",
                f"{self.source_paint_s * 1000:8.0f} ms   first painted window, from source",
                f"{paint:8.2f}      {_verdict(paint, PAINT_LIMIT)} {PAINT_LIMIT} times as long",
                f"{self.frozen_ready_s * 1000:8.0f} ms   service ready, frozen",
                f"{ready:8.2f}      {_verdict(ready, SERVICE_LIMIT)} {SERVICE_LIMIT} first paints",
                *([] if is_within else [_LOADED]),
            ]
        )


def measure(folder: Path) -> StartUp:
    """Start what is frozen and the checkout in turn.

    Raises:
        Failed: One of them does not start.
    """
    frozen, source, ready = [], [], []
    for _ in range(_RUNS):
        frozen.append(_timed(_window(executable(folder, "parley")), _has_log))
        source.append(_timed(_window(program("parley")), _has_log))
        ready.append(_timed(_service(executable(folder, "parley-server")), _has_spoken))
    return StartUp(min(frozen), min(source), min(ready))


def _window(path: Path) -> list[str]:
    return [os.fspath(path), "--data"]


def _service(path: Path) -> list[str]:
    return [os.fspath(path), "serve", "--port", "0", "--data-dir"]


def _has_log(folder: Path) -> bool:
    return any((folder / "data" / "logs").glob("*.log"))


def _has_spoken(folder: Path) -> bool:
    return (folder / "output").stat().st_size > 0


def _timed(command: Sequence[str], has_begun: Callable[[Path], bool]) -> float:
    with TemporaryDirectory(ignore_cleanup_errors=True) as work:
        folder = Path(work)
        env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        with (folder / "output").open("wb") as output, (folder / "errors").open("wb") as errors:
            begin = time.monotonic()
            argv = [*command, os.fspath(folder / "data")]
            process = subprocess.Popen(argv, stdout=output, stderr=errors, env=env)
            try:
                return _wait(process, folder, has_begun, begin)
            finally:
                # Its service ends with it, by itself.
                process.kill()
                process.wait()


def _wait(
    process: subprocess.Popen[bytes],
    folder: Path,
    has_begun: Callable[[Path], bool],
    begin: float,
) -> float:
    while not has_begun(folder):
        took_s = time.monotonic() - begin
        if process.poll() is not None or took_s > _TIMEOUT_S:
            words = (folder / "errors").read_text(encoding="utf-8", errors="replace")
            raise Failed(f"{process.args!r} did not start:\n{words}")
        time.sleep(_LOOK_EVERY_S)
    return time.monotonic() - begin


def _verdict(found: float, limit: float) -> str:
    return "within" if found <= limit else "MORE than"
