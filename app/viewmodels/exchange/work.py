"""What the window says of exports and imports: one state for both."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkView:
    """How a long piece of work is going, in words.

    While it `is_running` it can be cancelled; `share` is how much is done, 0 to 1. Afterwards
    `words` say what became of it, `is_bad` that it failed, and `path` what it made, if anything.
    """

    words: str
    is_running: bool = False
    share: float = 0.0
    is_bad: bool = False
    path: str = ""
