"""What all services on the same data have to agree on."""

from dataclasses import dataclass
from typing import Protocol

from local_server.assistant.conversation_locks import ConversationLocks, InProcessLocks
from local_server.clock import Clock
from local_server.rate_limits import ProcessRateLimits, RateLimits


class SharedError(Exception):
    """What services share cannot be used; the message says why."""


class CoordinationBackend(Protocol):
    """Where it is kept what services agree on."""

    async def is_there(self) -> bool:
        """Tell whether it can be reached just now."""

    async def aclose(self) -> None:
        """Let go of it."""


class InProcess:
    """The backend of a service that has nobody to agree with."""

    async def is_there(self) -> bool:
        """Say that it is."""
        return True

    async def aclose(self) -> None:
        """Do nothing: it all goes with the process."""


@dataclass(frozen=True)
class Coordination:
    """One for the life of a service; whoever made it closes it.

    Attributes:
        claims: The conversations in which a turn is under way.
        rate_limits: The latest requests of each key.
        keeper: Where both are.
    """

    claims: ConversationLocks
    rate_limits: RateLimits
    keeper: CoordinationBackend

    @classmethod
    def in_this_process(cls, clock: Clock, release_wait_s: float) -> "Coordination":
        """Make it for a service that is alone with its data."""
        return cls(InProcessLocks(release_wait_s), ProcessRateLimits(clock), InProcess())

    async def aclose(self) -> None:
        """Let go of where it is kept, after the application has ended."""
        await self.keeper.aclose()
