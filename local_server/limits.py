"""How many requests a key may make in a minute (specification 8)."""

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

from limits import RateLimitItemPerMinute
from limits.aio.storage import MovingWindowSupport, Storage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.auth import Caller
from local_server.clock import Clock
from local_server.errors import RateLimitedError, error_response

PLANS: Final = {"free": 60, "pro": 300}
ENTERPRISE: Final = "enterprise"
# The three headers that clients and their libraries know. Later drafts put it all into a
# structured one, which hardly any client reads yet.
LIMIT_HEADERS: Final = {
    "RateLimit-Limit": "Requests that the key has in a minute; absent for a key without a limit.",
    "RateLimit-Remaining": "What is left of them now.",
    "RateLimit-Reset": "Seconds until the oldest request leaves the minute.",
}


class WindowMemory(Storage, MovingWindowSupport):
    """Keeps the times of the latest requests of each key, on the clock that it is given.

    The library's own memory reads the system's clock, which a test cannot move. One for the
    life of the application; what falls out of a window is dropped when its key comes again.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    @property
    def base_exceptions(self) -> type[Exception]:
        """Name what the storage may raise."""
        return ValueError

    async def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count a request, unless the window is full."""
        times = self._window(key, expiry)
        if len(times) + amount > limit:
            return False
        times.extend([self._now()] * amount)
        return True

    async def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:  # noqa: ARG002 - the library's signature
        """Tell when the oldest request of the window came, and how many there are."""
        times = self._window(key, expiry)
        return (times[0] if times else self._now()), len(times)

    async def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Refuse: only moving windows are kept here."""
        raise NotImplementedError

    async def get(self, key: str) -> int:
        """Count the requests that are remembered for a key."""
        return len(self._times.get(key, ()))

    async def get_expiry(self, key: str) -> float:
        """Refuse: only moving windows are kept here."""
        raise NotImplementedError

    async def check(self) -> bool:
        """Say that memory is there."""
        return True

    async def reset(self) -> int | None:
        """Forget all keys."""
        count = len(self._times)
        self._times.clear()
        return count

    async def clear(self, key: str) -> None:
        """Forget a key."""
        self._times.pop(key, None)

    def _now(self) -> float:
        return self._clock().timestamp()

    def _window(self, key: str, expiry: int) -> deque[float]:
        times = self._times.setdefault(key, deque())
        now = self._now()
        # A clock that was set back must not lock a key out until it has caught up.
        while times and not now - expiry < times[0] <= now:
            times.popleft()
        return times


@dataclass(frozen=True)
class Standing:
    """Where a key stands in its minute.

    Attributes:
        per_minute: What the key may ask in a minute.
        remaining: What is left of it now.
        wait_s: When the oldest request leaves the minute, and there is one more.
        is_over: Whether this request was one too many. Such a request is not counted.
    """

    per_minute: int
    remaining: int
    wait_s: int
    is_over: bool

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Say it in headers."""
        numbers = (self.per_minute, self.remaining, self.wait_s)
        return [
            (name.lower().encode(), str(number).encode())
            for name, number in zip(LIMIT_HEADERS, numbers, strict=True)
        ]


class Throttle:
    """Answers 429 to a key that asks more often than its plan allows, over any sliding minute.

    Every answer to a key with a limit says where it stands. ASGI middleware; made with the
    application.
    """

    def __init__(self, app: ASGIApp, storage: Storage, clock: Clock) -> None:
        self._app = app
        self._limiter = MovingWindowRateLimiter(storage)
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or count the request and pass it on."""
        caller = scope.get("state", {}).get("caller")
        if not isinstance(caller, Caller) or caller.per_minute is None:
            await self._app(scope, receive, send)
            return
        standing = await self._count(caller.key_id, caller.per_minute)
        saying = _saying(standing, send)
        if standing.is_over:
            refusal = RateLimitedError(standing.per_minute, standing.wait_s)
            await error_response(refusal)(scope, receive, saying)
        else:
            await self._app(scope, receive, saying)

    async def _count(self, key_id: str, per_minute: int) -> Standing:
        item = RateLimitItemPerMinute(per_minute)
        is_counted = await self._limiter.hit(item, key_id)
        window = await self._limiter.get_window_stats(item, key_id)
        wait_s = math.ceil(window.reset_time - self._clock().timestamp())
        return Standing(per_minute, max(0, window.remaining), max(1, wait_s), not is_counted)


def _saying(standing: Standing, send: Send) -> Send:
    """Wrap `send` so that the head of the answer says where the key stands."""
    said = standing.headers()

    async def saying_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *said]
        await send(message)

    return saying_send
