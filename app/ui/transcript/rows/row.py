"""`Row` is what every kind of row can do: be measured, painted, asked, selected in and copied.

`PlacedTextBox` is a text of a row, where it stands in it, and where its letters are.
`SingleTextRow` is a row with a single run of words that can be selected and copied.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Set
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from app.chat.items import Item
from app.ui.transcript.blocks.formula_drawer import FormulaDrawer
from app.ui.transcript.blocks.highlighter import HighlightScheduler
from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.blocks.text_box import TextBox, boxes_in, x_in_line
from app.ui.transcript.hit_targets import HitTarget
from app.ui.transcript.paint_context import PaintContext
from app.ui.transcript.style import TranscriptStyle
from app.ui.transcript.text_positions import SelectedText, TextPosition, TextRange


@dataclass(frozen=True, slots=True)
class PlacedTextBox:
    """A text, and its top left corner in the measures of the row.

    Of a text that is wider than its block only what lies inside `window` is seen.
    """

    origin: QPointF
    box: TextBox
    window: QRectF | None = None

    def moved(self, x: float, y: float) -> "PlacedTextBox":
        """Return the same text in the measures of what the row stands in."""
        window = self.window.translated(x, y) if self.window else None
        return PlacedTextBox(self.origin + QPointF(x, y), self.box, window)

    def boxes(self, span: TextRange) -> list[QRectF]:
        """Return where the letters of a span are seen, line by line."""
        document = self.box.document
        found: list[QRectF] = []
        block = document.findBlock(span.first)
        while block.isValid() and block.position() < span.last:
            end = block.position() + block.length() - 1
            found += boxes_in(document, max(span.first, block.position()), min(span.last, end))
            block = block.next()
        placed = [self._in_row(box) for box in found]
        if self.window is None:
            return placed
        seen = [box.intersected(self.window) for box in placed]
        return [box for box in seen if not box.isEmpty()]

    def shows(self, caret: QRectF) -> bool:
        """Tell whether a caret is seen."""
        return self.window is None or self.window.left() <= caret.x() <= self.window.right()

    def caret(self, position: int) -> QRectF:
        """Return where a caret before a position stands; it has no width."""
        document = self.box.document
        inside = min(position, self.box.length)
        block = document.findBlock(inside)
        line = block.layout().lineForTextPosition(inside - block.position())
        if not line.isValid():
            return self.box.end_box(inside).translated(self.origin)
        place = document.documentLayout().blockBoundingRect(block)
        left = place.left() + x_in_line(line, inside - block.position())
        return self._in_row(QRectF(left, place.top() + line.y(), 0, line.height()))

    def paragraph_at(self, position: int) -> TextRange:
        """Return the paragraph, or the line of code, around a position."""
        block = self.box.document.findBlock(min(position, self.box.length))
        return TextRange(block.position(), block.position() + block.length() - 1)

    def _in_row(self, box: QRectF) -> QRectF:
        return box.translated(self.origin.x(), self.origin.y() - self.box.rise)


@dataclass(frozen=True, slots=True)
class RowContext:
    """What rows need of the view they are in.

    `clock` counts seconds like `time.monotonic`, `tool_icon` names the icon of a tool by its name.
    """

    look: TranscriptStyle
    colourist: HighlightScheduler
    clock: Callable[[], float]
    formulas: FormulaDrawer
    tool_icon: Callable[[str], str]


class Row(ABC):
    """One item, laid out at the width of the column.

    Made when its item comes near the window, let go when it is far from it. `height` may change
    in `show`, `set_width`, `set_open`, `settle` and `advance` and with `wrapped`, and only there.
    """

    height: int = 0

    @abstractmethod
    def show(self, item: Item) -> bool:
        """Show another state of the same item; False if this kind of row cannot."""

    @abstractmethod
    def set_width(self, width: int) -> None:
        """Lay out at this width."""

    @abstractmethod
    def paint(self, brush: PaintContext) -> None:
        """Paint the visible band, the row's top left corner at the origin."""

    @property
    def has_more(self) -> bool:
        """Whether work is left over: the item is too long to be shown at once."""
        return False

    def advance(self) -> None:  # noqa: B027 - Most rows leave nothing over.
        """Do a bounded bit of the work that is left over."""

    def settle(self, _top: float, _bottom: float) -> None:  # noqa: B027 - Most come whole.
        """Lay out what lies in this band, which will be seen."""

    def set_open(self, _is_open: bool) -> None:  # noqa: B027 - Most do not open.
        """Open or close a row that can be opened."""

    @property
    def wrapped(self) -> Set[int]:
        """The pieces of code whose long lines are broken; those of others are left whole."""
        return frozenset()

    @wrapped.setter
    def wrapped(self, _pieces: Set[int]) -> None:
        return  # Most rows have no code.

    def slide_at(self, _point: QPointF) -> HorizontalScroll | None:
        """Return what moves the block at a point sideways, if it is wider than its place."""
        return None

    def targets(self) -> list[HitTarget]:
        """Return what can be pressed, in the order of reading."""
        return []

    def spot_at(self, _point: QPointF) -> TextPosition | None:
        """Return the place in the text nearest to `point`, or None in a row without text."""
        return None

    def word_at(self, _spot: TextPosition) -> SelectedText | None:
        """Return the word around a place."""
        return None

    def all_selected(self) -> SelectedText | None:
        """Return all of the text of the row."""
        return None

    @property
    def piece_count(self) -> int:
        """How many pieces of text the row has now; spots name them by number."""
        return 0

    def box_of(self, _piece: int) -> PlacedTextBox | None:
        """Return the text of a piece, laid out; None where there is none, as in a rule."""
        return None

    def text(self, _selected: SelectedText) -> str:
        """Return what is marked, as it is shown."""
        return ""

    @property
    @abstractmethod
    def shown_text(self) -> str:
        """All that the row says, as it is shown."""

    @property
    def source_text(self) -> str:
        """What the row was made from: Markdown for a reply."""
        return self.shown_text


class SingleTextRow(Row):
    """A row whose words are in one box. Its places are all in piece 0."""

    _box: TextBox

    @property
    @abstractmethod
    def _text_origin(self) -> QPointF:
        """The top left corner of the words."""

    def spot_at(self, point: QPointF) -> TextPosition | None:
        """Return the place nearest to `point`."""
        return TextPosition(0, self._box.position_at(point - self._text_origin))

    @property
    def piece_count(self) -> int:
        """The words are one piece."""
        return 1

    def box_of(self, _piece: int) -> PlacedTextBox | None:
        """Return the words."""
        return PlacedTextBox(self._text_origin, self._box)

    def word_at(self, spot: TextPosition) -> SelectedText | None:
        """Return the word around a place."""
        word = self._box.word_at(spot.position)
        return SelectedText(TextPosition(0, word.first), TextPosition(0, word.last))

    def all_selected(self) -> SelectedText | None:
        """Return all words."""
        return SelectedText(TextPosition(0, 0), TextPosition(0, self._box.length))

    def text(self, selected: SelectedText) -> str:
        """Return what is marked."""
        span = selected.span_in(0, self._box.length)
        return self._box.text(span) if span else ""

    @property
    def shown_text(self) -> str:
        """The words as they are shown now."""
        return self._box.text(TextRange(0, self._box.length))
