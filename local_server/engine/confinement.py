"""Run the engine in its own namespaces if bubblewrap works here (Linux).

It sees the system, the interpreter and its model's files, all read-only, and writes into the folder
of its socket alone: no home, no network, no other process. It ends with the service, also while it
loads.

The sandbox of `local_tools` is not used: it protects much more, folders in which a call may write.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_PROGRAM: Final = "bwrap"
# Folders of the system only: a program that somebody put first on PATH would not confine anything.
_SEARCH_PATH: Final = ("/usr/bin", "/bin", "/usr/sbin", "/run/current-system/sw/bin")
_SYSTEM: Final = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    # The number of cores, and their features.
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
)
_TRY_TIMEOUT_S: Final = 5


def find_bubblewrap() -> str:
    """Return the path of bubblewrap; empty if it is not installed."""
    if sys.platform != "linux":
        return ""
    places = (f"{folder}/{_PROGRAM}" for folder in _SEARCH_PATH)
    return next((place for place in places if os.access(place, os.X_OK)), "")


async def can_confine(bubblewrap: str) -> bool:
    """Try whether bubblewrap may create namespaces here; return false for an empty path."""
    if not bubblewrap:
        return False
    command = [*_namespaces(bubblewrap), *_system(), "--", "/bin/true"]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_TRY_TIMEOUT_S):
            return await process.wait() == 0
    except TimeoutError:
        return False
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def confined(
    bubblewrap: str, command: Iterable[str], readable: Iterable[Path], writable: Path
) -> list[str]:
    """Return the command line that runs a command confined.

    Args:
        bubblewrap: The path of bubblewrap.
        command: The command to run.
        readable: The files and folders that it can read, besides the system's.
        writable: The one folder in which it can write.
    """
    shown = [*_system()]
    for path in _as_named_and_found(readable):
        shown += ["--ro-bind", str(path), str(path)]
    shown += ["--bind", str(writable), str(writable), "--remount-ro", "/"]
    return [*_namespaces(bubblewrap), *shown, "--chdir", "/", "--", *command]


def _namespaces(bubblewrap: str) -> list[str]:
    return [
        bubblewrap,
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        # Processes inside cannot kill PID 1 of their namespace.
        "--as-pid-1",
        *("--cap-drop", "ALL"),
        "--clearenv",
        *("--setenv", "LANG", "C.UTF-8"),
    ]


def _system() -> Iterator[str]:
    for place in _SYSTEM:
        path = Path(place)
        if path.is_symlink() and place.count("/") == 1:
            yield from ("--symlink", str(path.readlink()), place)
        elif path.exists():
            yield from ("--ro-bind", place, place)
    yield from ("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp")  # noqa: S108 - its own


def _as_named_and_found(paths: Iterable[Path]) -> dict[Path, None]:
    """Return each path and, if links lead elsewhere, also the path that it resolves to."""
    named = list(paths)
    return dict.fromkeys([*named, *(path.resolve() for path in named)])
