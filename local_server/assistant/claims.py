"""At most one turn at a time in a conversation."""

import asyncio
from dataclasses import dataclass, field
from typing import Protocol

from local_server.errors import ConversationBusyError
from local_server.store.records import Owner

_Place = tuple[Owner, str]


class Claim(Protocol):
    """The right to write in one conversation, from the moment it was taken until its release.

    Attributes:
        lost: Done as soon as the right is known to be somebody else's, or nobody's: whoever
            writes must stop at once and store nothing more. Never done after the release.
    """

    @property
    def lost(self) -> asyncio.Future[None]:
        """Tell when the right was lost."""

    async def release(self) -> None:
        """Free the conversation; when this returns, the next turn may begin. Safe to call twice.

        Does not raise when the place where claims are kept cannot be reached: the claim then
        ends by itself.
        """


class Claims(Protocol):
    """Which conversations have a turn under way. One for the life of the application."""

    async def take(self, owner: Owner, conversation_id: str) -> Claim:
        """Claim a conversation.

        Waits a moment for a turn that its client has just left.

        Raises:
            ConversationBusyError: When the turn there goes on.
        """

    async def wait_until_free(self, timeout_s: float) -> None:
        """Wait until no claim taken here is held any more, but not longer than this."""


class ProcessClaims:
    """Claims of a service that is alone with its data: they are lost only with the process."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._held: dict[_Place, _ProcessClaim] = {}

    async def take(self, owner: Owner, conversation_id: str) -> Claim:
        """Claim a conversation, waiting a moment for a turn that its client has just left.

        Raises:
            ConversationBusyError: When the turn there goes on.
        """
        place = (owner, conversation_id)
        try:
            async with asyncio.timeout(self._wait_s):
                while (held := self._held.get(place)) is not None:
                    await asyncio.wait({held.freed})
        except TimeoutError as exc:
            raise ConversationBusyError from exc
        mine = self._held[place] = _ProcessClaim(self._held, place)
        return mine

    async def wait_until_free(self, timeout_s: float) -> None:
        """Wait until no turn is under way, but not longer than this."""
        if self._held:
            await asyncio.wait({held.freed for held in self._held.values()}, timeout=timeout_s)


def _future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


@dataclass(frozen=True, eq=False)
class _ProcessClaim:
    """An entry in the table of its maker, which it takes out at its release."""

    held: dict[_Place, "_ProcessClaim"]
    place: _Place
    freed: asyncio.Future[None] = field(default_factory=_future)
    lost: asyncio.Future[None] = field(default_factory=_future)

    async def release(self) -> None:
        """Free the conversation."""
        if not self.freed.done():
            self.freed.set_result(None)
            del self.held[self.place]
