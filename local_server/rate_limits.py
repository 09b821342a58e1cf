"""How many requests a key may make in a minute (specification 8)."""

import math
from collections import deque
from dataclasses import dataclass
from typing import Final, Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from local_server.auth import Caller
from local_server.clock import Clock
from local_server.errors import RateLimitedError, error_response

PLANS: Final = {"free": 60, "pro": 300}
ENTERPRISE: Final = "enterprise"
WINDOW_S: Final = 60
# The three headers that clients and their libraries know. Later drafts put it all into a
# structured one, which hardly any client reads yet.
LIMIT_HEADERS: Final = {
    "RateLimit-Limit": "Requests that the key has in a minute; absent for a key without a limit.",
    "RateLimit-Remaining": "What is left of them now.",
    "RateLimit-Reset": "Seconds until the oldest request leaves the minute.",
}


@dataclass(frozen=True)
class RateWindow:
    """The last minute of a key, just after a request was to be counted.

    Attributes:
        is_counted: Whether it was; a request that finds the window full is not.
        count: How many requests the window holds.
        oldest_age_s: How long ago the oldest of them came.
    """

    is_counted: bool
    count: int
    oldest_age_s: float


class RateLimits(Protocol):
    """The latest requests of each key. One for the life of the application."""

    async def count(self, key_id: str, per_minute: int) -> RateWindow:
        """Count a request, unless the sliding minute of its key is full.

        Raises:
            UnavailableError: When it cannot be counted just now.
        """


class ProcessRateLimits:
    """The latest requests of each key in the memory of this process, on the clock given to it.

    What falls out of a window is dropped when its key comes again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    async def count(self, key_id: str, per_minute: int) -> RateWindow:
        """Count a request, unless the sliding minute of its key is full."""
        times = self._times.setdefault(key_id, deque())
        now = self._clock().timestamp()
        # A clock that was set back must not lock a key out until it has caught up.
        while times and not now - WINDOW_S < times[0] <= now:
            times.popleft()
        is_counted = len(times) < per_minute
        if is_counted:
            times.append(now)
        return RateWindow(is_counted, len(times), now - times[0] if times else 0)


@dataclass(frozen=True)
class WindowState:
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

    def __init__(self, app: ASGIApp, limits: RateLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or count the request and pass it on."""
        caller = scope.get("state", {}).get("caller")
        if not isinstance(caller, Caller) or caller.per_minute is None:
            await self._app(scope, receive, send)
            return
        window = await self._limits.count(caller.key_id, caller.per_minute)
        standing = _standing(window, caller.per_minute)
        saying = _saying(standing, send)
        if standing.is_over:
            refusal = RateLimitedError(standing.per_minute, standing.wait_s)
            await error_response(refusal)(scope, receive, saying)
        else:
            await self._app(scope, receive, saying)


def _standing(window: RateWindow, per_minute: int) -> WindowState:
    wait_s = math.ceil(WINDOW_S - window.oldest_age_s)
    remaining = max(0, per_minute - window.count)
    return WindowState(per_minute, remaining, max(1, wait_s), not window.is_counted)


def _saying(standing: WindowState, send: Send) -> Send:
    """Wrap `send` so that the head of the answer says where the key stands."""
    said = standing.headers()

    async def saying_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *said]
        await send(message)

    return saying_send
