"""Timeouts that end when a test says so, or as they do in older versions of Python."""

import asyncio
import sys
from typing import Any

import pytest


class HeldLimit:
    """Whatever may take so many seconds may take for ever, until its time is said to be over."""

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
        """The time of what was begun last is over now."""
        self._held[-1].reschedule(asyncio.get_running_loop().time())


def let_timeouts_be_of_python_3_11_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a time in a task that was cancelled before seems to be another cancellation.

    Nothing is changed from Python 3.12 on, where other waits are made of these timeouts.
    """
    leave = asyncio.Timeout.__aexit__

    async def leave_as_before(self: asyncio.Timeout, *error: Any) -> None:
        vars(self)["_cancelling"] = 0
        await leave(self, *error)

    if sys.version_info < (3, 12):
        monkeypatch.setattr(asyncio.Timeout, "__aexit__", leave_as_before)
