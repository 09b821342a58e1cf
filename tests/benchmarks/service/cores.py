"""Who runs on which core, and what machine this is."""

import os
import sys
from dataclasses import dataclass

import psutil

from tests.benchmarks import machine


@dataclass(frozen=True)
class Cores:
    """The cores of each role; where the system cannot pin, all of them are empty.

    Attributes:
        measured: What is measured has it for itself, where there are two.
        upstream: The fake model server's.
        asking: This process's; the upstream's where there are only two.
    """

    measured: tuple[int, ...] = ()
    upstream: tuple[int, ...] = ()
    asking: tuple[int, ...] = ()


def divide() -> Cores:
    """Divide the cores that this process may use."""
    if sys.platform != "linux":
        return Cores()
    first, *others = sorted(os.sched_getaffinity(0))
    if not others:
        return Cores()
    return Cores((first,), (others[0],), (others[-1],))


def pin(process: psutil.Process, cores: tuple[int, ...]) -> None:
    """Keep a process on its cores."""
    if cores and sys.platform == "linux":
        process.cpu_affinity(list(cores))


def describe(cores: Cores) -> dict[str, str | int]:
    """Say what machine this is, without a name or a path."""
    return {
        **machine.describe(),
        "pinning": "one core for what is measured" if cores.measured else "none",
    }
