"""What is measured of the service, whoever adds it up."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

from local_server.observing.account import StreamAccount


@dataclass(frozen=True)
class Answered:
    """A request that was answered, or whose client left before.

    Attributes:
        route: The template of its path, such as `/v1/conversations/{conversation_id}`.
        status: None when no answer had begun.
        account: With a stream, what was counted of it.
    """

    route: str
    method: str
    status: int | None
    duration_s: float
    first_delta_s: float | None = None
    account: StreamAccount | None = None


class Meter(Protocol):
    """Adds up what happens. One for the life of the service."""

    def answered(self, request: Answered) -> None:
        """Add a request at its end."""

    def open_stream(self) -> AbstractContextManager[None]:
        """Count a stream as open for as long as this is entered."""


class Unmeasured:
    """The meter of a service whose metrics nobody asks for."""

    def answered(self, request: Answered) -> None:
        """Forget it."""

    def open_stream(self) -> AbstractContextManager[None]:
        """Count nothing."""
        return nullcontext()
