"""`ConnectionEvents` tells the owner of a connection to a tool server that it ended or changed.

Nothing here needs the SDK, which takes a second to import.
"""

import asyncio


class ConnectionEvents:
    """Tells the one who owns a connection that it ended or changed. Lives as long as it.

    Attributes:
        fault: Why it ended, as a sentence; None while it lasts.
        has_changed: The server says that it has other tools; whoever looks at them resets this.
        is_doubted: It may be gone without a word; whoever asks it resets this.
    """

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self.fault: str | None = None
        self.has_changed = False
        self.is_doubted = False

    def end(self, fault: str) -> None:
        """Note that the connection is over; only the first reason counts."""
        self.fault = fault if self.fault is None else self.fault
        self._woken.set()

    def change(self) -> None:
        """Note that there are other tools."""
        self.has_changed = True
        self._woken.set()

    def doubt(self) -> None:
        """Note that somebody has to ask whether it is still there."""
        self.is_doubted = True
        self._woken.set()

    async def next(self, limit_s: float | None = None) -> None:
        """Wait for a sign that was not waited for before, or until the time is over.

        The end of the time is a doubt.
        """
        try:
            async with asyncio.timeout(limit_s):
                await self._woken.wait()
        except TimeoutError:
            self.is_doubted = True
        self._woken.clear()
