"""`LogTail` keeps the last lines of a process's output, with secrets redacted."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from local_tools.canonical import clean_text

_LINE_LIMIT_CHARS: Final = 2000
_LINES: Final = 200
_REST_LIMIT_BYTES: Final = 4 * _LINE_LIMIT_CHARS
_SHORTEST_SECRET: Final = 4
_MASK: Final = "•••"


class LogTail:
    """Collects output by lines and keeps the last two hundred, each cut to 2000 characters.

    Kept over all restarts of the process.
    """

    def __init__(
        self,
        secrets: Callable[[], Iterable[str]] = tuple,
        on_line: Callable[[], None] | None = None,
        redact: Callable[[str], str] | None = None,
    ) -> None:
        """Make an empty log.

        Args:
            secrets: Returns the texts to redact; called again for new output.
            on_line: Called after each line that is kept.
            redact: Hides what has the shape of a secret, known or not.
        """
        self._secrets: Final = secrets
        self._on_line = on_line
        self._redact = redact
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._rest = b""
        self.last_fed = ""
        """The last line that came from `feed`; empty before the first."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, oldest first."""
        return tuple(self._lines)

    def feed(self, chunk: bytes) -> None:
        """Append output; complete lines are kept, an incomplete last line is buffered."""
        *whole, rest = (self._rest + chunk).split(b"\n")
        # One byte over the limit shows at the line's end that it was longer.
        self._rest = rest[: _REST_LIMIT_BYTES + 1]
        for line in whole:
            if self.add(_whole_words(line).decode("utf-8", "replace")):
                self.last_fed = self._lines[-1]

    def end(self) -> None:
        """Keep the incomplete last line, as the output has ended."""
        if self._rest:
            self.feed(b"\n")

    def add(self, text: str) -> bool:
        """Keep one line, cut if it is too long; return False for an empty one."""
        line = clean_text(text).rstrip()
        if not line:
            return False
        # A secret of several lines, such as a private key, arrives here line by line.
        known = [secret.splitlines() for secret in self._secrets()]
        for part in sorted({part for parts in known for part in parts}, key=len, reverse=True):
            if len(part) >= _SHORTEST_SECRET:
                line = line.replace(part, _MASK)
        for parts in known:
            if len(parts) == 1:
                line = _without_pieces(line, *parts)
        line = self._redact(line) if self._redact else line
        is_whole = len(line) <= _LINE_LIMIT_CHARS
        self._lines.append(line if is_whole else f"{line[: _LINE_LIMIT_CHARS - 1]}…")
        if self._on_line:
            self._on_line()
        return True


def _without_pieces(line: str, secret: str) -> str:
    """Hide what a line break has cut a secret into, at either end of the line."""
    text = line.strip()
    most = min(len(secret) - 1, len(text))
    if len(text) >= _SHORTEST_SECRET and text in secret:
        return line.replace(text, _MASK)
    for length in range(most, _SHORTEST_SECRET - 1, -1):
        if line.endswith(secret[:length]):
            line = line[:-length] + _MASK
            break
    for length in range(most, _SHORTEST_SECRET - 1, -1):
        if line.lstrip().startswith(secret[-length:]):
            return line.replace(secret[-length:], _MASK, 1)
    return line


def _whole_words(line: bytes) -> bytes:
    """Return the line, or as many whole words of it as can be kept.

    A word that was cut may be half of a secret, which nothing would recognise any more.
    """
    if len(line) <= _REST_LIMIT_BYTES:
        return line
    words = line[:_REST_LIMIT_BYTES].rsplit(None, 1)
    return b" ".join([*words[:-1], "…".encode()])
