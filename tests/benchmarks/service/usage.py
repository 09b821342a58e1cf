"""What a process and its children use of the machine."""

import asyncio
import time
from collections.abc import Iterator
from typing import Final

import psutil

_QUIET_SHARE: Final = 0.05
_LOOK_S: Final = 0.2
_QUIET_LIMIT_S: Final = 30


def cpu_s(process: psutil.Process) -> float:
    """Return the processor time used so far, in seconds."""
    return sum(sum(one.cpu_times()[:2]) for one in _family(process))


def memory_mb(process: psutil.Process) -> float:
    """Return the memory that is resident, in megabytes of a million bytes."""
    return sum(one.memory_info().rss for one in _family(process)) / 1e6


async def wait_until_quiet(process: psutil.Process) -> None:
    """Wait until a process has done what it was left to do, for half a minute at most."""
    end_s = time.monotonic() + _QUIET_LIMIT_S
    used_s = cpu_s(process)
    while time.monotonic() < end_s:
        await asyncio.sleep(_LOOK_S)
        before_s, used_s = used_s, cpu_s(process)
        if used_s - before_s <= _QUIET_SHARE * _LOOK_S:
            return


def _family(process: psutil.Process) -> Iterator[psutil.Process]:
    yield process
    yield from process.children(recursive=True)
