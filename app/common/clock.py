"""Time, given in from outside so that tests need not wait.

`Clock` and `SleepingClock`, which can also wait, are what is asked for the time; `SystemClock` is
the computer's own. `Timestamp` tells how much time has passed since a moment, for what must not
outlast it.
"""

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What is asked for the time."""

    def now(self) -> float:
        """Seconds that only go forward; their zero means nothing."""

    def wall(self) -> datetime:
        """Return what the clock on the wall says."""


@dataclass(frozen=True, slots=True)
class Timestamp:
    """One moment, by both clocks: one stands still while the computer sleeps, one can be set."""

    monotonic_s: float
    wall: datetime

    @classmethod
    def of(cls, clock: Clock) -> "Timestamp":
        """This moment."""
        return cls(clock.now(), clock.wall())

    def passed_s(self, clock: Clock) -> float:
        """Seconds since then: by the clock that says more, so that nothing lasts too long."""
        by_wall = (clock.wall() - self.wall).total_seconds()
        return max(clock.now() - self.monotonic_s, by_wall)


class SleepingClock(Protocol):
    """What the chat knows of time."""

    def now(self) -> float:
        """Seconds that only go forward; their zero means nothing."""

    def wall(self) -> datetime:
        """Return what the clock on the wall says."""

    async def sleep(self, seconds: float) -> None:
        """Let that time pass."""


class SystemClock:
    """The computer's own time."""

    def now(self) -> float:
        """Seconds that only go forward; their zero means nothing."""
        return time.monotonic()

    def wall(self) -> datetime:
        """Return what the clock on the wall says."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Let that time pass."""
        await asyncio.sleep(seconds)
