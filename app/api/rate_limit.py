"""Limit the requests of a minute on our side, so that the service need not refuse any."""

import time
from collections import deque
from collections.abc import Callable

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
            self._sent.pop()
        self._closed_until = now + retry_after_s
        self._learned = max(1, len(self._sent))
        self._learned_until = self._closed_until + _WINDOW_S

    def _forget_old(self, now: float) -> None:
        while self._sent and self._sent[0] <= now - _WINDOW_S:
            self._sent.popleft()
