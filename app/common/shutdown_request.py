"""The request to quit the program, which `app.main` waits for."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class ShutdownRequest:
    """The request that the program waits for, made by a window or by a signal.

    Attributes:
        is_made: the program is to end.
        has_begun: the start was complete, and the program waited for the request.
    """

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._leave: Callable[[], None] | None = None
        self.is_made = False
        self.has_begun = False

    def announce_shutdown(self) -> None:
        """Note that the program is to end; called by signal handlers, at any point of the code."""
        self.is_made = True
        if self._leave:
            self._leave()

    @contextmanager
    def leaving_by(self, leave: Callable[[], None]) -> Iterator[None]:
        """Call `leave` if shutdown is announced in this block, in which nothing is open yet.

        The block keeps the event loop from running, for seconds if modules are imported in it, so
        `request_shutdown` would come too late.
        """
        self._leave = leave
        try:
            yield
        finally:
            self._leave = None

    def request_shutdown(self) -> None:
        """Ask the program to end, by its window or by a signal."""
        self.is_made = True
        self._event.set()

    async def wait_requested(self) -> None:
        """Wait for the request, also during the start."""
        await self._event.wait()

    async def wait(self) -> None:
        """Wait for the request, after a complete start."""
        self.has_begun = True
        await self.wait_requested()
