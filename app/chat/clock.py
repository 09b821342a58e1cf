"""Time, given in from outside so that tests need not wait."""

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the chat knows of time."""

    def now(self) -> float:
        """Seconds that only go forward; their zero means nothing."""

    def wall(self) -> datetime:
        """What the clock on the wall says."""

    async def sleep(self, seconds: float) -> None:
        """Let that time pass."""


class SystemClock:
    """The computer's own time."""

    def now(self) -> float:
        """Seconds that only go forward; their zero means nothing."""
        return time.monotonic()

    def wall(self) -> datetime:
        """What the clock on the wall says."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Let that time pass."""
        await asyncio.sleep(seconds)
