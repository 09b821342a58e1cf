"""How a result is written out for reading, and which of its characters stand where."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.ui.markdown.source import show_hidden
from app.viewmodels.approval.held_words import SecretView

# Qt takes seconds for a line without an end; a longer one goes on below, after this sign.
_LINE_CHARS: Final = 512
GOES_ON: Final = "↪ "
_LINE: Final = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a result: its characters, and the positions in the document that show it.

    Attributes:
        number: Which secret it belongs to; None for other text.
        is_masked: A mark stands in its place.
    """

    start: int
    end: int
    first: int
    last: int
    number: int | None = None
    is_masked: bool = False


@dataclass(frozen=True, slots=True)
class ShownResult:
    """A result as it would leave, as text for a document, and where everything in it stands."""

    text: str
    segments: tuple[Segment, ...]

    def between(self, first: int, last: int) -> Sequence[Segment]:
        """The segments that some of these positions of the document show."""
        begin = bisect_right(self.segments, first, key=lambda segment: segment.last)
        end = bisect_right(self.segments, last - 1, key=lambda segment: segment.first)
        return self.segments[begin:end]

    def position_of(self, character: int) -> int:
        """Where in the document this character, or what stands in its place, is shown."""
        at = bisect_right(self.segments, character, key=lambda segment: segment.start) - 1
        return self.segments[max(0, at)].first if self.segments else 0


def show_result(
    text: str, secrets: Sequence[SecretView], opened: frozenset[int], part: tuple[int, int]
) -> ShownResult:
    """Write out what would leave of `text`; nothing in it is hidden or left out."""
    shown: list[str] = []
    segments: list[Segment] = []
    at = column = 0
    for start, end, number in _stretches(secrets, part):
        is_masked = number is not None and number not in opened
        mark = secrets[number].mark if is_masked and number is not None else ""
        pieces = [(start, end, show_hidden(mark))] if is_masked else _pieces(text, start, end)
        for first, last, written in pieces:
            column = 0 if written.endswith("\n") else column + len(written)
            if column >= _LINE_CHARS and last < part[1]:
                shown.append(f"{written}\n{GOES_ON}")
                column = 0
            else:
                shown.append(written)
            length = _length(shown[-1])
            segments.append(Segment(first, last, at, at + length, number, is_masked))
            at += length
    return ShownResult("".join(shown), tuple(segments))


def _stretches(
    secrets: Sequence[SecretView], part: tuple[int, int]
) -> Iterator[tuple[int, int, int | None]]:
    """What lies between secrets, and the secrets, as far as they are in the part."""
    at, last = part
    for number, secret in enumerate(secrets):
        start, end = max(secret.start, part[0]), min(secret.end, part[1])
        if start >= end:
            continue
        if at < start:
            yield at, start, None
        yield start, end, number
        at = end
    if at < last:
        yield at, last, None


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The lines of a stretch, long ones in pieces, and how each is written."""
    stretch = text[start:end]
    is_plain = show_hidden(stretch) == stretch
    for line in _LINE.finditer(text, start, end):
        for first in range(line.start(), line.end(), _LINE_CHARS):
            last = min(line.end(), first + _LINE_CHARS)
            yield first, last, text[first:last] if is_plain else show_hidden(text[first:last])


def _length(text: str) -> int:
    """How many positions of a document a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
