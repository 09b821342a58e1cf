"""What becomes of a connection while nobody speaks over it."""

import asyncio


class Signs:
    """Tells the one who owns a connection that it ended or changed. Lives as long as it.

    Attributes:
        fault: Why it ended, as a sentence; None while it lasts.
        has_changed: The server says that it has other tools; whoever looks at them resets this.
    """

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self.fault: str | None = None
        self.has_changed = False

    def end(self, fault: str) -> None:
        """The connection is over; only the first reason counts."""
        self.fault = fault if self.fault is None else self.fault
        self._woken.set()

    def change(self) -> None:
        """There are other tools."""
        self.has_changed = True
        self._woken.set()

    async def next(self) -> None:
        """Wait for a sign that was not waited for before."""
        await self._woken.wait()
        self._woken.clear()
