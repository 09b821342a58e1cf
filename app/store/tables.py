"""What the tables of the store have in common."""

from collections.abc import Callable
from datetime import UTC, datetime

from app.store.database import Database


class Table:
    """The rows of one profile in one table. Made by `Store.profile`; lives as long as the store."""

    def __init__(self, database: Database, profile: str, now: Callable[[], datetime]) -> None:
        self._database = database
        self._profile = profile
        self._now = now


def time_text(moment: datetime | None) -> str | None:
    """A time as it is kept: in one zone and one form, so that it sorts as text."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def read_time(text: str | None) -> datetime | None:
    """A kept time."""
    return datetime.fromisoformat(text) if text is not None else None


def storable(text: str) -> str:
    """Text that any encoder takes: halves of surrogate pairs become U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
