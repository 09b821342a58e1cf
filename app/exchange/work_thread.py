"""A thread for one long piece of work, which can be stopped and is waited for."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import TracebackType
from typing import Final, Self, TypeVar

T = TypeVar("T")


class WorkThread:
    """Runs work in order, on a thread of its own: `async with WorkThread("export") as thread`.

    Leaving the block sets `stopped`, which work looks at between its steps, and waits for what
    still runs: files that it writes can then be removed.
    """

    def __init__(self, name: str) -> None:
        self.stopped: Final = Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work` and give what it returns, or raise what it raises."""
        return await asyncio.wrap_future(self._thread.submit(work))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stopped.set()
        ended = asyncio.wrap_future(self._thread.submit(_nothing))
        self._thread.shutdown(wait=False)
        cancelled: asyncio.CancelledError | None = None
        while not ended.done():
            try:
                await asyncio.wait({ended})
            except asyncio.CancelledError as again:
                # Whoever asks twice still gets nothing removed under the hands of the thread.
                cancelled = again
        if cancelled is not None:
            raise cancelled


def _nothing() -> None:
    """Comes after everything that was asked before."""
