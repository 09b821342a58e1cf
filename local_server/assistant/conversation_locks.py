"""Locks that allow one turn at a time in a conversation.

`ConversationLocks` is what the service needs of them; `InProcessLocks` serves a service that is
alone with its data. `Interruption` ends a turn from outside and raises the reason in it, as when
its lock is lost.
"""

import asyncio
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from local_server.errors import ConversationBusyError
from local_server.store.records import Owner

_Place = tuple[Owner, str]


class ConversationLock(Protocol):
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

        Does not raise when the place where locks are kept cannot be reached: the lock then
        ends by itself.
        """


class ConversationLocks(Protocol):
    """Which conversations have a turn under way. One for the life of the application."""

    async def acquire(self, owner: Owner, conversation_id: str) -> ConversationLock:
        """Lock a conversation.

        Waits a moment for a turn that its client has just left.

        Raises:
            ConversationBusyError: When the turn there goes on.
        """

    async def wait_until_free(self, timeout_s: float) -> None:
        """Wait until no lock taken here is held any more, but not longer than this."""


class InProcessLocks:
    """Locks of a service that is alone with its data: they are lost only with the process."""

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._held: dict[_Place, _ProcessClaim] = {}

    async def acquire(self, owner: Owner, conversation_id: str) -> ConversationLock:
        """Lock a conversation, waiting a moment for a turn that its client has just left.

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


class Interruption:
    """A block that can be left from outside: where it waits, the reason is raised.

    Entered once, by the task that works. Reasons given before it is entered count; after its
    end nothing happens any more.
    """

    def __init__(self) -> None:
        self._reason: Exception | None = None
        self._timeout = asyncio.timeout(None)
        self._is_open = False

    def interrupt(self, reason: Exception) -> None:
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
