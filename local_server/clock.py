"""Where the service gets its time from, so that tests can give it another."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Tell the present moment, with its zone."""
    return datetime.now(UTC)
