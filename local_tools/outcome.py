"""How a call ended: exactly one of these for each."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

OutcomeStatus: TypeAlias = Literal["ok", "failed", "timed_out", "crashed", "stopped", "interrupted"]


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What is told to the assistant and shown to the user.

    Attributes:
        status: `crashed` means that it broke off without a word of the tool, `stopped` that the
            user ended the reply while it ran, and `interrupted` that the program ended meanwhile:
            of both nobody knows how far it came.
        text: The result; begins with `Error: ` unless the status is `ok`.
        cut_bytes: How much was left out of `text`.
    """

    status: OutcomeStatus
    text: str
    duration_ms: int
    cut_bytes: int = 0
