"""The limit of a key over several services, kept in a real Redis."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from pydantic import SecretStr

from local_server.cluster.redis import RedisRateLimits, RedisServer
from local_server.coordination import CoordinationError
from local_server.errors import UnavailableError
from tests.support.redis import PASSWORD, RunningRedis, running_redis

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def _limits(redis: RunningRedis) -> AsyncIterator[RedisRateLimits]:
    """Yield what counts in one service."""
    server = await RedisServer.open(SecretStr(redis.url))
    try:
        yield RedisRateLimits(server)
    finally:
        await server.aclose()


async def _are_counted(limits: RedisRateLimits, per_minute: int, requests: int) -> list[bool]:
    """Ask to count so many requests of one key, one after the other."""
    return [(await limits.count("k", per_minute)).is_counted for _ in range(requests)]


@pytest.mark.spec("8-exceeded")
async def test_limit_holds_exactly_over_services_that_count_at_once(redis: RunningRedis) -> None:
    async with _limits(redis) as here, _limits(redis) as there:
        asked = [limits.count("k", 20) for limits in (here, there) for _ in range(15)]
        answers = [window.is_counted for window in await asyncio.gather(*asked)]
        other_key = await there.count("other", 20)
    assert (answers.count(True), answers.count(False)) == (20, 10)
    assert (other_key.is_counted, other_key.count) == (True, 1)


async def test_window_says_how_many_there_are_and_how_old_the_oldest_is(
    redis: RunningRedis,
) -> None:
    async with _limits(redis) as limits:
        first = await limits.count("k", 2)
        redis.age_windows(25)
        second = await limits.count("k", 2)
        refused = await limits.count("k", 2)
    assert (first.is_counted, first.count, first.oldest_age_s) == (True, 1, 0)
    assert (second.is_counted, second.count) == (True, 2)
    assert (refused.is_counted, refused.count) == (False, 2)
    assert 25 <= second.oldest_age_s <= refused.oldest_age_s < 60


@pytest.mark.spec("8-exceeded")
async def test_limit_holds_over_any_sliding_minute(redis: RunningRedis) -> None:
    async with _limits(redis) as limits:
        first = await _are_counted(limits, 3, 2)
        redis.age_windows(40)
        second = await _are_counted(limits, 3, 9)
        redis.age_windows(20)
        third = await _are_counted(limits, 3, 9)
        left_s = redis.seconds_left()
    assert first == [True, True]
    assert second == [True] + [False] * 8
    assert third == [True, True] + [False] * 7
    assert [0 < seconds <= 60 for seconds in left_s] == [True]


async def test_clock_of_redis_that_was_set_back_locks_nobody_out(redis: RunningRedis) -> None:
    async with _limits(redis) as limits:
        assert await _are_counted(limits, 1, 2) == [True, False]
        redis.age_windows(-3600)
        assert await _are_counted(limits, 1, 2) == [True, False]


@pytest.mark.expects_log("Redis does not answer")
async def test_request_that_redis_cannot_count_is_refused_and_later_ones_are_not() -> None:
    with running_redis() as redis:
        async with _limits(redis) as limits:
            assert await _are_counted(limits, 20, 1) == [True]
            redis.stall()
            with pytest.raises(UnavailableError):
                await limits.count("k", 20)
            redis.go_on()
            assert await _are_counted(limits, 20, 1) == [True]
            redis.kill()
            with pytest.raises(UnavailableError):
                await limits.count("k", 20)
            redis.start()
            assert await _are_counted(limits, 20, 1) == [True]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://secret@host", "has to begin with redis://, rediss:// or unix://."),
        ("redis://:secret@host:port/", "The address of Redis cannot be read."),
        ("redis://:secret@127.0.0.1:1/", "Redis does not answer at its address."),
    ],
)
async def test_address_that_cannot_be_used_is_explained_in_one_sentence_without_its_secret(
    url: str, sentence: str
) -> None:
    with pytest.raises(CoordinationError, match=sentence.replace(".", r"\.")) as raised:
        await RedisServer.open(SecretStr(url))
    assert "secret" not in str(raised.value)


async def test_wrong_password_is_named_as_such(redis: RunningRedis) -> None:
    with pytest.raises(CoordinationError, match="refuses the name or the password"):
        await RedisServer.open(SecretStr(redis.url.replace(PASSWORD, "guess")))
