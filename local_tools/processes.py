"""Prepare and end processes that run tools: resource limits, clean environment, kill the rest."""

import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from ctypes import CDLL, get_errno
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import resource

# What the MCP SDK hands to a server, and what text and temporary files need.
_POSIX_NAMES: Final = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR")
_WINDOWS_NAMES: Final = (
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
)
ENVIRONMENT_NAMES: Final = _WINDOWS_NAMES if sys.platform == "win32" else _POSIX_NAMES

FILE_LIMIT_BYTES: Final = 1024**3
# The memory that a process may use. Its address space may be larger, since Java and Node reserve
# much more than they use.
MEMORY_LIMIT_BYTES: Final = 2 * 1024**3
ADDRESSES_LIMIT_BYTES: Final = 8 * MEMORY_LIMIT_BYTES
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36
# In CPU time: on a busy computer, wall-clock time could pass without the sweep getting to run.
OWN_SWEEP_LIMIT_S: Final = 0.5


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that a tool may see; PATH keeps only absolute folders."""
    kept = {name: environment[name] for name in ENVIRONMENT_NAMES if name in environment}
    if "PATH" in kept:
        folders = kept["PATH"].split(os.pathsep)
        kept["PATH"] = os.pathsep.join(item for item in folders if Path(item).is_absolute())
    return kept


def forget_other_variables() -> None:
    """Remove variables that starting Python or the frozen program added to our environment."""
    for name in os.environ.keys() - set(ENVIRONMENT_NAMES):
        del os.environ[name]


def limit_resources(
    cpu_s: int, process_limit: int = 0, memory_bytes: int = MEMORY_LIMIT_BYTES
) -> None:
    """Set resource limits of this process and its children; they cannot be raised again.

    Args:
        cpu_s: Processor time of each process.
        process_limit: The number of processes at once; 0 for no limit: outside a namespace of their
            own, all processes of the user would count.
        memory_bytes: Memory of each process.
    """
    if sys.platform == "win32":
        return
    limits = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, FILE_LIMIT_BYTES),
        (resource.RLIMIT_CPU, cpu_s),
    ]
    if sys.platform == "linux":
        # Elsewhere the system knows these limits by name and refuses to set them.
        limits += [
            (resource.RLIMIT_DATA, memory_bytes),
            (resource.RLIMIT_AS, ADDRESSES_LIMIT_BYTES),
        ]
    if process_limit:
        limits.append((resource.RLIMIT_NPROC, process_limit))
    for which, limit in limits:
        _, most = resource.getrlimit(which)
        wanted = limit if most == resource.RLIM_INFINITY else min(limit, most)
        resource.setrlimit(which, (wanted, wanted))


def close_to_others() -> None:
    """Deny other processes of the same user our memory, environment and descriptors (Linux)."""
    _prctl(_PR_SET_DUMPABLE, 0)


def volunteer_when_memory_ends() -> None:
    """Make this process and its children the OOM killer's first choice (Linux)."""
    if sys.platform == "linux":
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def adopt_orphans() -> None:
    """Make this process the parent of orphaned descendants (Linux's child subreaper).

    A descendant that daemonizes then stays our child, and can be found and killed.
    """
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends, or has ended already (Linux)."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def end_own_descendants() -> None:
    """Kill all descendants of this process, and reap them.

    Takes at most `OWN_SWEEP_LIMIT_S` of processor time, if some may not be killed. After
    `adopt_orphans`, the children of a killed process become ours, so even a program that keeps
    forking is caught.
    """
    ends_at = time.process_time() + OWN_SWEEP_LIMIT_S
    while time.process_time() < ends_at:
        for pid in _own_children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        if not _reap_some():
            return


def end_group(pid: int) -> None:
    """Kill the process group that `pid` leads or led."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def signal_name(number: int) -> str:
    """Return the name of a signal, or its number if it has none."""
    names = {item.value: item.name for item in signal.Signals}
    return names.get(number, f"signal {number}")


def _own_children() -> list[int]:
    try:
        # Many times faster than a look at all processes.
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    except OSError:
        return _pids_below()
    return [int(item) for item in children.split()]


def _pids_below() -> list[int]:
    # Imported only where the system itself does not report descendants.
    from local_tools.descendants import descendants  # noqa: PLC0415

    return [item.pid for item in descendants(os.getpid())]


def _reap_some() -> bool:
    """Take note of the children that have ended; false when there are none any more."""
    if sys.platform == "win32":
        return bool(_pids_below())
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        library = CDLL(None, use_errno=True)
        if library.prctl(option, value, 0, 0, 0) != 0:
            raise OSError(get_errno(), "prctl")
