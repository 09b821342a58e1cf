"""The limit of each key, over all services: one window of requests in Redis."""

from typing import Any, Final

from limits.aio.storage import RedisStorage

from local_server.clock import Clock
from local_server.errors import UnavailableError
from local_server.redis.server import RedisServer

# A list for each key, newest request first, in microseconds of Redis's own clock. What the
# library does here would compare the clocks of different machines.
_LOOK: Final = """
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local begin = now - ARGV[1] * 1000000
while true do
    local oldest = tonumber(redis.call('lindex', KEYS[1], -1))
    if not oldest or (oldest > begin and oldest <= now) then break end
    redis.call('rpop', KEYS[1])
end
local count = redis.call('llen', KEYS[1])
"""
_ACQUIRE: Final = f"""{_LOOK}
if count + ARGV[3] > tonumber(ARGV[2]) then return 0 end
for _ = 1, ARGV[3] do
    redis.call('lpush', KEYS[1], string.format('%.0f', now))
end
redis.call('expire', KEYS[1], ARGV[1])
return 1
"""
_STATE: Final = f"""{_LOOK}
local age = 0
if count > 0 then age = now - tonumber(redis.call('lindex', KEYS[1], -1)) end
return {{string.format('%.0f', age), count}}
"""


class RedisWindows(RedisStorage):
    """Keeps the times of the latest requests of each key where all services look.

    Time is Redis's, since those of several machines differ; only what is told to a caller is
    on the clock given here. Lives as long as the application.
    """

    # The library finds storages by these; this one is only ever given.
    STORAGE_SCHEME = None  # type: ignore[assignment]  # the library's own base says None too

    def __init__(self, server: RedisServer, clock: Clock) -> None:
        options: dict[str, Any] = {"connection_pool": server.pool}
        super().__init__("async+redis://", implementation="redispy", **options)
        self._server = server
        self._clock = clock
        self._acquire = server.script(_ACQUIRE)
        self._state = server.script(_STATE)

    async def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count a request, unless the window is full.

        Raises:
            UnavailableError: When Redis does not answer: nothing is let through uncounted.
        """
        keys = [self.bridge.prefixed_key(key)]
        return bool(await self._server.run(self._acquire, keys, [expiry, limit, amount]))

    async def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:  # noqa: ARG002 - the library's signature
        """Tell when the oldest request of the window came, and how many there are.

        Raises:
            UnavailableError: When Redis does not answer.
        """
        keys = [self.bridge.prefixed_key(key)]
        answer = await self._server.run(self._state, keys, [expiry])
        try:
            age_us, count = map(int, answer)
        except (TypeError, ValueError) as exc:
            raise UnavailableError from exc
        return self._clock().timestamp() - age_us / 1_000_000, count
