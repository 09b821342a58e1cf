"""What stands beside blocks that are moved in: markers of lists, bars of quotes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from app.ui.markdown.blocks import BlockPosition, RailKind
from app.ui.transcript.style import TranscriptStyle
from app.ui.widgets.stylesheet import Token

_ITEM_PX: Final = 20
_QUOTE_PX: Final = 16
_BAR_PX: Final = 3
_MARKER_GAP_PX: Final = 7
_BOX_PX: Final = 13
_DEEPEST: Final = 12
_BOXES: Final = frozenset({"[ ]", "[x]"})


@dataclass(frozen=True, slots=True)
class VerticalExtent:
    """Where a block begins and ends, and where the room above it begins."""

    above: float
    top: float
    bottom: float


def indent_width(place: BlockPosition, look: TranscriptStyle) -> int:
    """Return how far a block is moved in; very deep ones share the last place."""
    return sum(_widths(place, look))


def draw_bars(
    painter: QPainter,
    look: TranscriptStyle,
    place: BlockPosition,
    reach: VerticalExtent,
    mirror: float | None,
) -> None:
    """Draw the bars of the quotes that a block stands in; `mirror` is the width to mirror in."""
    x = 0.0
    for level, (rail, width) in enumerate(zip(place.rails, _widths(place, look), strict=False)):
        if rail.kind is RailKind.QUOTE:
            top = reach.above if level < place.shared else reach.top
            left = x if mirror is None else mirror - x - _BAR_PX
            bar = QRectF(left, top, _BAR_PX, reach.bottom - top)
            painter.fillRect(bar, look.color("line-strong"))
        x += width


def draw_markers(
    painter: QPainter,
    look: TranscriptStyle,
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
    for marker, line in _marker_lines(look, place, line_top, mirror):
        if marker in _BOXES:
            _draw_box(painter, look, line, is_checked=marker == "[x]")
        else:
            _draw_words(painter, look, line, (marker, ink), is_mirrored=mirror is not None)
        ink = "ink"


def note_marker_box(
    look: TranscriptStyle, place: BlockPosition, line_top: float, mirror: float | None
) -> QRectF:
    """Return where the marker of the note that begins with a block stands."""
    marker, line = next(_marker_lines(look, place, line_top, mirror))
    width = QFontMetricsF(look.body).horizontalAdvance(marker)
    left = line.left() if mirror is not None else line.right() - width
    return QRectF(left, line.top(), width, line.height())


def _marker_lines(
    look: TranscriptStyle, place: BlockPosition, line_top: float, mirror: float | None
) -> Iterator[tuple[str, QRectF]]:
    """Yield each marker with its place beside the first line."""
    x = 0.0
    for rail, width in zip(place.rails, _widths(place, look), strict=False):
        x += width
        line = QRectF(x - width, line_top - 1, width - _MARKER_GAP_PX, look.line_px)
        if mirror is not None:
            line.moveLeft(mirror - x + _MARKER_GAP_PX)
        if rail.marker:
            yield rail.marker, line


def _widths(place: BlockPosition, look: TranscriptStyle) -> list[int]:
    widths = []
    for rail in place.rails[:_DEEPEST]:
        width = look.scaled(_QUOTE_PX if rail.kind is RailKind.QUOTE else _ITEM_PX)
        marker = QFontMetricsF(look.body).horizontalAdvance(rail.marker) + _MARKER_GAP_PX
        # Long numbers hang over the margin a little; the longest push their words aside.
        widths.append(width if marker < 2 * width else round(marker))
    return widths


def _draw_words(
    painter: QPainter,
    look: TranscriptStyle,
    line: QRectF,
    marker: tuple[str, Token],
    *,
    is_mirrored: bool,
) -> None:
    words, ink = marker
    painter.setFont(look.body)
    painter.setPen(look.color(ink))
    side = Qt.AlignmentFlag.AlignLeft if is_mirrored else Qt.AlignmentFlag.AlignRight
    roomy = line.adjusted(-40, 0, 0, 0) if not is_mirrored else line.adjusted(0, 0, 40, 0)
    painter.drawText(roomy, side | Qt.AlignmentFlag.AlignVCenter, words)


def _draw_box(painter: QPainter, look: TranscriptStyle, line: QRectF, *, is_checked: bool) -> None:
    side = look.scaled(_BOX_PX)
    box = QRectF(line.right() - side + 1, line.center().y() - side / 2, side, side)
    look.draw_panel(painter, box, "accent" if is_checked else "bg", "line-strong", 3)
    if is_checked:
        tick = [(0.25, 0.52), (0.43, 0.7), (0.76, 0.32)]
        points = [QPointF(box.left() + x * side, box.top() + y * side) for x, y in tick]
        painter.setPen(QPen(look.color("on-accent"), 1.6))
        painter.drawPolyline(QPolygonF(points))
