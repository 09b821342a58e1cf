"""The last that a tool server said for people to read, without what is secret."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from local_tools.canonical import clean_text

_LINES: Final = 200
_LINE_CHARS: Final = 500
_SHORTEST_SECRET: Final = 4
_MASK: Final = "•••"


class LogTail:
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
