"""The heights of many rows: where a row is, and which row is where."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

_BLOCK: Final = 128


class HeightIndex:
    """Heights in blocks, with the sum of each block.

    Rows that were not measured yet have an estimate. Everything but adding and removing at the
    front looks at one block and at the sums of the others, and starting anew costs next to
    nothing, whatever the number of rows. One for each list of rows.
    """

    def __init__(self, estimate: int) -> None:
        self._estimate = estimate
        self._heights: list[int] = []
        self._sums: list[int] = []

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, row: int) -> int:
        return self._heights[row]

    @property
    def total(self) -> int:
        """The height of all rows together."""
        return sum(self._sums)

    def reset(self, count: int) -> None:
        """Start anew with `count` rows of the estimated height."""
        self._heights = [self._estimate] * count
        whole, rest = divmod(count, _BLOCK)
        self._sums = [self._estimate * _BLOCK] * whole
        if rest:
            self._sums.append(self._estimate * rest)

    def insert(self, row: int, heights: Iterable[int]) -> None:
        """Put rows with these heights before `row`."""
        self._heights[row:row] = heights
        self._sum_from(row)

    def remove(self, row: int, count: int) -> None:
        """Take rows out."""
        del self._heights[row : row + count]
        self._sum_from(row)

    def set(self, row: int, height: int) -> None:
        """Correct the height of a row."""
        self._sums[row // _BLOCK] += height - self._heights[row]
        self._heights[row] = height

    def top_of(self, row: int) -> int:
        """Return where `row` begins."""
        block = row // _BLOCK
        return sum(self._sums[:block]) + sum(self._heights[block * _BLOCK : row])

    def row_at(self, position: int) -> int:
        """Return the row at `position`: the last row for what lies below all of them."""
        ends = list(accumulate(self._sums))
        block = bisect_right(ends, position)
        if block >= len(ends):
            return max(0, len(self._heights) - 1)
        rest = position - (ends[block - 1] if block else 0)
        first = block * _BLOCK
        inside = list(accumulate(self._heights[first : first + _BLOCK]))
        return first + bisect_right(inside, rest)

    def _sum_from(self, row: int) -> None:
        """Sum the block of `row` and those after it anew."""
        block = row // _BLOCK
        starts = range(block * _BLOCK, len(self._heights), _BLOCK)
        self._sums[block:] = [sum(self._heights[at : at + _BLOCK]) for at in starts]
