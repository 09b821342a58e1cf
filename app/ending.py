"""The end of the program, and its beginning again: what it waits for."""

import asyncio


class Ending:
    """What the program waits for: that it is to end, or to close and begin again."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.is_final = False

    def end(self) -> None:
        """The program ends, by its window or by a signal."""
        self.is_final = True
        self._event.set()

    def pause(self) -> None:
        """The program closes, and begins again with what was chosen meanwhile."""
        self._event.set()

    async def reached(self) -> None:
        """Waits for either; once more only for the next."""
        await self._event.wait()
        if not self.is_final:
            self._event.clear()
