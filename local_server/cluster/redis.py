"""Locks of conversations and rate limits of keys in a Redis, for several services.

`RedisServer` is the connection, with errors in our words.

Locks are leases that are renewed while a turn runs, so those of a service that died expire within
seconds. The requests of a key are counted in one window over all services.
"""

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import SecretStr
from redis import exceptions
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.commands.core import AsyncScript

from local_server.coordination import (
    RATE_WINDOW_S,
    ConversationLock,
    Coordination,
    CoordinationError,
    RateWindow,
)
from local_server.errors import ConversationBusyError, UnavailableError
from local_server.settings import Clock
from local_server.store.records import Owner

log = logging.getLogger(__name__)

_SCHEMES: Final = ("redis://", "rediss://", "unix://")
_CONNECTIONS: Final = 32
_CONNECT_TIMEOUT_S: Final = 1.0
# Covers waiting for a free connection, replacing a dead one, and the answer.
_ANSWER_TIMEOUT_S: Final = 2.0
# Python's TimeoutError is an OSError; an answer that Redis never gives raises ValueError.
_FAILURES: Final = (exceptions.RedisError, OSError, ValueError)
_SILENCES: Final = (exceptions.ConnectionError, exceptions.TimeoutError, OSError)


class RedisServer:
    """A connection to Redis that raises our own errors. Whoever opened it closes it."""

    def __init__(self, pool: BlockingConnectionPool) -> None:
        self._pool = pool
        self._client = Redis(connection_pool=pool)
        self._is_away = False

    @classmethod
    async def open(cls, url: SecretStr) -> "RedisServer":
        """Connect to `redis://…`, `rediss://…` (TLS) or `unix://…`.

        Raises:
            CoordinationError: When that is no such address, or Redis cannot be used there.
        """
        server = cls(_pool(url))
        try:
            await _in_time(server._client.ping())
        except _FAILURES as exc:
            await server.aclose()
            # The original's text may hold parts of the address.
            raise CoordinationError(_refusal(exc)) from None
        return server

    def script(self, text: str) -> AsyncScript:
        """Prepare a script for `run`."""
        return self._client.register_script(text)

    async def run(
        self, script: AsyncScript, keys: Sequence[str], arguments: Sequence[str | int]
    ) -> Any:
        """Run a script, which is one step for everybody else.

        Raises:
            UnavailableError: When Redis does not answer in time, or refuses.
        """
        try:
            answer = await _in_time(script(keys=keys, args=arguments))
        except _FAILURES as exc:
            self._note_away(exc)
            raise UnavailableError from exc
        self._note_back()
        return answer

    async def is_there(self) -> bool:
        """Return whether Redis answers just now."""
        try:
            await _in_time(self._client.ping())
        except _FAILURES as exc:
            self._note_away(exc)
            return False
        self._note_back()
        return True

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()
        await self._pool.disconnect()

    def _note_away(self, exc: Exception) -> None:
        if not self._is_away:
            log.warning("Redis does not answer (%s); requests are refused", type(exc).__name__)
        self._is_away = True

    def _note_back(self) -> None:
        if self._is_away:
            log.info("Redis answers again")
        self._is_away = False


def _pool(url: SecretStr) -> BlockingConnectionPool:
    address = url.get_secret_value()
    if not address.startswith(_SCHEMES):
        raise CoordinationError(
            "The address of Redis has to begin with redis://, rediss:// or unix://."
        )
    try:
        return BlockingConnectionPool.from_url(
            address,
            max_connections=_CONNECTIONS,
            timeout=_ANSWER_TIMEOUT_S,
            socket_connect_timeout=_CONNECT_TIMEOUT_S,
            socket_timeout=_ANSWER_TIMEOUT_S,
            # A connection may have died unnoticed since it was last used.
            retry=Retry(NoBackoff(), 1),
            protocol=2,
        )
    except (ValueError, TypeError):
        raise CoordinationError("The address of Redis cannot be read.") from None


async def _in_time(answer: Awaitable[Any]) -> Any:
    async with asyncio.timeout(_ANSWER_TIMEOUT_S):
        return await answer


def _refusal(exc: Exception) -> str:
    # redis-py wraps errors of connecting: the cause is in the arguments.
    if any(isinstance(part, exceptions.AuthenticationError) for part in (exc, *exc.args)):
        return "Redis refuses the name or the password in its address."
    if isinstance(exc, _SILENCES):
        return "Redis does not answer at its address."
    return f"Redis cannot be used at its address ({type(exc).__name__})."


_LOOK_AGAIN_S: Final = 0.05
_RENEWED_AT_ONCE: Final = 500

# Idempotent: if the answer to the first request was lost, a repeated one says yes again.
_ACQUIRE: Final = """
local holder = redis.call('get', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1
"""
# A restarted Redis may have forgotten the lease; a holder that renews it in time keeps it.
_RENEW: Final = """
local kept = {}
for place, key in ipairs(KEYS) do
    local holder = redis.call('get', key)
    local is_kept = not holder or holder == ARGV[place + 1]
    if is_kept then redis.call('set', key, ARGV[place + 1], 'px', ARGV[1]) end
    kept[place] = is_kept and 1 or 0
end
return kept
"""
_FREE: Final = """
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end
"""

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


@dataclass(frozen=True)
class LeaseTimes:
    """How long a lease lasts without being renewed, and how often it is renewed."""

    lasts_s: float = 6.0
    renewed_every_s: float = 1.5


class Lease:
    """The right to write in one conversation, for as long as it was last renewed for.

    Made by `RedisConversationLocks.acquire`; it ends with its release or its loss.

    Attributes:
        key: The key in Redis.
        token: The value of that key as long as this lease holds the right.
        lost: Done when the right has passed; never after the release.
    """

    def __init__(self, key: str, release: Callable[["Lease"], Awaitable[None]]) -> None:
        self.key = key
        self.token = secrets.token_hex(16)
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._release = release
        self._releasing: asyncio.Future[None] | None = None
        self._end: asyncio.TimerHandle | None = None

    @property
    def is_released(self) -> bool:
        """Return whether the holder has released it."""
        return self._releasing is not None

    @property
    def is_over(self) -> bool:
        """Return whether it holds nothing any more."""
        return self.is_released or self.lost.done()

    def extend_until(self, time: float) -> None:
        """Set the end of the lease to `time` (of the loop's clock)."""
        self._cancel_end()
        if not self.is_over:
            self._end = asyncio.get_running_loop().call_at(time, self.lose)

    def lose(self) -> None:
        """Notify the holder that the right has passed."""
        self._cancel_end()
        if not self.is_over:
            self.lost.set_result(None)

    async def release(self) -> None:
        """Release the right; when this returns, the next one may have it."""
        self._cancel_end()
        if self._releasing is None:
            self._releasing = asyncio.ensure_future(self._release(self))
        await asyncio.shield(self._releasing)

    def _cancel_end(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None


class RedisConversationLocks:
    """The locks of one service among several.

    Made before the application and closed after it.
    """

    def __init__(self, server: RedisServer, wait_s: float, times: LeaseTimes | None = None) -> None:
        self._server = server
        self._wait_s = wait_s
        self._times = times or LeaseTimes()
        self._lasts_ms = round(self._times.lasts_s * 1000)
        self._acquire, self._renew, self._free = map(server.script, (_ACQUIRE, _RENEW, _FREE))
        self._held: set[Lease] = set()
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._renewing: asyncio.Task[None] | None = None
        self._is_closed = False

    async def acquire(self, owner: Owner, conversation_id: str) -> ConversationLock:
        """Lock a conversation, waiting a moment for a turn that its client has just left.

        Raises:
            ConversationBusyError: When the turn there goes on, in whichever service.
            UnavailableError: When Redis does not answer.
        """
        lease = Lease(_key(owner, conversation_id), self._release)
        try:
            asked_at = await self._acquire_key(lease)
        except asyncio.CancelledError:
            # Redis may have granted the lock although its answer was not read.
            await lease.release()
            raise
        self._hold(lease, asked_at)
        return lease

    async def wait_until_free(self, timeout_s: float) -> None:
        """Wait until no lock taken here is held any more, but not longer than this."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._is_idle.wait(), timeout_s)

    async def aclose(self) -> None:
        """Renew nothing any more."""
        # Waiting for an answer, the task may lose its cancellation in Python 3.11.2 (Debian 12).
        self._is_closed = True
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.wait({self._renewing})

    async def _acquire_key(self, lease: Lease) -> float:
        give_up_at = _now() + self._wait_s
        while True:
            asked_at = _now()
            if await self._server.run(self._acquire, [lease.key], [lease.token, self._lasts_ms]):
                return asked_at
            if asked_at >= give_up_at:
                raise ConversationBusyError
            await asyncio.sleep(_LOOK_AGAIN_S)

    def _hold(self, lease: Lease, asked_at: float) -> None:
        lease.extend_until(asked_at + self._times.lasts_s)
        self._held.add(lease)
        self._is_idle.clear()
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew_until_closed(), name="leases")

    async def _renew_until_closed(self) -> None:
        while not self._is_closed:
            await asyncio.sleep(self._times.renewed_every_s)
            held = [lease for lease in self._held if not lease.is_over]
            for start in range(0, len(held), _RENEWED_AT_ONCE):
                await self._renew_some(held[start : start + _RENEWED_AT_ONCE])

    async def _renew_some(self, leases: list[Lease]) -> None:
        asked_at = _now()
        keys = [lease.key for lease in leases]
        tokens = [lease.token for lease in leases]
        try:
            kept = await self._server.run(self._renew, keys, [self._lasts_ms, *tokens])
        except UnavailableError:
            kept = None
        if not isinstance(kept, list) or len(kept) != len(leases):
            # There is time for further tries; a lease that is not renewed expires by itself.
            return
        for lease, is_kept in zip(leases, kept, strict=True):
            if lease.is_released:
                # The renewal may have come after the release, and brought the lease back.
                await self._free_key(lease)
            elif is_kept:
                lease.extend_until(asked_at + self._times.lasts_s)
            else:
                lease.lose()

    async def _release(self, lease: Lease) -> None:
        await self._free_key(lease)
        self._held.discard(lease)
        if not self._held:
            self._is_idle.set()

    async def _free_key(self, lease: Lease) -> None:
        # What cannot be given back now ends by itself.
        with contextlib.suppress(UnavailableError):
            await self._server.run(self._free, [lease.key], [lease.token])


def _now() -> float:
    return asyncio.get_running_loop().time()


def _key(owner: Owner, conversation_id: str) -> str:
    # An id is whatever the client wrote, of any length; Redis need not see it.
    name = f"{owner.project}\0{owner.mode}\0{conversation_id}"
    return f"parley:turn:{hashlib.sha256(name.encode()).hexdigest()}"


class RedisRateLimits:
    """Counts requests of keys in Redis, for all services. Lives as long as the application."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._count = server.script(_COUNT)

    async def count(self, key_id: str, per_minute: int) -> RateWindow:
        """Count a request, unless the sliding minute of its key is full.

        Raises:
            UnavailableError: When Redis does not answer: nothing is let through uncounted.
        """
        keys = [f"parley:requests:{key_id}"]
        answer = await self._server.run(self._count, keys, [RATE_WINDOW_S, per_minute])
        try:
            is_counted, count, age_us = map(int, answer)
        except (TypeError, ValueError) as exc:
            raise UnavailableError from exc
        return RateWindow(bool(is_counted), count, age_us / 1_000_000)


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


async def open_coordination(url: SecretStr, _clock: Clock, release_wait_s: float) -> Coordination:
    """Connect a service to what it shares with the others; whoever opens it closes it.

    Raises:
        CoordinationError: When that is no address of Redis, or it cannot be used there.
    """
    server = await RedisServer.open(url)
    locks = RedisConversationLocks(server, release_wait_s)
    return Coordination(locks, RedisRateLimits(server), RedisBackend(server, locks))
