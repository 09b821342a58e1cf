"""What a request and its answer are, whatever library sends them.

`TransportLimits` says how long each may take, and `RateLimiter` limits the requests of a minute on
our side, so that the service need not refuse any.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

EVENT_STREAM: Final = "text/event-stream"
CONNECT_S: Final = 10.0
"""How long it may take until a connection is there."""

# The limits of one read do not suffice; a service that drips bytes would never meet them.
_HEAD_S: Final = 300.0
_BODY_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class TransportLimits:
    """How long a whole step may take, however busy the connection is meanwhile.

    Attributes:
        head_s: sending a request and reading the head of its answer.
        body_s: reading the body of an answer that is no stream.
        proxy_s: the answer of a proxy, before any of that.
    """

    head_s: float = _HEAD_S
    body_s: float = _BODY_S
    proxy_s: float = CONNECT_S


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """The status, the headers that we read, and the body of an answer."""

    status: int
    content_type: str = ""
    retry_after: str = ""
    location: str = ""
    extensions: str = ""
    body: bytes = b""


class AnswerStream(Protocol):
    """An answer whose body is still to come; closed by whoever opened it."""

    answer: HttpResponse

    async def read(self) -> bytes | None:
        """Wait for the next bytes; None at the end."""

    async def aclose(self) -> None:
        """Close the connection, unless it is at its end."""


_WINDOW_S = 60.0
_PER_MINUTE = 60


class RateLimiter:
    """Counts the requests of the last minute (specification 8).

    Learns from a 429: it closes for as long as the service says, and until the following minute
    is over it allows no more than the service had accepted. Made for one address and key.
    """

    def __init__(
        self, per_minute: int = _PER_MINUTE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._sent: deque[float] = deque()
        self._learned = per_minute
        self._learned_until = 0.0
        self._closed_until = 0.0

    def acquire(self) -> float:
        """Count one request; return 0, or the seconds to wait when none is left."""
        now = self._clock()
        self._forget_old(now)
        if now < self._closed_until:
            return self._closed_until - now
        limit = self._learned if now < self._learned_until else self._per_minute
        if len(self._sent) >= limit:
            return max(self._sent[0] + _WINDOW_S - now, 1.0)
        self._sent.append(now)
        return 0.0

    def back_off(self, retry_after_s: float) -> None:
        """Close for as long as the service says, which refused a request for its rate."""
        now = self._clock()
        self._forget_old(now)
        if self._sent:
            # The service did not count the request that it refused, which is the last one here.
            self._sent.pop()
        self._closed_until = now + retry_after_s
        # One at least, or nothing would be tried before that minute is over.
        self._learned = max(1, len(self._sent))
        self._learned_until = self._closed_until + _WINDOW_S

    def _forget_old(self, now: float) -> None:
        while self._sent and self._sent[0] <= now - _WINDOW_S:
            self._sent.popleft()
