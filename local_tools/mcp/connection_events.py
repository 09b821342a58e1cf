"""What is known of a connection to a tool server while nobody speaks over it.

`ConnectionEvents` announces its end and its changes, and `ServerLogTail` keeps the last lines that
the server wrote for people, without what is secret. Nothing here needs the SDK, which takes a
second to import.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from local_tools.canonical import clean_text

_LINES: Final = 200
_LINE_CHARS: Final = 500
_SHORTEST_SECRET: Final = 4
_MASK: Final = "•••"


class ServerLogTail:
    """Keeps the last lines of one server. Lives as long as the server is known."""

    def __init__(
        self, secrets: Callable[[], Iterable[str]] = tuple, tell: Callable[[], None] | None = None
    ) -> None:
        """Take what gives all that must not be read in it by now."""
        self._secrets: Final = secrets
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._tell = tell

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first."""
        return tuple(self._lines)

    def add(self, text: str) -> None:
        """Keep one line, or the beginning of a long one."""
        line = clean_text(text).strip()
        known = {secret for secret in self._secrets() if len(secret) >= _SHORTEST_SECRET}
        for secret in sorted(known, key=len, reverse=True):
            line = line.replace(secret, _MASK)
        if line:
            self._lines.append(line if len(line) <= _LINE_CHARS else f"{line[:_LINE_CHARS]}…")
        if line and self._tell:
            self._tell()


class ConnectionEvents:
    """Tells the one who owns a connection that it ended or changed. Lives as long as it.

    Attributes:
        fault: Why it ended, as a sentence; None while it lasts.
        has_changed: The server says that it has other tools; whoever looks at them resets this.
        is_doubted: It may be gone without a word; whoever asks it resets this.
    """

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self.fault: str | None = None
        self.has_changed = False
        self.is_doubted = False

    def end(self, fault: str) -> None:
        """The connection is over; only the first reason counts."""
        self.fault = fault if self.fault is None else self.fault
        self._woken.set()

    def change(self) -> None:
        """There are other tools."""
        self.has_changed = True
        self._woken.set()

    def doubt(self) -> None:
        """Somebody has to ask whether it is still there."""
        self.is_doubted = True
        self._woken.set()

    async def next(self, limit_s: float | None = None) -> None:
        """Wait for a sign that was not waited for before, or until the time is over.

        The end of the time is a doubt.
        """
        try:
            async with asyncio.timeout(limit_s):
                await self._woken.wait()
        except TimeoutError:
            self.is_doubted = True
        self._woken.clear()
