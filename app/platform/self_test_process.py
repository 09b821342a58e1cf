"""Run the self-test as a child process, for the button in the window."""

import asyncio
import contextlib
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from local_tools.aio import wait_bounded
from local_tools.threads import run_in_thread

# Far more than a run takes: one that hangs is ended.
_LIMIT_S: Final = 300.0
_END_S: Final = 5.0
_LINE_LIMIT_BYTES: Final = 64 * 1024
_REPORT: Final = "report.json"
# The child draws off screen, so it must not find a display.
_NOT_PASSED_ON: Final = frozenset({"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})


@dataclass(frozen=True, slots=True)
class SelfTestExit:
    """How a self-test ended.

    Attributes:
        is_good: no check failed.
        report: the results as JSON; empty if it ended before it wrote them.
    """

    is_good: bool
    report: str


def self_test_command(report: Path, language: str) -> list[str]:
    """Return the command line that runs the self-test of this program."""
    options = ["--self-test", "--report", str(report), "--language", language]
    if getattr(sys, "frozen", False):
        return [sys.executable, *options]
    return [sys.executable, "-P", "-m", "app.main", *options]


class SelfTestChild:
    """Runs the self-test once, in a child process; the owner awaits `run` in a task.

    When `run` ends or is cancelled, the child's folder and all its processes are removed.

    Args:
        command: returns the command line for a report file and a language.
    """

    def __init__(self, command: Callable[[Path, str], Sequence[str]] = self_test_command) -> None:
        self._command = command

    async def run(self, language: str, on_line: Callable[[str], None]) -> SelfTestExit:
        """Run it to its end; `on_line` is called with each line as it comes.

        Raises:
            OSError: it cannot be started.
            TimeoutError: it took too long, and was ended.
        """
        with tempfile.TemporaryDirectory(
            prefix="parley-self-test-", ignore_cleanup_errors=True
        ) as name:
            folder = Path(name)
            async with _child(self._command(folder / _REPORT, language), folder) as child:
                async with asyncio.timeout(_LIMIT_S):
                    await _read_lines(child, on_line)
                    code = await child.wait()
            return SelfTestExit(code == 0, _text_of(folder / _REPORT))


@asynccontextmanager
async def _child(command: Sequence[str], folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    child = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        # Nobody reads it: a pipe that is full would stop the child.
        stderr=asyncio.subprocess.DEVNULL,
        env=_around(os.environ, folder),
        limit=_LINE_LIMIT_BYTES,
        cwd=None if getattr(sys, "frozen", False) else Path(__file__).parent.parent.parent,
    )
    try:
        yield child
    finally:
        await _end(child)


def _around(variables: Mapping[str, str], folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in variables.items() if name not in _NOT_PASSED_ON}
    here = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    # Without the reset, PyInstaller treats the child as a part of the program that runs.
    itself = {"PYINSTALLER_RESET_ENVIRONMENT": "1", "PYTHONUTF8": "1"}
    return {**kept, **here, **itself, "QT_QPA_PLATFORM": "offscreen"}


async def _read_lines(child: asyncio.subprocess.Process, on_line: Callable[[str], None]) -> None:
    while child.stdout and (line := await child.stdout.readline()):
        on_line(line.decode("utf-8", errors="replace").rstrip())


async def _end(child: asyncio.subprocess.Process) -> None:
    """Ask it to end, then end it by force, with whatever it started."""
    import psutil  # noqa: PLC0415 - heavy, and no window needs it to start

    from local_tools.descendants import descendants  # noqa: PLC0415 - psutil

    below = descendants(child.pid) if child.returncode is None else []
    try:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.terminate()
            await wait_bounded(_END_S, child.wait())
    finally:
        # Also if the wait above was cancelled.
        if child.returncode is None:
            below += descendants(child.pid)
            with contextlib.suppress(ProcessLookupError):
                child.kill()
        for process in below:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        await wait_bounded(_END_S, child.wait())
        # A process that still writes would keep its folder from being removed.
        await run_in_thread(psutil.wait_procs, below, _END_S)


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""
