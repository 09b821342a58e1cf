"""Run blocking code in a thread; the caller, even if cancelled, ends no sooner than the code."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def run_in_thread(act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Do it in a thread and wait for it.

    Who is cancelled meanwhile waits, too: what was opened for it must not be closed, and another
    file get its number, while it works.
    """
    # Every worker knows these tools, and none runs them.
    import asyncio  # noqa: PLC0415

    from local_tools.aio import shielded  # noqa: PLC0415

    return await shielded(asyncio.to_thread(act, *args, **kwargs))
