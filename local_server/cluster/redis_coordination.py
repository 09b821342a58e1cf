"""What services agree on when they share a Redis."""

from dataclasses import dataclass

from pydantic import SecretStr

from local_server.cluster.redis import RedisServer
from local_server.cluster.redis_locks import RedisConversationLocks
from local_server.cluster.redis_rate_limits import RedisRateLimits
from local_server.coordination import Coordination


@dataclass(frozen=True)
class RedisBackend:
    """The Redis, as one service uses it. Made by `open_coordination`."""

    server: RedisServer
    locks: RedisConversationLocks

    async def is_there(self) -> bool:
        """Return whether Redis answers just now."""
        return await self.server.is_there()

    async def aclose(self) -> None:
        """Stop renewing locks, and close the connections."""
        await self.locks.aclose()
        await self.server.aclose()


async def open_coordination(url: SecretStr, release_wait_s: float) -> Coordination:
    """Connect a service to what it shares with the others; whoever opens it closes it.

    Raises:
        SharedError: When that is no address of Redis, or it cannot be used there.
    """
    server = await RedisServer.open(url)
    locks = RedisConversationLocks(server, release_wait_s)
    return Coordination(locks, RedisRateLimits(server), RedisBackend(server, locks))
