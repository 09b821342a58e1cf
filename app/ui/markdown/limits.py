"""How much is read in one turn, and of one block; where a block ends that is too much."""

import re
from dataclasses import dataclass
from typing import Final

# A line at the margin behind an empty one that goes on with no list or quote. Only what is there
# counts, and more letters never undo it: what may become the number of an item does not count.
_NEXT: Final = re.compile(
    r"\n[ \t]*\n(?=[^\s>])(?![-*+](?:[ \t\n]|\Z))(?!\d{1,9}(?:\Z|[.)](?:[ \t\n]|\Z)))"
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """At most so many lines and characters."""

    lines: int
    size: int

    def end(self, text: str, start: int) -> int:
        """Return where it ends that begins at `start`: behind a line if there is one near."""
        limit = min(len(text), start + self.size)
        end = start
        for _ in range(self.lines):
            end = text.find("\n", end, limit) + 1
            if not end:
                break
        else:
            return end
        if limit == len(text):
            return limit
        return text.rfind("\n", start + self.size // 2, limit) + 1 or limit


@dataclass(frozen=True, slots=True)
class Limits:
    """`turn` is read at once; of a block that is longer than `block`, the rest is left out."""

    turn: Stretch = Stretch(128, 8 * 1024)
    block: Stretch = Stretch(500, 32 * 1024)


def end_of_rest(text: str, start: int) -> int | None:
    """Return where the next block begins, when the text from `start` on is the rest of one."""
    found = _NEXT.search(text, max(0, start - 2))
    while found and found.end() < start:
        found = _NEXT.search(text, found.end() - 1)
    return found.end() if found else None
