"""What one reply may use up."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from local_server.assistant.skills import count_tokens
from local_server.errors import StreamFailureError


@dataclass(frozen=True)
class Limits:
    """The limits of one reply, over all its questions to models.

    Attributes:
        model_calls: How often models may be asked.
        mistakes: How many answers may ask for tools in a way that cannot be met.
        output_tokens: How much models may write, tool calls included.
        seconds: How long it may take.
        clock: Seconds that never go back.
    """

    model_calls: int = 16
    mistakes: int = 3
    output_tokens: int = 64_000
    seconds: float = 900
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)


class Budget:
    """Counts against the limits. Made for one reply, or one part of it after a tool call."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._deadline = limits.clock() + limits.seconds
        self._calls = 0
        self._mistakes = 0
        self._tokens = 0

    @property
    def seconds_left(self) -> float:
        """How long the reply may still take; 0 when its time is up."""
        return max(0.0, self._deadline - self._limits.clock())

    def count_call(self) -> None:
        """Count a question to a model.

        Raises:
            StreamFailureError: When it is one too many.
        """
        self._calls += 1
        if self._calls > self._limits.model_calls:
            raise StreamFailureError(
                f"This reply would need more than {self._limits.model_calls} answers of the model, "
                "which is the limit. Send a message to go on."
            )

    def count_mistake(self) -> None:
        """Count an answer whose calls could not be met.

        Raises:
            StreamFailureError: When it is one too many.
        """
        self._mistakes += 1
        if self._mistakes > self._limits.mistakes:
            raise StreamFailureError(
                "The model asked for tools again and again in a way that cannot be met."
            )

    def count_text(self, text: str) -> None:
        """Count what a model wrote.

        Raises:
            StreamFailureError: When it is too much, or the time is up.
        """
        self._tokens += count_tokens(text)
        if self._tokens > self._limits.output_tokens:
            limit = self._limits.output_tokens
            raise StreamFailureError(f"The reply is longer than {limit:,} tokens, the limit.")
        if self._limits.clock() > self._deadline:
            self.time_is_up()

    def time_is_up(self) -> None:
        """Say so.

        Raises:
            StreamFailureError: Always.
        """
        raise StreamFailureError(
            f"The reply took longer than {self._limits.seconds:.0f} seconds, which is the limit."
        )
