"""A fenced block that is still open: only its new lines are read."""

import re
from typing import Final

from app.ui.markdown.blocks import Code, Place
from app.ui.markdown.code_text import SIZE_LIMIT, cut_code
from app.ui.markdown.limits import Stretch
from app.ui.markdown.source import show_hidden

_OPENING: Final = re.compile(
    r"(?:[ \t]*\n)*(?:(?P<ticks>`{3,})(?P<info>[^`\n]*)|(?P<waves>~{3,})(?P<words>[^\n]*))\n"
)


class OpenFence:
    """Reads a fenced block that begins at the margin, line by line as it grows.

    Made by the feed that meets the fence; ends with its closing line.
    """

    def __init__(self, found: re.Match[str]) -> None:
        marks = found["ticks"] or found["waves"]
        self._info = found["info"] if found["ticks"] else found["words"]
        self._closing = re.compile(rf"^ {{0,3}}{marks[0]}{{{len(marks)},}}[ \t]*$", re.MULTILINE)
        self._start = self._read_to = found.end()
        self._end: int | None = None
        # The lines that are whole, as they are shown.
        self._shown = ""
        self._shown_to = found.end()

    @classmethod
    def at(cls, text: str, start: int, limit: Stretch) -> "OpenFence | None":
        """Return the fence that the text from `start` begins with, if its first line is whole.

        One that comes to no end within `limit` is none: it is cut before its end comes.
        """
        found = _OPENING.match(text, start)
        return cls(found) if found and found.end() <= limit.end(text, start) else None

    def read(self, text: str) -> int | None:
        """Read on; return where the text goes on after the closing line, or None."""
        closing = self._closing.search(text, self._read_to)
        self._end = closing.start() if closing else None
        if closing and closing.end() < len(text):
            return closing.end() + 1
        # The last line may become another one while it grows.
        self._read_to = max(self._read_to, text.rfind("\n") + 1)
        return None

    def block(self, text: str) -> Code:
        """Return the block as far as it was read."""
        end = self._content_end(text)
        limit = min(end, self._start + SIZE_LIMIT)
        whole = text.rfind("\n", self._shown_to, limit) + 1
        if whole > self._shown_to:
            self._shown += show_hidden(text[self._shown_to : whole])
            self._shown_to = whole
        shown = self._shown + show_hidden(text[self._shown_to : limit])
        if self._shown_to > limit:
            # A break that was followed by the closing line is the last one after all.
            shown = shown.removesuffix("\n")
        lines = text.count("\n", self._start, end) + 1
        return cut_code(Code(shown, self._info, lines, Place()), is_cut=limit < end)

    def _content_end(self, text: str) -> int:
        """Return where the content ends, without the break of its last line."""
        end = len(text) if self._end is None else self._end
        line = max(self._start, text.rfind("\n", self._start, end) + 1)
        # Blanks alone are no line yet: code may still follow them.
        if text[line:end].strip(" \t"):
            return end
        return max(self._start, line - 1)
