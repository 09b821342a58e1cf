"""What services agree on when they share a Redis."""

from dataclasses import dataclass

from pydantic import SecretStr

from local_server.clock import Clock
from local_server.redis.claims import RedisClaims
from local_server.redis.server import RedisServer
from local_server.redis.windows import RedisWindows
from local_server.shared import Shared


@dataclass(frozen=True)
class SharedRedis:
    """The Redis, as one service uses it. Made by `open_shared`."""

    server: RedisServer
    claims: RedisClaims

    async def is_there(self) -> bool:
        """Tell whether Redis answers just now."""
        return await self.server.is_there()

    async def aclose(self) -> None:
        """Renew no claims any more, and let go of the connections."""
        await self.claims.aclose()
        await self.server.aclose()


async def open_shared(url: SecretStr, clock: Clock, release_wait_s: float) -> Shared:
    """Connect a service to what it shares with the others; whoever opens it closes it.

    Raises:
        SharedError: When that is no address of Redis, or it cannot be used there.
    """
    server = await RedisServer.open(url)
    claims = RedisClaims(server, release_wait_s)
    return Shared(claims, RedisWindows(server, clock), SharedRedis(server, claims))
