"""What a running tool is given besides its input."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tool has come.

    Attributes:
        done: In units of the tool's own.
        total: In the same units; None while nobody knows.
        text: A few words about what is being done.
    """

    done: float
    total: float | None = None
    text: str = ""


ProgressSink: TypeAlias = Callable[[Progress], None]


class ToolContext:
    """Injected into a tool that has a parameter of this type. Lives as long as the call."""

    def __init__(self, report: ProgressSink, keep: Callable[[bytes], None] | None = None) -> None:
        self._report = report
        self._keep = keep

    def progress(self, done: float, total: float | None = None, text: str = "") -> None:
        """Tell how far the tool has come; calls that come too fast are dropped."""
        self._report(Progress(done, total, text))

    def keep_output(self, data: bytes) -> None:
        """Add to the file with all that a program wrote, for when the result has to be cut."""
        if self._keep is not None:
            self._keep(data)
