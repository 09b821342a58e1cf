"""Where rows of one height stand under the captions of their groups."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from app.chat.conversation_rows import ConversationRow

CaptionOf = Callable[[ConversationRow], str]

NOWHERE: Final = -1


class Groups:
    """The places of rows that are in order, in px from the top of the first caption.

    Made anew for each state of the rows; that takes some steps for each group, not for each row.
    """

    def __init__(
        self,
        rows: Sequence[ConversationRow],
        caption_of: CaptionOf,
        row_height: int,
        caption_height: int,
    ) -> None:
        self.count: Final = len(rows)
        self.row_height: Final = row_height
        self.caption_height: Final = caption_height
        self._firsts: list[int] = []
        self._captions: list[str] = []
        first = 0
        while first < len(rows):
            self._firsts.append(first)
            self._captions.append(caption_of(rows[first]))
            first = _end_of_group(rows, first, caption_of)
        self._tops = [
            first * row_height + number * caption_height
            for number, first in enumerate(self._firsts)
        ]

    @property
    def height(self) -> int:
        """The height of everything."""
        return self.count * self.row_height + len(self._firsts) * self.caption_height

    def captions(self) -> Iterator[tuple[str, int]]:
        """Gives each caption with its top."""
        return zip(self._captions, self._tops, strict=True)

    def top_of(self, row: int) -> int:
        """Returns the top of a row, which is below its caption."""
        return row * self.row_height + bisect_right(self._firsts, row) * self.caption_height

    def has_caption(self, row: int) -> bool:
        """Tells whether a caption stands above the row."""
        at = bisect_left(self._firsts, row)
        return at < len(self._firsts) and self._firsts[at] == row

    def row_at(self, y: int) -> int:
        """Returns the row at this place, or `NOWHERE` on a caption and outside."""
        group = bisect_right(self._tops, y) - 1
        if group < 0 or y >= self.height:
            return NOWHERE
        below_caption = y - self._tops[group] - self.caption_height
        return self._firsts[group] + below_caption // self.row_height if below_caption >= 0 else -1

    def first_below(self, y: int) -> int:
        """Returns the first row of which something is below this place; `count` if none is."""
        group = max(bisect_right(self._tops, y) - 1, 0)
        if not self._tops:
            return 0
        below_caption = max(y - self._tops[group] - self.caption_height, 0)
        return min(self._firsts[group] + below_caption // self.row_height, self.count)


def _end_of_group(rows: Sequence[ConversationRow], first: int, caption_of: CaptionOf) -> int:
    """Searches in growing steps, since most groups are short."""
    caption, step = caption_of(rows[first]), 1
    known = first
    while known + step < len(rows) and caption_of(rows[known + step]) == caption:
        known += step
        step *= 2
    end = min(known + step, len(rows))
    return bisect_left(rows, True, known + 1, end, key=lambda row: caption_of(row) != caption)
