"""The request to quit the program, which `app.main` waits for."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class ShutdownRequest:
    """The request that the program waits for, made by a window or by a signal.

    Attributes:
        is_made: the program is to end.
        has_begun: everything was there, and the end was waited for.
    """

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._leave: Callable[[], None] | None = None
        self.is_made = False
        self.has_begun = False

    def announce_shutdown(self) -> None:
        """Announce that the program is to end; may be called between any two steps."""
        self.is_made = True
        if self._leave:
            self._leave()

    @contextmanager
    def leaving_by(self, leave: Callable[[], None]) -> Iterator[None]:
        """Call `leave` when the end is announced meanwhile: nothing is open that would suffer.

        The loop cannot hear of it then, as when seconds go by over what is imported.
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
        """Wait for the request, also while not everything is there."""
        await self._event.wait()

    async def wait(self) -> None:
        """Wait for the request, now that everything is there."""
        self.has_begun = True
        await self.wait_requested()
