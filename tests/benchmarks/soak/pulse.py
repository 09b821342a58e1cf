"""What a run of the program holds at one moment."""

import asyncio
import gc
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, fields

import psutil
import shiboken6
from PySide6.QtWidgets import QApplication

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Pulse:
    """One look at the program and the service that it started."""

    memory_mb: float
    service_memory_mb: float
    descriptors: float
    threads: float
    qt_objects: float
    widgets: float
    tasks: float


def feel() -> Pulse:
    """Look at this process and its children, after a collection of what is left over."""
    gc.collect()
    process = psutil.Process()
    children = process.children(recursive=True)
    return Pulse(
        memory_mb=process.memory_info().rss / _MIB,
        service_memory_mb=sum(child.memory_info().rss for child in children) / _MIB,
        descriptors=process.num_fds(),
        threads=process.num_threads(),
        qt_objects=len(shiboken6.getAllValidWrappers()),
        widgets=len(QApplication.allWidgets()),
        tasks=len(asyncio.all_tasks()),
    )


def beginning_and_end(pulses: Sequence[Pulse]) -> dict[str, tuple[float, float]]:
    """Give each figure's median in the second and in the last quarter of the run.

    The first quarter is left out: caches fill in it.
    """
    quarter = max(1, len(pulses) // 4)
    early, late = pulses[quarter : 2 * quarter] or pulses[:1], pulses[-quarter:]
    return {one.name: (_median(early, one.name), _median(late, one.name)) for one in fields(Pulse)}


def _median(pulses: Sequence[Pulse], name: str) -> float:
    values: list[float] = [getattr(pulse, name) for pulse in pulses]
    return statistics.median(values)
