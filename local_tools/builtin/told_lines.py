"""Lines of a file as a search may tell them: what lies in a secret is neither shown nor matched.

A line of a private key looks like any other once it stands alone, and so does the middle of a long
line. So secrets are looked for in the file itself. And since a search that finds nothing tells
something, too, what it finds must not depend on them.
"""

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

# What is secret says so on its own line or a near one, but for private keys.
_NEAR_LINES: Final = 2
_HOLE: Final = "\n"


@dataclass(frozen=True, slots=True)
class ToldLine:
    """One line.

    Attributes:
        text: The line, with a line feed in the place of each secret, which no query has.
        marks: What is told instead of each, in their order.
    """

    text: str
    marks: tuple[str, ...]

    def part(self, start: int, end: int) -> str:
        """What is between two places of `text`, with a mark for each secret in it."""
        before = self.text.count(_HOLE, 0, start)
        first, *others = self.text[start:end].split(_HOLE)
        pairs = zip(self.marks[before:], others, strict=False)
        return first + "".join(f"{mark}{other}" for mark, other in pairs)


class ToldLines:
    """The lines of one file. Made when a search has found one of them, ends with the file."""

    def __init__(self, text: str, lines: list[str]) -> None:
        """Take a text and its lines, which line feeds part."""
        # Takes a while to be there, and a search that finds nothing needs none of it.
        from local_tools.secrets import scan  # noqa: PLC0415

        self._scan = scan
        self._text = text
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self._keys = [(key.start, key.end, key.kind) for key in scan.find_private_keys(text)]

    def line(self, number: int) -> ToldLine:
        """The line of this number, from 1."""
        start, end = self._starts[number - 1], self._starts[number] - 1
        parts, marks, at = [], [], start
        for first, last, kind in self._secrets_near(number):
            if first < end and last > at:
                parts.append(self._text[at : max(at, first)])
                marks.append(self._scan.mask_of(kind))
                at = min(last, end)
        return ToldLine(_HOLE.join([*parts, self._text[at:end]]), tuple(marks))

    def _secrets_near(self, number: int) -> list[tuple[int, int, str]]:
        start = self._starts[max(0, number - 1 - _NEAR_LINES)]
        end = self._starts[min(len(self._starts) - 1, number + _NEAR_LINES)] - 1
        near = self._scan.find_secrets(self._text[start:end])
        return sorted([*self._keys, *((start + s.start, start + s.end, s.kind) for s in near)])
