"""Time that stands still until a test moves it."""

import asyncio
from datetime import UTC, datetime, timedelta

_START = datetime(2025, 3, 4, 5, 6, 7, tzinfo=UTC)


class ManualClock:
    """A `Clock` whose sleepers wake only by `advance`."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self.sleeps: list[float] = []

    def now(self) -> float:
        return self._now

    def wall(self) -> datetime:
        return _START + timedelta(seconds=self._now - 1000)

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + seconds, future))
        await future

    def advance(self, seconds: float) -> None:
        """Let time pass for everybody who sleeps."""
        self._now += seconds
        due = [entry for entry in self._sleepers if entry[0] <= self._now]
        self._sleepers = [entry for entry in self._sleepers if entry[0] > self._now]
        for _, future in due:
            if not future.done():
                future.set_result(None)


class HurriedClock(ManualClock):
    """A clock that moves on as soon as somebody waits for it."""

    async def sleep(self, seconds: float) -> None:
        self.advance(seconds)
        await asyncio.sleep(0)
