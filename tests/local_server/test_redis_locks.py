"""Claims of several services, kept in a real Redis: exactly one at a time, none for ever."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from pydantic import SecretStr
from redis.asyncio import BlockingConnectionPool
from redis.commands.core import AsyncScript

from local_server.cluster.redis import LeaseTimes, RedisConversationLocks, RedisServer
from local_server.coordination import ConversationLock
from local_server.errors import ConversationBusyError, UnavailableError
from local_server.store.records import Owner
from tests.support.redis import RunningRedis, running_redis

pytestmark = pytest.mark.anyio

_LIVE = Owner("demo", "live")
_SHORT = LeaseTimes(lasts_s=0.5, renewed_every_s=0.1)
_LONG = LeaseTimes(lasts_s=30, renewed_every_s=0.02)
_NEVER_RENEWED = LeaseTimes(lasts_s=0.2, renewed_every_s=60)


@asynccontextmanager
async def _locks(
    redis: RunningRedis, times: LeaseTimes = _LONG, wait_s: float = 0
) -> AsyncIterator[RedisConversationLocks]:
    """Yield the locks of a service of its own."""
    server = await RedisServer.open(SecretStr(redis.url))
    locks = RedisConversationLocks(server, wait_s, times)
    try:
        yield locks
    finally:
        await locks.aclose()
        await server.aclose()


async def _is_lost(lock: ConversationLock) -> None:
    async with asyncio.timeout(20):
        await lock.lost


async def test_conversation_claimed_in_one_service_is_busy_in_all(redis: RunningRedis) -> None:
    async with _locks(redis) as here, _locks(redis) as there:
        lock = await here.acquire(_LIVE, "c")
        for service in (here, there):
            with pytest.raises(ConversationBusyError):
                await service.acquire(_LIVE, "c")
        await (await there.acquire(_LIVE, "d")).release()
        await (await there.acquire(Owner("demo", "test"), "c")).release()
        await (await there.acquire(Owner("other", "live"), "c")).release()
        await lock.release()
        await lock.release()
        await (await there.acquire(_LIVE, "c")).release()
    assert redis.keys() == []


async def test_request_waits_a_moment_for_the_turn_that_was_just_left(redis: RunningRedis) -> None:
    async with _locks(redis) as here, _locks(redis, wait_s=20) as there:
        lock = await here.acquire(_LIVE, "c")
        waiting = asyncio.create_task(there.acquire(_LIVE, "c"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(waiting), 0.01)
        await lock.release()
        async with asyncio.timeout(20):
            await (await waiting).release()


async def test_exactly_one_of_many_concurrent_requests_gets_the_lock(redis: RunningRedis) -> None:
    async with _locks(redis) as here, _locks(redis) as there:
        # Each with a connection of its own, and all answered in time on a busy machine, too.
        asked = [service.acquire(_LIVE, "c") for service in (here, there) for _ in range(12)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        [lock] = [answer for answer in answers if not isinstance(answer, BaseException)]
        refused = [answer for answer in answers if isinstance(answer, ConversationBusyError)]
        await lock.release()
    assert len(refused) == 23


class _LosesCancellations(RedisServer):
    """Answers at first, then never, and makes a failure of its own of being cancelled."""

    def __init__(self) -> None:
        super().__init__(BlockingConnectionPool())
        self.waits = asyncio.Event()
        self._has_answered = False

    async def run(
        self, script: AsyncScript, keys: Sequence[str], arguments: Sequence[str | int]
    ) -> int:
        del script, keys, arguments  # The first is to take, all others are to renew.
        if not self._has_answered:
            self._has_answered = True
            return 1
        self.waits.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise UnavailableError from None
        raise AssertionError("nobody sets it")


async def test_closing_ends_though_its_cancellation_is_lost() -> None:
    server = _LosesCancellations()
    locks = RedisConversationLocks(server, 0, _LONG)
    await locks.acquire(_LIVE, "c")
    await server.waits.wait()

    async with asyncio.timeout(20):
        await locks.aclose()
    await server.aclose()


async def test_claim_is_renewed_for_as_long_as_it_is_held(redis: RunningRedis) -> None:
    async with _locks(redis) as here, _locks(redis) as there:
        lock = await here.acquire(_LIVE, "c")
        for _ in range(3):
            redis.let_keys_last()
            await redis.wait_until(lambda: 0 < redis.seconds_left()[0] <= 30)
        assert not lock.lost.done()
        with pytest.raises(ConversationBusyError):
            await there.acquire(_LIVE, "c")
        await lock.release()


async def test_claim_of_a_service_that_died_is_free_when_its_time_is_over(
    redis: RunningRedis,
) -> None:
    async with _locks(redis, wait_s=20) as there:
        async with _locks(redis, _SHORT) as dying:
            await dying.acquire(_LIVE, "c")
        await (await there.acquire(_LIVE, "c")).release()


async def test_claim_that_somebody_else_has_taken_is_lost(redis: RunningRedis) -> None:
    async with _locks(redis) as locks:
        mine = await locks.acquire(_LIVE, "c")
        redis.hand_to_somebody_else()
        await _is_lost(mine)
        await mine.release()
    assert len(redis.keys()) == 1


async def test_release_of_a_lost_claim_leaves_the_next_one_alone(redis: RunningRedis) -> None:
    async with (
        _locks(redis, _NEVER_RENEWED, wait_s=20) as here,
        _locks(redis, wait_s=20) as there,
    ):
        mine = await here.acquire(_LIVE, "c")
        await _is_lost(mine)
        theirs = await there.acquire(_LIVE, "c")
        await mine.release()
        assert len(redis.keys()) == 1
        await theirs.release()


@pytest.mark.expects_log("Redis does not answer (ConnectionError); requests are refused")
async def test_redis_that_comes_back_empty_in_time_costs_no_turn() -> None:
    with running_redis() as redis:
        async with _locks(redis, LeaseTimes(lasts_s=30, renewed_every_s=0.02)) as locks:
            lock = await locks.acquire(_LIVE, "c")
            redis.kill()
            with pytest.raises(UnavailableError):
                await locks.acquire(_LIVE, "d")
            redis.start()
            await redis.wait_until(lambda: bool(redis.keys()))
            assert not lock.lost.done()
            await lock.release()
            assert redis.keys() == []


@pytest.mark.expects_log("Redis does not answer (ConnectionError); requests are refused")
async def test_claim_is_lost_when_redis_stays_away() -> None:
    with running_redis() as redis:
        async with _locks(redis, _SHORT) as locks:
            lock = await locks.acquire(_LIVE, "c")
            redis.kill()
            await _is_lost(lock)
            await lock.release()
            await locks.wait_until_free(20)


async def test_release_that_its_caller_breaks_off_happens_all_the_same(redis: RunningRedis) -> None:
    async with _locks(redis) as locks:
        lock = await locks.acquire(_LIVE, "c")
        redis.stall()
        try:
            releasing = asyncio.create_task(lock.release())
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(releasing, 0.01)
        finally:
            redis.go_on()
        await locks.wait_until_free(20)
        assert redis.keys() == []


async def test_claim_taken_for_a_request_that_was_broken_off_is_given_back(
    redis: RunningRedis,
) -> None:
    async with _locks(redis) as locks:
        redis.stall()
        try:
            taking = asyncio.create_task(locks.acquire(_LIVE, "c"))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(taking), 0.05)
            taking.cancel()
        finally:
            redis.go_on()
        with pytest.raises(asyncio.CancelledError):
            await taking
        assert redis.keys() == []
