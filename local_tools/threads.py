"""Doing what blocks apart from the event loop, for tools that the program itself runs."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Do it in a thread and wait for it."""
    # Every worker knows these tools, and none runs them.
    import asyncio  # noqa: PLC0415

    return await asyncio.to_thread(act, *args, **kwargs)
