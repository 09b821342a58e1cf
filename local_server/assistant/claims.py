"""At most one turn at a time in a conversation."""

import asyncio
from collections.abc import Callable
from functools import partial

from local_server.errors import ConversationBusyError
from local_server.store.records import Owner

_Place = tuple[Owner, str]


class Claims:
    """Which conversations have a turn under way. One for the life of the application."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._held: dict[_Place, asyncio.Event] = {}

    async def take(self, owner: Owner, conversation_id: str) -> Callable[[], None]:
        """Claim a conversation, and get what frees it again (safe to call twice).

        Waits a moment for a turn that its client has just left.

        Raises:
            ConversationBusyError: When the turn there goes on.
        """
        place = (owner, conversation_id)
        try:
            async with asyncio.timeout(self._wait_s):
                while (held := self._held.get(place)) is not None:
                    await held.wait()
        except TimeoutError as exc:
            raise ConversationBusyError from exc
        mine = self._held[place] = asyncio.Event()
        return partial(self._release, place, mine)

    async def wait_until_free(self, timeout_s: float) -> None:
        """Wait until no turn is under way, but not longer than this."""
        waits = [asyncio.create_task(held.wait()) for held in self._held.values()]
        if waits:
            _, late = await asyncio.wait(waits, timeout=timeout_s)
            for wait in late:
                wait.cancel()

    def _release(self, place: _Place, mine: asyncio.Event) -> None:
        mine.set()
        if self._held.get(place) is mine:
            del self._held[place]
