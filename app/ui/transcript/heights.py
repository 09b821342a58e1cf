"""The heights of many rows: where a row is, and which row is where, in O(log n)."""

from collections.abc import Iterable


class HeightIndex:
    """Heights in a tree of sums (a Fenwick tree).

    Rows that were not measured yet have an estimate. Adding at the end and changing a height are
    O(log n); adding or removing elsewhere builds the tree anew. One for each list of rows.
    """

    def __init__(self, estimate: int) -> None:
        self._estimate = estimate
        self._heights: list[int] = []
        self._sums: list[int] = [0]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, row: int) -> int:
        return self._heights[row]

    @property
    def total(self) -> int:
        """The height of all rows together."""
        return self.top_of(len(self._heights))

    def reset(self, count: int) -> None:
        """Start anew with `count` rows of the estimated height."""
        self._heights = [self._estimate] * count
        self._sums = [self._estimate * (i & -i) for i in range(count + 1)]

    def insert(self, row: int, heights: Iterable[int]) -> None:
        """Put rows with these heights before `row`."""
        added = list(heights)
        if row == len(self._heights):
            for height in added:
                self._append(height)
            return
        self._heights[row:row] = added
        self._build()

    def remove(self, row: int, count: int) -> None:
        """Take rows out."""
        del self._heights[row : row + count]
        if row == len(self._heights):
            del self._sums[row + 1 :]
        else:
            self._build()

    def set(self, row: int, height: int) -> None:
        """Correct the height of a row."""
        change = height - self._heights[row]
        self._heights[row] = height
        index = row + 1
        while change and index < len(self._sums):
            self._sums[index] += change
            index += index & -index

    def top_of(self, row: int) -> int:
        """Return where `row` begins."""
        total, index = 0, row
        while index > 0:
            total += self._sums[index]
            index -= index & -index
        return total

    def row_at(self, position: int) -> int:
        """Return the row at `position`: the last row for what lies below all of them."""
        row, rest = 0, position
        step = 1 << max(0, len(self._sums) - 1).bit_length()
        while step:
            after = row + step
            if after < len(self._sums) and self._sums[after] <= rest:
                row, rest = after, rest - self._sums[after]
            step >>= 1
        return max(0, min(row, len(self._heights) - 1))

    def _append(self, height: int) -> None:
        self._heights.append(height)
        index = len(self._heights)
        self._sums.append(height)
        # The new sum takes in those of the rows just before it.
        below = index - 1
        while below > index - (index & -index):
            self._sums[index] += self._sums[below]
            below -= below & -below

    def _build(self) -> None:
        self._sums = [0, *self._heights]
        for index in range(1, len(self._sums)):
            above = index + (index & -index)
            if above < len(self._sums):
                self._sums[above] += self._sums[index]
