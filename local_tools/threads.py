"""Run blocking code in a thread; the caller, even if cancelled, ends no sooner than the code."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def run_in_thread(act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `act` in a thread, wait for its end and return its result.

    A cancelled caller waits as well: it must not close a descriptor that the thread still uses, as
    the system could then reuse its number for another file.
    """
    # Imported late: workers import this module with the built-in tools, but never call this.
    import asyncio  # noqa: PLC0415

    from local_tools.aio import shielded  # noqa: PLC0415

    return await shielded(asyncio.to_thread(act, *args, **kwargs))
