"""Work in a thread that goes on when a test says so."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_LIMIT_S = 20.0
_TURNS = 5


class HeldWork:
    """Blocks the thread of a task once, so that a test can cancel the task at that point."""

    def __init__(self) -> None:
        self._began, self._may_end = threading.Event(), threading.Event()

    def wait(self) -> None:
        """Wait in the thread until the work may end."""
        self._began.set()
        self._may_end.wait(_LIMIT_S)

    def before(self, act: Callable[P, R]) -> Callable[P, R]:
        """Return the same act, which waits first."""

        def act_held(*args: P.args, **kwargs: P.kwargs) -> R:
            self.wait()
            return act(*args, **kwargs)

        return act_held

    async def cancel(self, task: "asyncio.Task[Any]") -> bool:
        """Cancel a task while its work waits, then let that go on.

        Returns:
            Whether it waited for its work, and ended by being cancelled.
        """
        await asyncio.to_thread(self._began.wait, _LIMIT_S)
        task.cancel()
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        has_waited = not task.done()
        self._may_end.set()
        await asyncio.wait({task})
        return has_waited and task.cancelled()
