"""The limit of a key over several services, kept in a real Redis."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from limits import RateLimitItemPerMinute
from limits.aio.strategies import MovingWindowRateLimiter
from pydantic import SecretStr

from local_server.errors import UnavailableError
from local_server.redis.server import RedisServer
from local_server.redis.windows import RedisWindows
from local_server.shared import SharedError
from tests.support.redis import PASSWORD, RunningRedis, running_redis

pytestmark = pytest.mark.anyio

_MINUTE = RateLimitItemPerMinute(20)


def _a_clock_far_off() -> datetime:
    return datetime(2031, 2, 3, tzinfo=UTC)


@asynccontextmanager
async def _limiter(redis: RunningRedis) -> AsyncIterator[MovingWindowRateLimiter]:
    """What counts in one service, whose clock is wrong by years."""
    server = await RedisServer.open(SecretStr(redis.url))
    try:
        yield MovingWindowRateLimiter(RedisWindows(server, _a_clock_far_off))
    finally:
        await server.aclose()


@pytest.mark.spec("8-exceeded")
async def test_limit_holds_exactly_over_services_that_count_at_once(redis: RunningRedis) -> None:
    async with _limiter(redis) as here, _limiter(redis) as there:
        asked = [limiter.hit(_MINUTE, "k") for limiter in (here, there) for _ in range(15)]
        answers = await asyncio.gather(*asked)
        other_key = await there.hit(_MINUTE, "other")
        stats = await here.get_window_stats(_MINUTE, "k")
    assert (answers.count(True), answers.count(False), other_key) == (20, 10, True)
    assert stats.remaining == 0


async def test_wait_is_told_on_the_clock_of_whoever_asks(redis: RunningRedis) -> None:
    async with _limiter(redis) as limiter:
        await limiter.hit(_MINUTE, "k")
        stats = await limiter.get_window_stats(_MINUTE, "k")
    # The oldest request came at most some seconds ago, so it leaves the window within a minute.
    wait_s = stats.reset_time - _a_clock_far_off().timestamp()
    assert 30 < wait_s <= 60
    assert stats.remaining == 19


@pytest.mark.spec("8-exceeded")
async def test_limit_holds_over_any_sliding_minute(redis: RunningRedis) -> None:
    three = RateLimitItemPerMinute(3)
    async with _limiter(redis) as limiter:
        first = [await limiter.hit(three, "k") for _ in range(2)]
        redis.age_windows(40)
        second = [await limiter.hit(three, "k") for _ in range(9)]
        redis.age_windows(20)
        third = [await limiter.hit(three, "k") for _ in range(9)]
        left_s = redis.seconds_left()
    assert first == [True, True]
    assert second == [True] + [False] * 8
    assert third == [True, True] + [False] * 7
    assert [0 < seconds <= 60 for seconds in left_s] == [True]


async def test_clock_of_redis_that_was_set_back_locks_nobody_out(redis: RunningRedis) -> None:
    one = RateLimitItemPerMinute(1)
    async with _limiter(redis) as limiter:
        assert [await limiter.hit(one, "k") for _ in range(2)] == [True, False]
        redis.age_windows(-3600)
        assert [await limiter.hit(one, "k") for _ in range(2)] == [True, False]


@pytest.mark.expects_log("Redis does not answer")
async def test_request_that_redis_cannot_count_is_refused_and_later_ones_are_not() -> None:
    with running_redis() as redis:
        async with _limiter(redis) as limiter:
            assert await limiter.hit(_MINUTE, "k")
            redis.stall()
            with pytest.raises(UnavailableError):
                await limiter.hit(_MINUTE, "k")
            redis.go_on()
            assert await limiter.hit(_MINUTE, "k")
            redis.kill()
            with pytest.raises(UnavailableError):
                await limiter.hit(_MINUTE, "k")
            redis.start()
            assert await limiter.hit(_MINUTE, "k")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://secret@host", "has to begin with redis://, rediss:// or unix://."),
        ("redis://:secret@host:port/", "The address of Redis cannot be read."),
        ("redis://:secret@127.0.0.1:1/", "Redis does not answer at its address."),
    ],
)
async def test_address_that_cannot_be_used_is_one_sentence_without_its_secret(
    url: str, sentence: str
) -> None:
    with pytest.raises(SharedError, match=sentence.replace(".", r"\.")) as raised:
        await RedisServer.open(SecretStr(url))
    assert "secret" not in str(raised.value)


async def test_wrong_password_is_named_as_such(redis: RunningRedis) -> None:
    with pytest.raises(SharedError, match="refuses the name or the password"):
        await RedisServer.open(SecretStr(redis.url.replace(PASSWORD, "guess")))
