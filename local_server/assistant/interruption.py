"""How work that waits is ended from outside, with the reason."""

import asyncio
from types import TracebackType
from typing import Self


class Interruption:
    """A block that can be left from outside: where it waits, the reason is raised.

    Entered once, by the task that works. Reasons given before it is entered count; after its
    end nothing happens any more.
    """

    def __init__(self) -> None:
        self._reason: Exception | None = None
        self._timeout = asyncio.timeout(None)
        self._is_open = False

    def give(self, reason: Exception) -> None:
        """Interrupt the work; the first reason counts."""
        if self._reason is None:
            self._reason = reason
            self._strike()

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._is_open = True
        self._strike()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_open = False
        try:
            await self._timeout.__aexit__(kind, error, traceback)
        except TimeoutError:
            if self._reason is None:
                raise
            raise self._reason from None

    def _strike(self) -> None:
        if self._is_open and self._reason is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time())
