"""Which message the keyboard is at, and whether a caret stands in its text."""

from dataclasses import dataclass

from app.ui.transcript.layout import TranscriptLayout


@dataclass(slots=True)
class Reading:
    """Goes from message to message. One for a view."""

    layout: TranscriptLayout
    index: int | None = None
    has_caret: bool = False

    @property
    def here(self) -> int:
        """The message that the keyboard is at, or else the first that is whole in the window."""
        if self.index is not None and self.index < self.layout.count:
            return self.index
        placed = self.layout.placed
        whole = [row.index for row in placed if row.top >= 0] or [row.index for row in placed]
        return whole[0] if whole else -1

    def move(self, by: int) -> int | None:
        """Go `by` messages on and bring it into the window; None where there is none."""
        count = self.layout.count
        if not count:
            return None
        # Whoever begins to go up from the end wants the last message first.
        start = self.index
        if start is None:
            last = self.layout.placed[-1].index if self.layout.placed else count - 1
            index = last if by < 0 else self.here
        else:
            index = start + by
        if not 0 <= index < count:
            return None
        self.go_to(index)
        return index

    def go_to(self, index: int) -> None:
        """Be at a message, its beginning in the window."""
        self.index, self.has_caret = index, False
        row = self.layout.row(index)
        self.layout.reveal(index, 0, min(row.height, self.layout.height // 2))

    def leave(self) -> None:
        """Be at no message."""
        self.index, self.has_caret = None, False

    def insert(self, first: int, count: int) -> None:
        """Take note of new rows."""
        if self.index is not None and first <= self.index:
            self.index += count

    def remove(self, first: int, count: int) -> None:
        """Take note of rows that are gone."""
        if self.index is None or self.index < first:
            return
        if self.index < first + count:
            self.leave()
        else:
            self.index -= count
