"""`TaskOwner`, the only place that starts tasks: each has an owner, a name and an error handler."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

log = logging.getLogger(__name__)

_CLOSE_LIMIT_S = 5.0

T = TypeVar("T")
OnError = Callable[[str, BaseException], None]


class TaskOwner:
    """Starts tasks and answers for them until they end.

    `on_error(name, exception)` is called once for each task that failed; a cancelled task is no
    failure. Made by a session, the service or a view model; ends with its `aclose()`.
    """

    def __init__(self, on_error: OnError, *, close_limit_s: float = _CLOSE_LIMIT_S) -> None:
        self._on_error = on_error
        self._close_limit_s = close_limit_s
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    @property
    def is_idle(self) -> bool:
        """Whether none of the started tasks is still running."""
        return not self._tasks

    def start(self, coro: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
        """Run `coro` as a task; its failure also reaches `on_error`.

        Once the owner is closed, `coro` never begins, and its task is cancelled: an object that
        lives longer may still send a signal then.
        """
        task = asyncio.get_running_loop().create_task(coro, name=name)
        if self._is_closed:
            log.debug("%s was started after its owner closed", name)
            task.cancel()
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    async def finish(self) -> None:
        """Wait until every started task has ended."""
        # More than once, as a task may start others before it ends.
        while self._tasks:
            await asyncio.wait(self._tasks)

    def cancel(self) -> None:
        """Ask what runs to end, without waiting; the owner can start more."""
        for task in self._tasks:
            task.cancel()

    async def aclose(self) -> None:
        """Cancel what runs and wait for it, except for the task that is calling."""
        self._is_closed = True
        # A task that closes its own owner would wait for itself.
        pending = self._tasks - {asyncio.current_task()}
        for task in pending:
            task.cancel()
        if not pending:
            return
        _, stuck = await asyncio.wait(pending, timeout=self._close_limit_s)
        for task in stuck:
            log.error("Task %s did not end within %s s", task.get_name(), self._close_limit_s)
        # Done callbacks run one turn after the task: let each failure reach its route first.
        await asyncio.sleep(0)

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._on_error(task.get_name(), error)
