"""Timeouts as older versions of Python have them."""

import asyncio
import sys
from typing import Any

import pytest


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
