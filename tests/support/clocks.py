"""Time in tests: clocks that stand still, timeouts that wait, and limits of processor time."""

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

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


@contextmanager
def within_own_time(limit_s: float) -> Iterator[None]:
    """Limit the CPU time that a block, or a test, takes in its thread.

    Other threads and processes may take any time. Allow several times the normal time: a shared
    processor is also a slower one.

    Raises:
        AssertionError: It took more.
    """
    began_s = time.thread_time()
    yield
    took_s = time.thread_time() - began_s
    assert took_s <= limit_s, f"It took {took_s:.1f} s of the processor."


class HeldLimit:
    """Makes timeouts of a given length endless, until a test ends them."""

    def __init__(self, limit_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self._held: list[asyncio.Timeout] = []
        begin = asyncio.timeout

        def begin_held(delay: float | None) -> asyncio.Timeout:
            if delay != limit_s:
                return begin(delay)
            self._held.append(begin(None))
            return self._held[-1]

        monkeypatch.setattr(asyncio, "timeout", begin_held)

    def is_over(self) -> None:
        """End the time of what was begun last."""
        self._held[-1].reschedule(asyncio.get_running_loop().time())


def let_timeouts_be_of_python_3_11_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a timeout in a task that was cancelled before look like another cancellation.

    Nothing is changed from Python 3.12 on, where other waits are made of these timeouts.
    """
    leave = asyncio.Timeout.__aexit__

    async def leave_as_before(self: asyncio.Timeout, *error: Any) -> None:
        vars(self)["_cancelling"] = 0
        await leave(self, *error)

    if sys.version_info < (3, 12):
        monkeypatch.setattr(asyncio.Timeout, "__aexit__", leave_as_before)
