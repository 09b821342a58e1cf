"""`Row` is the base of all kinds of rows: a kind lays out, paints, and gives its text boxes.

Hit tests, words, selected text and copies are made here, from the text boxes alone.
`SingleTextRow` is a row with one text box. `HeightIndex` keeps the heights of many rows: where one
is, and which one is where.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Protocol, final

from PySide6.QtCore import QPointF

from app.chat.items import Action, Item
from app.store.records import StoredAttachment
from app.ui.transcript.blocks.code_piece import HighlightScheduler
from app.ui.transcript.blocks.formula_piece import FormulaDrawer
from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.blocks.text_box import PlacedTextBox, TextBox
from app.ui.transcript.hit_targets import HitTarget
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.selection import SelectedSpan, SelectedText, TextPosition, TextRange
from app.ui.widgets.marks import Mark
from local_tools.attached_file import ContentImage


class ImageSource(Protocol):
    """Has the pixels of images, or gets them when they are asked for."""

    def pixels(self, item: StoredAttachment, size: tuple[int, int]) -> ContentImage | None:
        """Return an image that fits into a box; None while it is not here."""

    def has_failed(self, item: StoredAttachment, size: tuple[int, int]) -> bool:
        """Return whether it cannot be drawn."""


@dataclass(frozen=True, slots=True)
class RowContext:
    """The parts of the view that rows use.

    `clock` counts seconds like `time.monotonic`, `tool_icon` names the icon of a tool by its name,
    `agent_mark` gives the mark of an agent by the name that people call it.
    `pages` are the pages of the manual that links may lead to. `actions` are what can be done with
    a message, beside copying it; none where messages have no foot. Without `images` only their
    names are shown. What `stays_here` is copied, but neither saved nor shown elsewhere.
    """

    style: TranscriptStyle
    highlighter: HighlightScheduler
    clock: Callable[[], float]
    formulas: FormulaDrawer
    tool_icon: Callable[[str], str]
    agent_mark: Callable[[str], Mark]
    pages: frozenset[str] = frozenset()
    actions: tuple[Action, ...] = ()
    images: ImageSource | None = None
    stays_here: bool = False


class Row(ABC):
    """One item, laid out at the width of the column.

    Made when its item comes near the window, dropped when it is far from it. `height` may change
    in `show`, `set_width`, `set_open`, `lay_out` and `advance` and with `wrapped`, and only there.
    """

    height: int = 0

    @abstractmethod
    def show(self, item: Item) -> bool:
        """Show another state of the same item; False if this kind of row cannot."""

    @abstractmethod
    def set_width(self, width: int) -> None:
        """Lay out at this width."""

    @abstractmethod
    def paint(self, context: PaintContext) -> None:
        """Paint the visible band, the row's top left corner at the origin."""

    @property
    def has_more(self) -> bool:
        """Whether work is left: the item is too long to be shown at once."""
        return False

    def advance(self) -> None:  # noqa: B027 - Most rows leave nothing over.
        """Do a bounded part of the work that is left."""

    def lay_out(self, _top: float, _bottom: float) -> None:  # noqa: B027 - Most come whole.
        """Lay out the band that will be painted."""

    def set_open(self, _is_open: bool) -> None:  # noqa: B027 - Most do not open.
        """Open or close a row that can be opened."""

    @property
    def wrapped(self) -> Set[int]:
        """The pieces of code whose long lines are broken, and of a difference with all lines."""
        return frozenset()

    @wrapped.setter
    def wrapped(self, _pieces: Set[int]) -> None:
        return  # Most rows have neither.

    def scroll_at(self, _point: QPointF) -> HorizontalScroll | None:
        """Return the horizontal scroll of the block at a point, if it is wider than its place."""
        return None

    def hint_at(self, _point: QPointF) -> str:
        """Return what a tooltip says at a point where nothing can be pressed."""
        return ""

    def targets(self) -> list[HitTarget]:
        """Return the targets that can be pressed, in the order of reading."""
        return []

    @property
    def piece_count(self) -> int:
        """How many pieces of text the row has now; positions name them by number."""
        return 0

    def text_box(self, _piece: int) -> PlacedTextBox | None:
        """Return the text of a piece, laid out; None where there is none, as in a rule."""
        return None

    def peek_text_box(self, piece: int) -> PlacedTextBox | None:
        """Return the text of a piece to be read only: its place may be a guess."""
        return self.text_box(piece)

    def piece_at(self, _y: float) -> int:
        """Return the number of the piece nearest to a height, in a row that has pieces."""
        return 0

    @final
    def position_at(self, point: QPointF) -> TextPosition | None:
        """Return the position in the text nearest to `point`; None in a row without text."""
        if not self.piece_count:
            return None
        piece = self.piece_at(point.y())
        text = self.text_box(piece)
        return TextPosition(piece, text.position_at(point) if text else 0)

    @final
    def word_at(self, position: TextPosition) -> SelectedText:
        """Return the word around a position; nothing where there is no text."""
        text = self.text_box(position.piece)
        if text is None:
            return SelectedText(position, position)
        return SelectedText.in_piece(position.piece, text.box.word_at(position.offset))

    @final
    def all_selected(self) -> SelectedText | None:
        """Return all of the text; None in a row without text."""
        last = self.piece_count - 1
        if last < 0:
            return None
        text = self.peek_text_box(last)
        end = TextPosition(last, text.box.length if text else 0)
        return SelectedText(TextPosition(0, 0), end)

    @final
    def part_of(self, span: SelectedSpan | None, index: int) -> SelectedText | None:
        """Return the part of a span that lies in this row, which is the row `index`."""
        if span is None or not span.first.row <= index <= span.last.row:
            return None
        whole = self.all_selected()
        if whole is None:
            return None
        first = span.first.position if index == span.first.row else whole.first
        last = span.last.position if index == span.last.row else whole.last
        return SelectedText(first, last) if first < last else None

    @final
    def text(self, selected: SelectedText) -> str:
        """Return what is selected, as it is shown: a line a piece, with the markers of items."""
        last = min(selected.last.piece, self.piece_count - 1)
        pieces = range(selected.first.piece, last + 1)
        lines = (self._line(piece, selected) for piece in pieces)
        return "\n".join(line for line in lines if line is not None)

    def _line(self, piece: int, selected: SelectedText) -> str | None:
        """Return the selected part of a piece; None if there is text, and nothing of it is."""
        text = self.peek_text_box(piece)
        if text is None:
            return ""
        span = selected.span_in(piece, text.box.length)
        return text.copied(span or TextRange(0, 0)) if span or not text.box.length else None

    @property
    def shown_text(self) -> str:
        """All that the row says, as it is shown."""
        whole = self.all_selected()
        return self.text(whole) if whole else ""

    @property
    def source_text(self) -> str:
        """What the row was made from: Markdown for a reply."""
        return self.shown_text

    @property
    def counts(self) -> bool:
        """Whether a time in its words changes by itself."""
        return False

    def tick(self) -> bool:
        """Bring a time in the words up to date; return whether they have changed."""
        return False


class SingleTextRow(Row):
    """A row with one text box, which is its piece 0."""

    _box: TextBox

    @property
    @abstractmethod
    def _text_origin(self) -> QPointF:
        """The top left corner of the words."""

    @property
    def piece_count(self) -> int:
        """The words are one piece."""
        return 1

    def text_box(self, _piece: int) -> PlacedTextBox | None:
        """Return the text box of the row, whichever piece is asked for."""
        return PlacedTextBox(self._text_origin, self._box)


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
        """Start again with `count` rows of the estimated height."""
        self._heights = [self._estimate] * count
        whole, rest = divmod(count, _BLOCK)
        self._sums = [self._estimate * _BLOCK] * whole
        if rest:
            self._sums.append(self._estimate * rest)

    def insert(self, row: int, heights: Iterable[int]) -> None:
        """Insert rows with these heights before `row`."""
        self._heights[row:row] = heights
        self._sum_from(row)

    def remove(self, row: int, count: int) -> None:
        """Remove rows."""
        del self._heights[row : row + count]
        self._sum_from(row)

    def set(self, row: int, height: int) -> None:
        """Set the height of a row."""
        self._sums[row // _BLOCK] += height - self._heights[row]
        self._heights[row] = height

    def top_of(self, row: int) -> int:
        """Return the top of `row`."""
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
