"""The limit of each key over all services: one window of requests in Redis."""

from typing import Final

from local_server.cluster.redis import RedisServer
from local_server.errors import UnavailableError
from local_server.rate_limits import WINDOW_S, RateWindow

# A list for each key, newest request first, in microseconds of Redis's own clock: the clocks of
# the services' machines differ.
_COUNT: Final = """
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]
local begin = now - ARGV[1] * 1000000
local oldest
while true do
    oldest = tonumber(redis.call('lindex', KEYS[1], -1))
    if not oldest or (oldest > begin and oldest <= now) then break end
    redis.call('rpop', KEYS[1])
end
local count = redis.call('llen', KEYS[1])
local is_counted = count < tonumber(ARGV[2])
if is_counted then
    count = redis.call('lpush', KEYS[1], string.format('%.0f', now))
    redis.call('expire', KEYS[1], ARGV[1])
end
return {is_counted and 1 or 0, count, string.format('%.0f', now - (oldest or now))}
"""


class RedisRateLimits:
    """The latest requests of each key where all services look. Lives as long as the application."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._count = server.script(_COUNT)

    async def count(self, key_id: str, per_minute: int) -> RateWindow:
        """Count a request, unless the sliding minute of its key is full.

        Raises:
            UnavailableError: When Redis does not answer: nothing is let through uncounted.
        """
        keys = [f"parley:requests:{key_id}"]
        answer = await self._server.run(self._count, keys, [WINDOW_S, per_minute])
        try:
            is_counted, count, age_us = map(int, answer)
        except (TypeError, ValueError) as exc:
            raise UnavailableError from exc
        return RateWindow(bool(is_counted), count, age_us / 1_000_000)
