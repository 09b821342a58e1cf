"""Waiting for an end, as those do who are told to stop and have to leave things tidy."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def comes_within(limit_s: float, end: Coroutine[Any, Any, object]) -> bool:
    """Wait for it at most so long; gives whether it came about.

    When the time is over, or who waits is cancelled, `end` is cancelled and seen to its end.

    WORKAROUND In a task that was cancelled, `asyncio.timeout` of Python 3.11.2 (Debian 12) passes
    its own end off for another cancellation, and what is to be done after it is not done; and until
    Python 3.12 `asyncio.wait_for` drops a cancellation that comes together with what it waits for:
    https://github.com/python/cpython/issues/86296
    """
    waited = asyncio.ensure_future(end)
    try:
        await asyncio.wait({waited}, timeout=limit_s)
    finally:
        if waited.cancel():
            await asyncio.wait({waited})
    if waited.cancelled():
        return False
    waited.result()
    return True


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Wait for what must not go on after us, as a thread would.

    Who waits may be cancelled meanwhile as often as anybody likes, and is when it is over. What it
    gave or raised is lost then.

    Work that hangs, as on a disk that is gone, is waited for as long. A cancel scope of anyio
    cancels again at every turn of the loop, which would keep the processor busy: shield it there.
    """
    working = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(working)
    finally:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({working})
        if not working.cancelled():
            # Looked at, so that it is not told of as a failure that nobody saw.
            working.exception()
