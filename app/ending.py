"""The end of the program, and its beginning again: what it waits for."""

import asyncio


class Ending:
    """What the program waits for: that it is to end, or to close and begin again.

    Attributes:
        is_final: it does not begin again.
        has_begun: everything was there, and the end was waited for.
    """

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.is_final = False
        self.has_begun = False

    def end(self) -> None:
        """The program ends, by its window or by a signal."""
        self.is_final = True
        self._event.set()

    def pause(self) -> None:
        """The program closes, and begins again with what was chosen meanwhile."""
        self._event.set()

    async def reached(self) -> None:
        """Waits for either; once more only for the next."""
        self.has_begun = True
        await self._event.wait()
        if not self.is_final:
            self._event.clear()
            self.has_begun = False
