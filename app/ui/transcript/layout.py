"""`TranscriptLayout` places the rows in the viewport, and anchors one when heights change."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF

from app.ui.transcript.rows.row import HeightIndex, Row
from app.ui.transcript.rows.row_cache import TOP_PX, RowCache

_GUESSED_PX: Final = 96
_TRIES: Final = 8
# A jump that is longer does not lay out the rows between.
_NEAR_WINDOWS: Final = 2


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row in the window: `top` is where it begins, in pixels below the window's upper edge."""

    index: int
    key: str
    top: int
    row: Row


@dataclass(frozen=True, slots=True)
class ScrollPlace:
    """A place among rows of any width: the first row in the window, and its share above that."""

    index: int
    share: float


@dataclass(slots=True)
class _Anchor:
    """The row that stays in place, and how much of it is above the window."""

    index: int = 0
    offset: int = 0


class TranscriptLayout:
    """Rows in one column, of which only those in the window (the viewport) are laid out.

    While it follows the end the last row stays at the foot of the window; otherwise the first
    visible row stays where it is, whatever happens above. Nothing is revealed in the lowest
    `covered_px` of the window, where something lies over it. Made by the view; ends with it.
    """

    def __init__(self, rows: RowCache) -> None:
        self._rows = rows
        self._heights = HeightIndex(_GUESSED_PX)
        self._anchor = _Anchor()
        self._width = 0
        self._height = 0
        self.placed: list[PlacedRow] = []
        self.follows_end = True
        self.covered_px = 0
        self.reset()

    @property
    def column_width(self) -> int:
        """The width of rows."""
        return max(1, min(self._rows.column_px, self._width - 2 * self._rows.side_px))

    @property
    def column_left(self) -> int:
        """The left edge of rows."""
        # Rounded as the layout of the composer rounds it, so that both are in line.
        return max(0, (self._width - self.column_width + 1) // 2)

    @property
    def height(self) -> int:
        """The height of the window."""
        return self._height

    @property
    def count(self) -> int:
        """The number of rows, laid out or not."""
        return len(self._heights)

    @property
    def value(self) -> int:
        """The scroll position: pixels from the beginning to the top of the window."""
        return self._heights.top_of(self._anchor.index) + self._anchor.offset

    @property
    def maximum(self) -> int:
        """The scroll position at which the end is in the window."""
        return max(0, self._heights.total + TOP_PX - self._height)

    @property
    def place(self) -> ScrollPlace | None:
        """Where it is scrolled to, for `go_to`; None while the end is followed."""
        return None if self.follows_end else self.fixed_place

    @property
    def fixed_place(self) -> ScrollPlace | None:
        """Where it is scrolled to, at the end, too; None while there is nothing."""
        if not len(self._heights):
            return None
        index = self._anchor.index
        return ScrollPlace(index, self._anchor.offset / max(1, self._slot(index)))

    def go_to(self, place: ScrollPlace | None) -> None:
        """Go where another layout of the same rows was, by its `place`."""
        self.follows_end = place is None
        if place is not None and place.index < len(self._heights):
            offset = round(place.share * self._slot(place.index))
            self._anchor = _Anchor(place.index, offset)
        self.arrange()
        self.follows_end |= self.value >= self.maximum

    @property
    def has_more(self) -> bool:
        """Whether a row in the window has work left."""
        return any(placed.row.has_more for placed in self.placed)

    def reset(self) -> None:
        """Start again at the end."""
        self._rows.clear()
        self._heights.reset(self._rows.count)
        self._anchor = _Anchor()
        self.placed = []
        self.follows_end = True

    def insert(self, first: int, count: int) -> None:
        """Follow the insertion of rows."""
        if first <= self._anchor.index and len(self._heights):
            self._anchor.index += count
        # Guesses: a row is measured when it first comes near the window, or a long chat would open
        # slowly.
        self._heights.insert(first, [_GUESSED_PX] * count)

    def remove(self, first: int, count: int) -> None:
        """Follow the removal of rows."""
        self._heights.remove(first, count)
        if first + count <= self._anchor.index:
            self._anchor.index -= count
        elif first <= self._anchor.index:
            self._anchor = _Anchor(max(0, min(first, len(self._heights) - 1)))
        self.placed = []

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window; what is in it stays in it."""
        if width != self._width and self._width and len(self._heights):
            # Measured now, since the row may have grown since it was laid out.
            before = max(1, self._slot(self._anchor.index))
            self._width = width
            self._anchor.offset = self._anchor.offset * self._slot(self._anchor.index) // before
        self._width, self._height = width, height

    def arrange(self) -> None:
        """Lay out the rows in the window."""
        if not self._width or not self._height:
            return
        # Down from the anchor leaves a gap at the foot where rows became lower: then up from the
        # end.
        if self.follows_end or not self._fill_down():
            self._fill_up()
        self._rows.trim(len(self.placed))

    def scroll_to(self, value: int) -> None:
        """Scroll to a position, and follow the end if that is in the window then."""
        distance = value - self.value
        if value <= 0:
            # Anchor at the first row itself, as the heights of rows above are guesses.
            self._anchor = _Anchor()
        elif abs(distance) <= _NEAR_WINDOWS * self._height:
            self._scroll_by(distance)
        else:
            index = self._heights.row_at(value)
            self._anchor = _Anchor(index, max(0, value - self._heights.top_of(index)))
        # Twice, as arranging measures rows, and the end is elsewhere once they are known.
        self.follows_end = 0 < self.maximum <= value
        self.arrange()
        self.follows_end = self.value >= self.maximum

    def reveal(self, index: int, top: float, bottom: float) -> None:
        """Scroll so that this band of a row is in the window, and stays there."""
        # Otherwise the next delta would scroll away what was just revealed.
        self.follows_end &= index == self.count - 1
        if not any(placed.index == index for placed in self.placed):
            # Its place is a guess until rows near it are laid out: go there first.
            self._anchor = _Anchor(index)
            self.follows_end = False
            # By rows, not by position: the rows above may be far from their guessed heights.
            self._scroll_by(-(self._height // 3))
            self.arrange()
        for placed in self.placed:
            if placed.index == index:
                above = placed.top + int(top) - TOP_PX
                below = placed.top + int(bottom) + self._covered - self._height
                if above < 0 or below > 0:
                    self.scroll_to(self.value + (above if above < 0 else below))
                return

    def reveal_row(self, key: str) -> None:
        """Scroll so that as much of a row as fits is in the window, from its beginning."""
        fitting = self._height - TOP_PX - self._covered
        for placed in self.placed:
            if placed.key == key:
                self.reveal(placed.index, 0, min(placed.row.height, fitting))
                return

    def reveal_box(self, index: int, box: QRectF, window: QRectF | None) -> None:
        """Scroll so that a box of a row is visible, in its block as well if that has a `window`."""
        self.reveal(index, box.top(), box.bottom())
        scroll = self.row(index).scroll_at(box.center()) if window else None
        if scroll and window:
            scroll.reveal(box, window)

    def row(self, index: int) -> Row:
        """Return a row, laid out."""
        return self._rows.row(index, self.column_width)

    def foot_at_end(self) -> str:
        """Return the key of the message whose foot is always seen; empty while there is none."""
        return self._rows.foot_at_end()

    def placed_at(self, y: float) -> PlacedRow | None:
        """Return the row in the window nearest to `y`."""
        below = [placed for placed in self.placed if placed.top + placed.row.height > y]
        return below[0] if below else (self.placed[-1] if self.placed else None)

    @property
    def _covered(self) -> int:
        """The height of the window's foot in which nothing is revealed."""
        return max(TOP_PX, min(self.covered_px, self._height // 3))

    def _slot(self, index: int) -> int:
        """Measure a row with the space above it."""
        height = self.row(index).height + self._room(index)
        self._heights.set(index, height)
        return height

    def _room(self, index: int) -> int:
        return self._rows.room_above(index)

    def _place(self, index: int, slot_top: int) -> PlacedRow:
        """Place a row whose slot begins at `slot_top`, and lay out its visible part."""
        row, room = self.row(index), self._room(index)
        top = slot_top + room
        row.lay_out(-top, self._height - top)
        self._heights.set(index, row.height + room)
        return PlacedRow(index, self._rows.item(index).key, top, row)

    def _place_above(self, index: int, bottom: int) -> PlacedRow:
        """Place a row that ends at `bottom`, whose height may change while it is laid out."""
        placed = self._place(index, bottom - self._slot(index))
        # Laying out its visible part may change the height, by which another part becomes visible.
        # Bounded: where it does not settle, a gap of some pixels is better than a window that
        # hangs.
        for _ in range(_TRIES):
            if placed.top + placed.row.height == bottom:
                break
            placed = self._place(index, bottom - self._heights[index])
        return placed

    def _fill_down(self) -> bool:
        """Place rows from the anchor on; False if the window reaches below the end then."""
        placed = []
        index, top = self._anchor.index, -self._anchor.offset
        while index < len(self._heights) and top < self._height:
            placed.append(self._place(index, top))
            top += self._heights[index]
            index += 1
        self.placed = placed
        return top + TOP_PX >= self._height or self.value == 0

    def _fill_up(self) -> None:
        """Place rows from the last one up; few rows stand at the top of the window."""
        placed: list[PlacedRow] = []
        index, bottom = len(self._heights) - 1, self._height - TOP_PX
        while index >= 0 and bottom > 0:
            placed.append(self._place_above(index, bottom))
            bottom -= self._heights[index]
            index -= 1
        self._anchor = _Anchor(index + 1, max(0, -bottom))
        if bottom > 0:
            self._anchor = _Anchor()
            self._fill_down()
            return
        self.placed = placed[::-1]

    def _scroll_by(self, distance: int) -> None:
        anchor = self._anchor
        anchor.offset += distance
        while anchor.offset < 0 and anchor.index > 0:
            anchor.index -= 1
            anchor.offset += self._slot(anchor.index)
        # At the first row: there is nothing above it to scroll to.
        anchor.offset = max(0, anchor.offset)
        while anchor.index < len(self._heights) - 1 and anchor.offset >= self._slot(anchor.index):
            anchor.offset -= self._heights[anchor.index]
            anchor.index += 1
