"""Whether processes have ended, also where nobody collects orphans."""

import subprocess
import time
from collections.abc import Sequence
from typing import Final

import psutil

_LOOK_AGAIN_S: Final = 0.02


def still_running(processes: Sequence[psutil.Process], timeout_s: float) -> list[psutil.Process]:
    """Wait for the end of `processes`; return those that run on.

    In a container without an init, an orphan that has ended stays in the list of processes.
    """
    _, left = psutil.wait_procs(processes, timeout=timeout_s)
    return [process for process in left if not _has_ended(process)]


def services_of(program: psutil.Process) -> list[psutil.Process]:
    """Return the bundled services among the children of `program`: only they get `--child`.

    Other children may end at any moment; those that do are skipped.
    """
    return [child for child in program.children() if "--child" in _command(child)]


def service_of(program: subprocess.Popen[bytes]) -> psutil.Process:
    """Wait for the bundled service."""
    process = psutil.Process(program.pid)
    while program.poll() is None:
        for service in services_of(process):
            return service
        # Without a pause, this loop would take CPU time from the program.
        time.sleep(_LOOK_AGAIN_S)
    raise AssertionError("the program ended before its service began")


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _has_ended(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
