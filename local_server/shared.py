"""What all services on the same data have to agree on."""

from dataclasses import dataclass

from limits.aio.storage import Storage

from local_server.assistant.claims import Claims, ProcessClaims
from local_server.clock import Clock
from local_server.limits import WindowMemory


@dataclass(frozen=True)
class Shared:
    """One for the life of a service; whoever made it closes it.

    Attributes:
        claims: The conversations in which a turn is under way.
        windows: The latest requests of each key.
    """

    claims: Claims
    windows: Storage

    @classmethod
    def in_this_process(cls, clock: Clock, release_wait_s: float) -> "Shared":
        """Make it for a service that is alone with its data."""
        return cls(ProcessClaims(release_wait_s), WindowMemory(clock))
