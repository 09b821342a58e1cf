"""Waiting for an end, as those do who are told to stop and have to leave things tidy."""

import asyncio
from collections.abc import Awaitable


async def comes_within(limit_s: float, end: Awaitable[object]) -> bool:
    """Wait for it at most so long; gives whether it came about.

    WORKAROUND In a task that was cancelled, `asyncio.timeout` of Python 3.11.2 (Debian 12) passes
    its own end off for another cancellation, and what is to be done after it is not done.
    """
    try:
        await asyncio.wait_for(end, limit_s)
    except TimeoutError:
        return False
    return True
