"""What is measured of the service, whoever adds it up.

A `Meter` adds up requests, each an `AnsweredRequest`. A `StreamAccount` has what is counted of a
stream while it is written.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Final, Literal, Protocol

# Where a stream leaves its account, in the state of its request.
STREAM_ACCOUNT: Final = "stream_account"
# whole: to its last event. left: the client went. stopped: the service did. failed: an error event.
Ending = Literal["whole", "left", "stopped", "failed"]


@dataclass(slots=True)
class StreamAccount:
    """The figures of one stream; filled by whoever writes it, read once it has ended.

    Attributes:
        deltas: How many fragments of text there were.
        characters: How long they were together.
        first_text_at: When the first of them was written, by `time.perf_counter`.
        asks_tool: It ended with the wish for a client's tool.
    """

    deltas: int = 0
    characters: int = 0
    first_text_at: float | None = None
    asks_tool: bool = False
    ending: Ending = "left"

    def note_text(self, text: str) -> None:
        """Count a fragment. It stands in the way of each of them, so it does no more than that."""
        self.deltas += 1
        self.characters += len(text)
        if self.first_text_at is None:
            self.first_text_at = perf_counter()


@dataclass(frozen=True)
class AnsweredRequest:
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

    def answered(self, request: AnsweredRequest) -> None:
        """Add a request at its end."""

    def open_stream(self) -> AbstractContextManager[None]:
        """Count a stream as open for as long as this is entered."""


class Unmeasured:
    """The meter of a service whose metrics nobody asks for."""

    def answered(self, request: AnsweredRequest) -> None:
        """Forget it."""

    def open_stream(self) -> AbstractContextManager[None]:
        """Count nothing."""
        return nullcontext()
