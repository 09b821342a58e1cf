"""`BlockStack` stacks the blocks of a reply and lays out only those near the window.

`gap` says how far two blocks stand apart. `NoteIndex` knows which pieces of a message are notes,
and which refer to them. `draw_bars` and `draw_markers` draw what stands beside blocks that are
moved in: bars of quotes, markers of lists.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from app.ui.markdown.blocks import (
    Block,
    BlockPosition,
    Code,
    Formula,
    HorizontalRule,
    OmittedBlock,
    Prose,
    RailKind,
    TableBlock,
)
from app.ui.markdown.sanitize import note_numbers_in
from app.ui.transcript.blocks.code_piece import CodePiece
from app.ui.transcript.blocks.formula_piece import FormulaPieces
from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.blocks.pieces import LeftOutPiece, Piece, ProsePiece, RulePiece
from app.ui.transcript.blocks.table_piece import TablePiece
from app.ui.transcript.blocks.text_box import PlacedTextBox
from app.ui.transcript.hit_targets import FromNote, HitTarget, ToNote
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.transcript.rows.row import HeightIndex, RowContext
from app.ui.widgets.stylesheet import Token

_TIGHT_PX: Final = 6
# Above and below.
_HEADING: Final = (16, 6)
_ROOM: Final[dict[type[Block], tuple[int, int]]] = {
    Prose: (0, 8),
    TableBlock: (8, 14),
    Code: (8, 14),
    HorizontalRule: (12, 12),
    Formula: (6, 14),
    OmittedBlock: (6, 8),
}


def gap(before: Block, block: Block) -> int:
    """Return the space between a block and the one before it."""
    if block.place.is_tight and isinstance(before, Prose):
        return 0
    if before.place.shared and block.place.is_tight:
        return _TIGHT_PX
    return max(_room(before)[1], _room(block)[0])


def _room(block: Block) -> tuple[int, int]:
    if isinstance(block, Prose) and block.level:
        return _HEADING
    return _ROOM[type(block)]


@dataclass(slots=True)
class NoteIndex:
    """The piece that begins each note, and the first that refers to it, by the note's number."""

    notes: dict[int, int] = field(default_factory=dict)
    references: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, blocks: Iterable[Block]) -> "NoteIndex":
        """Make the index of the blocks of a message."""
        index = cls()
        for piece, block in enumerate(blocks):
            if block.place.note:
                index.notes[block.place.note] = piece
            if isinstance(block, Prose | TableBlock):
                for number in note_numbers_in(str(block.html)):
                    index.references.setdefault(number, piece)
        return index

    def complete(self, target: HitTarget, piece: int) -> HitTarget:
        """Return a target of a piece; one that leads to a note with the pieces of both ends."""
        if not isinstance(target.action, ToNote):
            return target
        number = target.action.number
        return replace(target, action=ToNote(number, piece, self.notes.get(number, piece)))

    def is_referred_to(self, place: BlockPosition) -> bool:
        """Return whether a block begins a note that something refers to."""
        return place.note in self.references

    def way_back(self, place: BlockPosition, box: QRectF) -> HitTarget:
        """Return the target that goes back from the note whose marker is in `box`."""
        words = QCoreApplication.translate("Transcript", "Footnote {number}: back to the text")
        action = FromNote(place.note, self.references[place.note])
        return HitTarget(action, box, words.format(number=place.note))


_AT_ONCE: Final = 40
"""So many blocks are laid out together; of more only those near the window."""

_NEAR_PX: Final = 4000

AnyPiece = (
    Piece[Prose]
    | Piece[TableBlock]
    | Piece[Code]
    | Piece[HorizontalRule]
    | Piece[Formula]
    | Piece[OmittedBlock]
)


class BlockStack:
    """Pieces for blocks, their places, and their text boxes.

    Made by the row of a reply; ends with it.
    """

    def __init__(self, row_context: RowContext) -> None:
        self._row_context = row_context
        self._pieces: list[AnyPiece] = []
        self._heights = HeightIndex(row_context.style.line_px)
        self._unmeasured: set[int] = set()
        self._formulas = FormulaPieces(row_context.style, row_context.formulas)
        # The pieces that may have a document.
        self._near: set[int] = set()
        # The pieces of code whose long lines are broken.
        self._wrapped: Set[int] = frozenset()
        self._width = 0
        self._notes: NoteIndex | None = None

    @property
    def height(self) -> int:
        """The height of all blocks; of those far from the window it is a guess."""
        return self._heights.total

    @property
    def measured_count(self) -> int:
        """How many blocks were laid out."""
        return len(self._pieces) - len(self._unmeasured)

    def show(self, blocks: Sequence[Block], first_changed: int) -> None:
        """Show these blocks; those before `first_changed` are the ones shown now."""
        first = min(first_changed, len(self._pieces))
        self._notes = None
        for index in range(first, len(blocks)):
            if index < len(self._pieces):
                self._show_block(index, blocks[index])
            else:
                self._pieces.append(self._make_piece(index, blocks[index]))
                self._heights.insert(index, [self._guess(index)])
                self._unmeasured.add(index)
        self._cut(len(blocks))
        if len(self._pieces) <= _AT_ONCE:
            self.lay_out(0, self.height)

    def set_width(self, width: int) -> None:
        """Lay out at this width."""
        if width == self._width:
            return
        self._width = width
        self._unmeasured = set(range(len(self._pieces)))
        if len(self._pieces) <= _AT_ONCE:
            self.lay_out(0, self.height)

    @property
    def wrapped(self) -> Set[int]:
        """The pieces of code whose long lines are broken; those of others are left whole."""
        return self._wrapped

    @wrapped.setter
    def wrapped(self, pieces: Set[int]) -> None:
        changed, self._wrapped = pieces ^ self._wrapped, pieces
        for index in changed:
            piece = self._pieces[index] if index < len(self._pieces) else None
            if isinstance(piece, CodePiece):
                piece.wraps = index in pieces
                self._unmeasured.add(index)
                if self._width:
                    self._measure(index)

    def scroll_at(self, point: QPointF) -> HorizontalScroll | None:
        """Return the horizontal scroll of the block at a point."""
        is_inside = bool(self._pieces) and 0 <= point.y() < self.height
        return self._pieces[self._heights.row_at(int(point.y()))].scroll if is_inside else None

    def lay_out(self, top: float, bottom: float) -> None:
        """Lay out the blocks in this band, and let documents far from it go."""
        if not self._pieces or not self._width:
            return
        self._unmeasured |= self._formulas.with_new_pictures()
        if len(self._pieces) <= _AT_ONCE:
            for index in sorted(self._unmeasured):
                self._measure(index)
            return
        index = self._heights.row_at(max(0, int(top)))
        while index < len(self._pieces) and self._heights.top_of(index) < bottom:
            if index in self._unmeasured:
                self._measure(index)
            index += 1
        self._release_far(top, bottom)

    def paint(self, context: PaintContext) -> None:
        """Paint the blocks in the visible band."""
        if not self._pieces:
            return
        index = self._heights.row_at(max(0, int(context.top)))
        while index < len(self._pieces) and self._heights.top_of(index) < context.bottom:
            if index not in self._unmeasured:
                self._paint_piece(context, index)
            index += 1

    @property
    def count(self) -> int:
        """How many blocks there are."""
        return len(self._pieces)

    def piece_at(self, y: float) -> int:
        """Return the number of the block nearest to a height, if there is any."""
        return self._heights.row_at(max(0, int(y)))

    def lay_out_block(self, index: int) -> None:
        """Lay out a block, as soon as there is a width to do it at."""
        if index in self._unmeasured and self._width:
            self._measure(index)

    def text_box(self, index: int) -> PlacedTextBox | None:
        """Return the text of a block; if it is not laid out, its place is a guess."""
        if not 0 <= index < len(self._pieces):
            return None
        # Measuring has made a document, which is dropped once the block is far from the window.
        self._near.add(index)
        piece, origin = self._pieces[index], self._origin(index)
        placed = piece.placed_box()
        if placed is None:
            return None
        moved = placed.moved(origin.x(), origin.y())
        return replace(moved, marker=_marker_text(piece.block.place))

    def targets(self) -> list[HitTarget]:
        """Return the targets in the blocks that are laid out."""
        notes, found = self._note_index, []
        for index, piece in enumerate(self._pieces):
            if index in self._unmeasured:
                continue
            place, pressable = piece.block.place, piece.targets()
            if pressable or notes.is_referred_to(place):
                origin = self._origin(index)
                if notes.is_referred_to(place):
                    mirror = self._mirror(piece)
                    box = note_marker_box(self._row_context.style, place, origin.y(), mirror)
                    found.append(notes.way_back(place, box))
                inside = (notes.complete(target, index) for target in pressable)
                found += [target.moved(origin.x(), origin.y()) for target in inside]
        return found

    def end_box(self) -> QRectF:
        """Return the box of the next letter."""
        last = len(self._pieces) - 1
        if last < 0 or last in self._unmeasured:
            return QRectF()
        return self._pieces[last].end_box().translated(self._origin(last))

    def _show_block(self, index: int, block: Block) -> None:
        piece = self._pieces[index]
        if piece.block == block:
            return
        if not piece.update(block):
            self._formulas.forget(index)
            self._pieces[index] = self._make_piece(index, block)
        self._unmeasured.add(index)

    def _cut(self, count: int) -> None:
        surplus = len(self._pieces) - count
        if surplus > 0:
            del self._pieces[count:]
            self._heights.remove(count, surplus)
            self._unmeasured = {index for index in self._unmeasured if index < count}
            self._formulas.cut(count)

    def _make_piece(self, index: int, block: Block) -> AnyPiece:
        piece = _piece_of(block, index, self._row_context, self._formulas)
        if isinstance(piece, CodePiece):
            piece.wraps = index in self._wrapped
        return piece

    def _measure(self, index: int) -> None:
        piece = self._pieces[index]
        room = self._width - indent_width(piece.block.place, self._row_context.style)
        # However deep it stands, a block stays wide enough to be laid out.
        self._heights.set(index, self._gap(index) + piece.measure(max(80, room)))
        self._unmeasured.discard(index)
        self._near.add(index)

    def _guess(self, index: int) -> int:
        return self._gap(index) + self._pieces[index].estimate()

    def _gap(self, index: int) -> int:
        return gap(self._pieces[index - 1].block, self._pieces[index].block) if index else 0

    def _origin(self, index: int) -> QPointF:
        piece = self._pieces[index]
        x = indent_width(piece.block.place, self._row_context.style)
        top = self._heights.top_of(index) + self._gap(index)
        return QPointF(0 if piece.is_right_to_left else x, top)

    @property
    def _note_index(self) -> NoteIndex:
        if self._notes is None:
            self._notes = NoteIndex.of(piece.block for piece in self._pieces)
        return self._notes

    def _mirror(self, piece: AnyPiece) -> float | None:
        """Return the width to mirror markers and bars in, if the text of a piece is mirrored."""
        return float(self._width) if piece.is_right_to_left else None

    def _paint_piece(self, context: PaintContext, index: int) -> None:
        piece, style = self._pieces[index], self._row_context.style
        self._near.add(index)
        place, origin = piece.block.place, self._origin(index)
        if place.rails:
            mirror = self._mirror(piece)
            heights = self._heights
            extent = VerticalExtent(heights.top_of(index), origin.y(), heights.top_of(index + 1))
            draw_bars(context.painter, style, place, extent, mirror)
            leads_back = self._note_index.is_referred_to(place)
            draw_markers(context.painter, style, place, origin.y(), mirror, leads_back=leads_back)
            if context.focus and context.focus.action == FromNote(place.note):
                style.draw_focus(context.painter, context.focus.box, 4)
        text = piece.placed_box() if context.selected else None
        piece.paint(context, origin, context.span_in(index, text.box.length) if text else None)

    def _release_far(self, top: float, bottom: float) -> None:
        first = self._heights.row_at(max(0, int(top - _NEAR_PX)))
        last = self._heights.row_at(int(bottom + _NEAR_PX))
        for index in [index for index in self._near if not first <= index <= last]:
            self._near.discard(index)
            if index < len(self._pieces):
                self._pieces[index].release()


def _piece_of(
    block: Block, index: int, row_context: RowContext, formulas: FormulaPieces
) -> AnyPiece:
    match block:
        case Prose():
            return ProsePiece(row_context.style, block)
        case Code():
            given = (row_context.style, block, row_context.highlighter, index)
            return CodePiece(*given, stays_here=row_context.stays_here)
        case TableBlock():
            return TablePiece(row_context.style, block)
        case Formula():
            return formulas.make(index, block)
        case HorizontalRule():
            return RulePiece(row_context.style, block)
        case OmittedBlock():
            return LeftOutPiece(row_context.style, block)


def _marker_text(place: BlockPosition) -> str:
    """Return the markers that are copied before the text of a block that begins items."""
    if not place.rails:
        return ""
    markers = [rail.marker for rail in place.rails if rail.marker]
    indent = "  " * (len(place.rails) - max(1, len(markers)))
    return indent + "".join(f"{marker} " for marker in markers)


_ITEM_PX: Final = 20
_QUOTE_PX: Final = 16
_BAR_PX: Final = 3
_MARKER_GAP_PX: Final = 7
_BOX_PX: Final = 13
_DEEPEST: Final = 12
_BOXES: Final = frozenset({"[ ]", "[x]"})


@dataclass(frozen=True, slots=True)
class VerticalExtent:
    """The top and bottom of a block, and the top of the space above it."""

    above: float
    top: float
    bottom: float


def indent_width(place: BlockPosition, style: TranscriptStyle) -> int:
    """Return the indent of a block; very deep ones share the last place."""
    return sum(_widths(place, style))


def draw_bars(
    painter: QPainter,
    style: TranscriptStyle,
    place: BlockPosition,
    extent: VerticalExtent,
    mirror: float | None,
) -> None:
    """Draw the bars of the quotes that a block stands in; `mirror` is the width to mirror in."""
    x = 0.0
    for level, (rail, width) in enumerate(zip(place.rails, _widths(place, style), strict=False)):
        if rail.kind is RailKind.QUOTE:
            top = extent.above if level < place.shared else extent.top
            left = x if mirror is None else mirror - x - _BAR_PX
            bar = QRectF(left, top, _BAR_PX, extent.bottom - top)
            painter.fillRect(bar, style.color("line-strong"))
        x += width


def draw_markers(
    painter: QPainter,
    style: TranscriptStyle,
    place: BlockPosition,
    line_top: float,
    mirror: float | None,
    *,
    leads_back: bool,
) -> None:
    """Draw the markers of the items that begin with a block, beside its first line.

    One of a note that `leads_back` to what refers to it looks like a link.
    """
    ink: Token = "accent" if leads_back else "ink"
    for marker, line in _marker_lines(style, place, line_top, mirror):
        if marker in _BOXES:
            _draw_box(painter, style, line, is_checked=marker == "[x]")
        else:
            _draw_words(painter, style, line, (marker, ink), is_mirrored=mirror is not None)
        ink = "ink"


def note_marker_box(
    style: TranscriptStyle, place: BlockPosition, line_top: float, mirror: float | None
) -> QRectF:
    """Return the box of the marker of the note that begins with a block."""
    marker, line = next(_marker_lines(style, place, line_top, mirror))
    width = QFontMetricsF(style.body).horizontalAdvance(marker)
    left = line.left() if mirror is not None else line.right() - width
    return QRectF(left, line.top(), width, line.height())


def _marker_lines(
    style: TranscriptStyle, place: BlockPosition, line_top: float, mirror: float | None
) -> Iterator[tuple[str, QRectF]]:
    """Yield each marker with its place beside the first line."""
    x = 0.0
    for rail, width in zip(place.rails, _widths(place, style), strict=False):
        x += width
        line = QRectF(x - width, line_top - 1, width - _MARKER_GAP_PX, style.line_px)
        if mirror is not None:
            line.moveLeft(mirror - x + _MARKER_GAP_PX)
        if rail.marker:
            yield rail.marker, line


def _widths(place: BlockPosition, style: TranscriptStyle) -> list[int]:
    widths = []
    for rail in place.rails[:_DEEPEST]:
        width = style.scaled(_QUOTE_PX if rail.kind is RailKind.QUOTE else _ITEM_PX)
        marker = QFontMetricsF(style.body).horizontalAdvance(rail.marker) + _MARKER_GAP_PX
        # Long numbers hang over the margin a little; the longest push their words aside.
        widths.append(width if marker < 2 * width else round(marker))
    return widths


def _draw_words(
    painter: QPainter,
    style: TranscriptStyle,
    line: QRectF,
    marker: tuple[str, Token],
    *,
    is_mirrored: bool,
) -> None:
    words, ink = marker
    painter.setFont(style.body)
    painter.setPen(style.color(ink))
    side = Qt.AlignmentFlag.AlignLeft if is_mirrored else Qt.AlignmentFlag.AlignRight
    # Qt clips a text to its rectangle, and long numbers are wider than the margin.
    roomy = line.adjusted(-40, 0, 0, 0) if not is_mirrored else line.adjusted(0, 0, 40, 0)
    painter.drawText(roomy, side | Qt.AlignmentFlag.AlignVCenter, words)


def _draw_box(painter: QPainter, style: TranscriptStyle, line: QRectF, *, is_checked: bool) -> None:
    side = style.scaled(_BOX_PX)
    box = QRectF(line.right() - side + 1, line.center().y() - side / 2, side, side)
    style.draw_panel(painter, box, "accent" if is_checked else "bg", "line-strong", 3)
    if is_checked:
        tick = [(0.25, 0.52), (0.43, 0.7), (0.76, 0.32)]
        points = [QPointF(box.left() + x * side, box.top() + y * side) for x, y in tick]
        painter.setPen(QPen(style.color("on-accent"), 1.6))
        painter.drawPolyline(QPolygonF(points))
