"""Our own limit of requests: exact, and taught by the service."""

import pytest
from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.errors import RateLimited
from app.api.http_exchange import RateLimiter
from tests.support.fake_service import FakeService


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.spec("8-free")
def test_sixty_requests_fit_into_any_minute_and_no_more() -> None:
    clock = Clock()
    rate_limiter = RateLimiter(clock=clock)
    for _ in range(60):
        assert rate_limiter.acquire() == 0
        clock.now += 0.5
    assert rate_limiter.acquire() == 30.0
    clock.now += 30.0
    assert rate_limiter.acquire() == 0
    assert rate_limiter.acquire() == 1.0


def test_after_a_refusal_it_waits_and_then_allows_what_was_accepted() -> None:
    clock = Clock()
    rate_limiter = RateLimiter(clock=clock)
    for _ in range(11):
        assert rate_limiter.acquire() == 0
    rate_limiter.back_off(retry_after_s=12.0)
    assert rate_limiter.acquire() == 12.0
    clock.now += 61.0
    assert [rate_limiter.acquire() == 0 for _ in range(11)] == [True] * 10 + [False]
    clock.now += 61.0
    assert all(rate_limiter.acquire() == 0 for _ in range(60))


@pytest.mark.anyio
@pytest.mark.spec("7.1-429")
async def test_the_client_holds_requests_back_after_a_429() -> None:
    clock = Clock()
    rate_limiter = RateLimiter(clock=clock)
    async with FakeService() as service:
        service.fails_with(429, "rate_limited", retry_after=9)
        client = ApiClient(service.base_url, SecretStr("pk_test_fake"), rate_limiter=rate_limiter)
        async with client:
            with pytest.raises(RateLimited) as caught:
                async with client.chat_stream("c1", "Hi"):
                    pass
            assert caught.value.is_from_service
            with pytest.raises(RateLimited) as held:
                await client.list_agents()
            assert (held.value.retry_after_s, held.value.is_from_service) == (9.0, False)
            assert len(service.requests) == 1
            clock.now += 9.0
            assert await client.list_agents() == ()
