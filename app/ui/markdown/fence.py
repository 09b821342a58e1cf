"""A fenced block that is still open: only its new lines are read."""

import re
from typing import Final

from app.ui.markdown.blocks import Code, Place
from app.ui.markdown.code_text import make_code

_OPENING: Final = re.compile(
    r"(?:[ \t]*\n)*(?:(?P<ticks>`{3,})(?P<info>[^`\n]*)|(?P<waves>~{3,})(?P<words>[^\n]*))\n"
)


class OpenFence:
    """Reads a fenced block that begins at the margin, line by line as it grows."""

    def __init__(self, found: re.Match[str]) -> None:
        marks = found["ticks"] or found["waves"]
        self._info = found["info"] if found["ticks"] else found["words"]
        self._closing = re.compile(rf"^ {{0,3}}{marks[0]}{{{len(marks)},}}[ \t]*$", re.MULTILINE)
        self._content_start = found.end()
        self._read_to = found.end()
        self._content_end: int | None = None

    @classmethod
    def at(cls, text: str, start: int) -> "OpenFence | None":
        """Return the fence that the text from `start` begins with, if its first line is whole."""
        found = _OPENING.match(text, start)
        return cls(found) if found else None

    def read(self, text: str) -> int | None:
        """Read on; return where the text goes on after the closing line, or None."""
        closing = self._closing.search(text, self._read_to)
        self._content_end = closing.start() if closing else None
        if closing and closing.end() < len(text):
            return closing.end() + 1
        # The last line may become another one while it grows.
        self._read_to = max(self._read_to, text.rfind("\n") + 1)
        return None

    def block(self, text: str) -> Code:
        """Return the block as far as it was read."""
        content = text[self._content_start : self._content_end]
        lines_end = content.rfind("\n") + 1
        # Blanks alone are no line yet: code may still follow them.
        if not content[lines_end:].strip(" \t"):
            content = content[:lines_end]
        return make_code(content, self._info, Place())
