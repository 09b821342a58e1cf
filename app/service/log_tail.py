"""The last lines that the service said, with everything secret taken out."""

import logging
from collections import deque

from app.log_file import redacted

log = logging.getLogger(__name__)

_LINES = 50
_LINE_LIMIT_CHARS = 2000
_REST_LIMIT_BYTES = 4 * _LINE_LIMIT_CHARS
_HIDDEN = "[hidden]"


class LogTail:
    """Collects output by lines and keeps the last fifty.

    One for the service's life, over all its restarts.
    """

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._secrets = tuple(secret for secret in secrets if secret)
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._rest = b""
        self._last_said = ""

    @property
    def last_said(self) -> str:
        """The last line that came from the service itself."""
        return self._last_said

    @property
    def lines(self) -> tuple[str, ...]:
        """Oldest first."""
        return tuple(self._lines)

    def feed(self, chunk: bytes) -> None:
        """Take what came from the service's output."""
        *whole, rest = (self._rest + chunk).split(b"\n")
        # One byte over the limit tells at the line's end that it was longer.
        self._rest = rest[: _REST_LIMIT_BYTES + 1]
        for line in whole:
            if text := _beginning(line).decode("utf-8", "replace").rstrip():
                self.add(text)
                self._last_said = self._lines[-1]

    def end(self) -> None:
        """Take note that the output has ended, perhaps in the middle of a line."""
        if self._rest:
            self.feed(b"\n")

    def add(self, line: str) -> None:
        """Keep one line."""
        if not line:
            return
        for secret in self._secrets:
            line = line.replace(secret, _HIDDEN)
        line = redacted(line)[:_LINE_LIMIT_CHARS]
        self._lines.append(line)
        log.debug("service: %s", line)


def _beginning(line: bytes) -> bytes:
    """Returns the line, or as many whole words of it as can be kept.

    A word that was cut may be half of a secret, which nothing would recognise any more.
    """
    if len(line) <= _REST_LIMIT_BYTES:
        return line
    words = line[:_REST_LIMIT_BYTES].rsplit(None, 1)
    return b" ".join([*words[:-1], "…".encode()])
