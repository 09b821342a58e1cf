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

    def __init__(self, secrets: Iterable[str] = (), tell: Callable[[], None] | None = None) -> None:
        """Take what must not be read in it: values of variables and headers."""
        known = {secret for secret in secrets if len(secret) >= _SHORTEST_SECRET}
        self._secrets: Final = sorted(known, key=len, reverse=True)
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._tell = tell

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first."""
        return tuple(self._lines)

    def add(self, text: str) -> None:
        """Keep one line, or the beginning of a long one."""
        line = clean_text(text).strip()
        for secret in self._secrets:
            line = line.replace(secret, _MASK)
        if line:
            self._lines.append(line if len(line) <= _LINE_CHARS else f"{line[:_LINE_CHARS]}…")
        if line and self._tell:
            self._tell()
