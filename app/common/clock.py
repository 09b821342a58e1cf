"""Clocks, passed in through constructors so that tests need not wait.

`Clock` is the interface, `SystemClock` the computer's own. `Timestamp` measures the time since a
moment even if the computer slept or its clock was set.
"""

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


def utc_now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)


class Clock(Protocol):
    """The interface of a clock, replaced in tests."""

    def now(self) -> float:
        """Return monotonic seconds; only differences between them have a meaning."""

    def wall(self) -> datetime:
        """Return the present moment by the system's clock, which can be set."""

    async def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A moment by both clocks: the monotonic one stops in sleep, the wall clock can be set."""

    monotonic_s: float
    wall: datetime

    @classmethod
    def of(cls, clock: Clock) -> "Timestamp":
        """Return the present moment."""
        return cls(clock.now(), clock.wall())

    def passed_s(self, clock: Clock) -> float:
        """Return the seconds since then, by the clock that counts more of them."""
        by_wall = (clock.wall() - self.wall).total_seconds()
        return max(clock.now() - self.monotonic_s, by_wall)


class SystemClock:
    """The computer's own time."""

    def now(self) -> float:
        """Return the seconds of the monotonic clock."""
        return time.monotonic()

    def wall(self) -> datetime:
        """Return the present moment, in UTC."""
        return utc_now()

    async def sleep(self, seconds: float) -> None:
        """Wait for this many seconds."""
        await asyncio.sleep(seconds)
