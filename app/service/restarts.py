"""How often the service is started again before we give up."""

import time
from collections import deque
from collections.abc import Callable, Sequence

_PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
_WINDOW_S = 60.0


class RestartPlan:
    """Allows as many restarts a minute as there are pauses, each pause longer than the last."""

    def __init__(
        self, pauses_s: Sequence[float] = _PAUSES_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pauses_s = tuple(pauses_s)
        self._clock = clock
        self._recent: deque[float] = deque()

    def next_pause_s(self) -> float | None:
        """How long to wait before the restart that is due now; None to give up."""
        now = self._clock()
        while self._recent and self._recent[0] <= now - _WINDOW_S:
            self._recent.popleft()
        if len(self._recent) >= len(self._pauses_s):
            return None
        self._recent.append(now)
        return self._pauses_s[len(self._recent) - 1]
