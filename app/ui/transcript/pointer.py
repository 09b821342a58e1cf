"""`Pointer` handles the mouse in the transcript: pressing what can be pressed, selecting text.

`SelectionUnit` and `span_at` say how much a click selects: a position between letters, a word, a
paragraph.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent

from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.hit_targets import HitTarget, InlineAction, Scroll, TargetAction
from app.ui.transcript.layout import PlacedRow, TranscriptLayout
from app.ui.transcript.selection import Anchor, SelectedSpan, SelectedText, Selection, TextPosition


class SelectionUnit(Enum):
    """How much a click selects."""

    LETTER = "letter"
    WORD = "word"
    PARAGRAPH = "paragraph"


def span_at(placed: PlacedRow, point: QPointF, unit: SelectionUnit) -> SelectedSpan | None:
    """Return the span that a click on a point of a row selects; None in a row without text."""
    row = placed.row
    position = row.position_at(point)
    if position is None:
        return None
    selected: SelectedText | None = SelectedText(position, position)
    if unit is SelectionUnit.WORD:
        selected = row.word_at(position)
    elif unit is SelectionUnit.PARAGRAPH:
        selected = _paragraph(placed, position)
    return SelectedSpan.within(placed.index, selected) if selected else None


def nearest_span(placed: PlacedRow, point: QPointF, unit: SelectionUnit) -> SelectedSpan:
    """Return the span at a point, or the beginning of the row if it has no text there."""
    here = Anchor(placed.index, TextPosition(0, 0))
    return span_at(placed, point, unit) or SelectedSpan(here, here)


def _paragraph(placed: PlacedRow, position: TextPosition) -> SelectedText | None:
    text = placed.row.text_box(position.piece)
    if text is None:
        return placed.row.all_selected()
    return SelectedText.in_piece(position.piece, text.paragraph_at(position.offset))


_LEFT: Final = Qt.MouseButton.LeftButton
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_SCROLL_MS: Final = 40


@dataclass(frozen=True, slots=True)
class Hit:
    """What is under the pointer: a row, a point in its measures, and what can be pressed there."""

    placed: PlacedRow
    point: QPointF
    target: HitTarget | None


@dataclass(frozen=True, slots=True)
class _BarDrag:
    """A scroll bar that is being dragged; it begins at `left` of the window."""

    scroll: HorizontalScroll
    left: float


class Pointer(QObject):
    """Turns presses, moves and releases into actions and selected text.

    A press counts when it is released on the same target. One for a view; ends with it.
    """

    pressed = Signal(str, object)
    """The key of the row, and the `TargetAction`."""

    selected = Signal()
    """Other text is selected now."""

    scrolled_sideways = Signal()
    """A block was scrolled sideways."""

    dragged_out = Signal(int)
    """The selection goes on so many pixels above (negative) or below the window."""

    def __init__(
        self, layout: TranscriptLayout, selection: Selection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._selection = selection
        self._down: tuple[str, TargetAction] | None = None
        self._first_press: tuple[str, TargetAction] | None = None
        self._unit: SelectionUnit | None = None
        self._bar_drag: _BarDrag | None = None
        self._last_double: tuple[int, QPointF] | None = None
        self._at = QPointF()
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(_SCROLL_MS)
        self._scrolling.timeout.connect(self._on_scrolling_timeout)
        self._guard = QTimer(self)
        self._guard.setSingleShot(True)

    @property
    def ignores_presses(self) -> bool:
        """Whether what lies under the pointer has changed a moment ago."""
        return self._guard.isActive()

    def hit(self, point: QPointF) -> Hit | None:
        """Return the row and the target under a point of the window."""
        placed = self._layout.placed_at(point.y())
        if placed is None:
            return None
        inside = point - QPointF(self._layout.column_left, placed.top)
        targets = (target for target in placed.row.targets() if target.contains(inside))
        return Hit(placed, inside, next(targets, None))

    def shape_at(self, point: QPointF) -> Qt.CursorShape:
        """Return the cursor shape for a point of the window."""
        hit = self.hit(point)
        if hit is None:
            return Qt.CursorShape.ArrowCursor
        if hit.target:
            is_bar = isinstance(hit.target.action, Scroll)
            return Qt.CursorShape.ArrowCursor if is_bar else Qt.CursorShape.PointingHandCursor
        row = hit.placed.row
        is_text = 0 <= hit.point.y() < row.height and row.position_at(hit.point)
        return Qt.CursorShape.IBeamCursor if is_text else Qt.CursorShape.ArrowCursor

    def guard_presses(self) -> None:
        """Ignore presses for a moment: what stood below the window is gone, such as a card.

        For as long as a double click takes, nothing is pressed: a press now was meant for what
        was there before.
        """
        self._guard.start(QGuiApplication.styleHints().mouseDoubleClickInterval())

    def handle(self, event: QMouseEvent) -> None:
        """Handle a mouse event of the window."""
        match event.type():
            case QEvent.Type.MouseButtonPress if event.button() == _LEFT:
                self._press(event, is_second=False)
            case QEvent.Type.MouseButtonDblClick if event.button() == _LEFT:
                self._press(event, is_second=True)
            case QEvent.Type.MouseMove if event.buttons() & _LEFT:
                self._drag(event.position())
            case QEvent.Type.MouseButtonRelease if event.button() == _LEFT:
                self._release(event.position())

    def _press(self, event: QMouseEvent, *, is_second: bool) -> None:
        hit = self.hit(event.position())
        # A double click on a target counts only if its first press was on the same one: a list that
        # moved in between must not be pressed by the second.
        before, self._down, self._unit = self._first_press, None, None
        self._first_press = None
        unit = self._unit_of(event, is_second=is_second)
        if hit is None or self._press_bar(hit, event.position()):
            return
        if hit.target:
            target = (hit.placed.key, hit.target.action)
            is_meant = not self.ignores_presses and (not is_second or before == target)
            self._down = self._first_press = target if is_meant else None
            # Links stand in text, so pressing one may begin a selection, too.
            if not isinstance(hit.target.action, InlineAction):
                return
        self._mark(hit, unit, goes_on=bool(event.modifiers() & _SHIFT))
        if unit is not SelectionUnit.LETTER:
            self._down = None

    def _press_bar(self, hit: Hit, point: QPointF) -> bool:
        """Begin to drag the scroll bar under the pointer, if there is one."""
        scroll = hit.placed.row.scroll_at(hit.point)
        if scroll is None or hit.target is None or not isinstance(hit.target.action, Scroll):
            return False
        x = hit.point.x() - hit.target.box.left()
        scroll.press(x)
        self._bar_drag = _BarDrag(scroll, point.x() - x)
        self.scrolled_sideways.emit()
        return True

    def _mark(self, hit: Hit, unit: SelectionUnit, *, goes_on: bool) -> None:
        span = span_at(hit.placed, hit.point, unit)
        if goes_on and self._selection.cursor:
            self._selection.extend_to(nearest_span(hit.placed, hit.point, unit))
        elif span:
            self._selection.select(span)
        else:
            self._selection.clear()
        self._unit = unit if self._selection.cursor else None
        self.selected.emit()

    def _unit_of(self, event: QMouseEvent, *, is_second: bool) -> SelectionUnit:
        last, self._last_double = self._last_double, None
        if is_second:
            self._last_double = (event.timestamp(), event.position())
            return SelectionUnit.WORD
        if last is None:
            return SelectionUnit.LETTER
        hints = QGuiApplication.styleHints()
        # Qt knows no third click: it is told by time and distance, as Qt tells the second.
        is_soon = event.timestamp() - last[0] < hints.mouseDoubleClickInterval()
        distance = (event.position() - last[1]).manhattanLength()
        is_third = is_soon and distance < hints.startDragDistance()
        return SelectionUnit.PARAGRAPH if is_third else SelectionUnit.LETTER

    def _drag(self, point: QPointF) -> None:
        if self._bar_drag:
            self._bar_drag.scroll.drag(point.x() - self._bar_drag.left)
            self.scrolled_sideways.emit()
        if self._unit is None:
            return
        self._at = point
        if self._overshoot_px:
            self.dragged_out.emit(self._overshoot_px)
            self._scrolling.start()
        else:
            self._scrolling.stop()
        # Beyond the window, the selection goes to its edge.
        y = min(max(0.0, point.y()), self._layout.height - 1.0)
        if hit := self.hit(QPointF(point.x(), y)):
            self._selection.extend_to(nearest_span(hit.placed, hit.point, self._unit))
            self._follow_sideways(hit)
            self.selected.emit()

    def _follow_sideways(self, hit: Hit) -> None:
        """Scroll a wide block sideways while the selection goes beyond its side."""
        scroll, anchor = hit.placed.row.scroll_at(hit.point), self._selection.cursor
        if scroll and anchor and anchor.row == hit.placed.index:
            text = hit.placed.row.text_box(anchor.position.piece)
            if text and text.window:
                scroll.reveal(text.caret(anchor.position.offset), text.window)

    @property
    def _overshoot_px(self) -> int:
        """How far the pointer is above (negative) or below the window."""
        y = self._at.y()
        return round(min(0.0, y) or max(0.0, y - self._layout.height))

    def _on_scrolling_timeout(self) -> None:
        """Go on selecting while the pointer rests outside the window."""
        self._drag(self._at)

    def _release(self, point: QPointF) -> None:
        down, self._down = self._down, None
        self._unit = self._bar_drag = None
        self._scrolling.stop()
        hit = self.hit(point)
        if down is None or hit is None or hit.target is None:
            return
        # Dragging from a link selects its words; letting go over it then does not open it.
        if isinstance(hit.target.action, InlineAction) and not self._selection.is_empty:
            return
        if (hit.placed.key, hit.target.action) == down:
            self.pressed.emit(*down)
