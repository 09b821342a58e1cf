"""`ConnectionEvents`: how a connection to a tool server reports to its owner.

Does not import the MCP SDK, which takes a second to load.
"""

import asyncio


class ConnectionEvents:
    """Reports the end or a change of a connection to its owner. Lives as long as the connection.

    Attributes:
        fault: Why it ended, as a sentence; None while it lasts.
        has_changed: The server announced a changed list of tools; its reader resets this.
        is_doubted: The server may have gone silently; the owner pings it and resets this.
    """

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self.fault: str | None = None
        self.has_changed = False
        self.is_doubted = False

    def end(self, fault: str) -> None:
        """Note that the connection has ended; later reasons are ignored."""
        self.fault = fault if self.fault is None else self.fault
        self._woken.set()

    def change(self) -> None:
        """Note that the list of tools has changed."""
        self.has_changed = True
        self._woken.set()

    def doubt(self) -> None:
        """Note that the server has to be pinged."""
        self.is_doubted = True
        self._woken.set()

    async def next(self, limit_s: float | None = None) -> None:
        """Wait for the next event, or until the limit has passed.

        A timeout counts as `doubt`.
        """
        try:
            async with asyncio.timeout(limit_s):
                await self._woken.wait()
        except TimeoutError:
            self.is_doubted = True
        self._woken.clear()
