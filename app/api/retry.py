"""When a request may be sent again, and how long to wait before."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.api.errors import ApiError, ConnectFailed, ConnectionLost, ServerFailed

_GATEWAY_STATUSES = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True)
class Retry:
    """Up to `attempts` tries with growing, uneven pauses between them."""

    attempts: int = 3
    first_pause_s: float = 0.25
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random

    def pause_s(self, failures: int) -> float:
        """How long to wait after so many failures, 1 or more."""
        return self.first_pause_s * 2.0 ** (failures - 1) * (0.5 + self.jitter())


def may_send_again(method: str, error: ApiError) -> bool:
    """Whether `method` may be repeated after `error` without the user's word.

    A POST may have been carried out although no answer came: it is repeated only when no
    connection came about. GET and DELETE do no harm twice.
    """
    match error:
        case ConnectFailed():
            return True
        case ConnectionLost(was_maybe_delivered=False):
            # We closed it ourselves: another try would find it closed as well.
            return False
        case ConnectionLost():
            return method != "POST"
        case ServerFailed(status=status):
            return method != "POST" and status in _GATEWAY_STATUSES
        case _:
            return False
