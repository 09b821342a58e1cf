"""`Pointer` handles the mouse in the transcript: pressing what can be pressed, selecting text.

`SelectionUnit` and `stretch_at` say how much a click selects: a place between letters, a word, a
paragraph.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent

from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.hit_targets import Deed, HitTarget, InText, Scroll
from app.ui.transcript.layout import Placed, TranscriptLayout
from app.ui.transcript.selection import Anchor, SelectedSpan, SelectedText, Selection, TextPosition


class SelectionUnit(Enum):
    """What is marked at once."""

    LETTER = "letter"
    WORD = "word"
    PARAGRAPH = "paragraph"


def stretch_at(placed: Placed, point: QPointF, unit: SelectionUnit) -> SelectedSpan | None:
    """Return what a click on a point of a row marks; None in a row without text."""
    row = placed.row
    spot = row.position_at(point)
    if spot is None:
        return None
    selected: SelectedText | None = SelectedText(spot, spot)
    if unit is SelectionUnit.WORD:
        selected = row.word_at(spot)
    elif unit is SelectionUnit.PARAGRAPH:
        selected = _paragraph(placed, spot)
    return SelectedSpan.within(placed.index, selected) if selected else None


def nearest_stretch(placed: Placed, point: QPointF, unit: SelectionUnit) -> SelectedSpan:
    """Return the same; of a row without text its beginning."""
    here = Anchor(placed.index, TextPosition(0, 0))
    return stretch_at(placed, point, unit) or SelectedSpan(here, here)


def _paragraph(placed: Placed, spot: TextPosition) -> SelectedText | None:
    text = placed.row.text_box(spot.piece)
    if text is None:
        return placed.row.all_selected()
    return SelectedText.in_piece(spot.piece, text.paragraph_at(spot.position))


_LEFT: Final = Qt.MouseButton.LeftButton
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_SCROLL_MS: Final = 40


@dataclass(frozen=True, slots=True)
class Hit:
    """What is under the pointer: a row, a point in its measures, and what can be pressed there."""

    placed: Placed
    point: QPointF
    target: HitTarget | None


@dataclass(frozen=True, slots=True)
class _Grip:
    """A bar that is being drawn sideways; it begins at `left` of the window."""

    slide: HorizontalScroll
    left: float


class Pointer(QObject):
    """Turns presses, moves and releases into deeds and marked text.

    A press counts when it is released on the same target. One for a view; ends with it.
    """

    pressed = Signal(str, object)
    """The key of the row, and the `Deed`."""

    selected = Signal()
    """Other text is marked now."""

    slid = Signal()
    """A block was moved sideways."""

    dragged_out = Signal(int)
    """Marking goes on so many pixels above (negative) or below the window."""

    def __init__(
        self, layout: TranscriptLayout, selection: Selection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._selection = selection
        self._down: tuple[str, Deed] | None = None
        self._first_press: tuple[str, Deed] | None = None
        self._unit: SelectionUnit | None = None
        self._grip: _Grip | None = None
        self._last_double: tuple[int, QPointF] | None = None
        self._at = QPointF()
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(_SCROLL_MS)
        self._scrolling.timeout.connect(self._on_scrolling_timeout)
        self._surprise = QTimer(self)
        self._surprise.setSingleShot(True)

    @property
    def is_surprised(self) -> bool:
        """Whether something else lies under the pointer since a moment ago."""
        return self._surprise.isActive()

    def hit(self, point: QPointF) -> Hit | None:
        """Return what is under a point of the window."""
        placed = self._layout.placed_at(point.y())
        if placed is None:
            return None
        inside = point - QPointF(self._layout.column_left, placed.top)
        targets = (target for target in placed.row.targets() if target.holds(inside))
        return Hit(placed, inside, next(targets, None))

    def shape_at(self, point: QPointF) -> Qt.CursorShape:
        """Return the shape of the pointer there."""
        hit = self.hit(point)
        if hit is None:
            return Qt.CursorShape.ArrowCursor
        if hit.target:
            is_bar = isinstance(hit.target.deed, Scroll)
            return Qt.CursorShape.ArrowCursor if is_bar else Qt.CursorShape.PointingHandCursor
        row = hit.placed.row
        is_text = 0 <= hit.point.y() < row.height and row.position_at(hit.point)
        return Qt.CursorShape.IBeamCursor if is_text else Qt.CursorShape.ArrowCursor

    def note_grown_window(self) -> None:
        """Take note that something that stood below the window is gone, such as a card.

        For as long as a double click takes, nothing is pressed: a press now was meant for what
        was there before.
        """
        self._surprise.start(QGuiApplication.styleHints().mouseDoubleClickInterval())

    def handle(self, event: QMouseEvent) -> None:
        """Take an event of the window's mouse."""
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
        before, self._down, self._unit = self._first_press, None, None
        self._first_press = None
        unit = self._unit_of(event, is_second=is_second)
        if hit is None or self._take_bar(hit, event.position()):
            return
        if hit.target:
            target = (hit.placed.key, hit.target.deed)
            is_meant = not self.is_surprised and (not is_second or before == target)
            self._down = self._first_press = target if is_meant else None
            if not isinstance(hit.target.deed, InText):
                return
        self._mark(hit, unit, goes_on=bool(event.modifiers() & _SHIFT))
        if unit is not SelectionUnit.LETTER:
            self._down = None

    def _take_bar(self, hit: Hit, point: QPointF) -> bool:
        """Take hold of the bar under the pointer, if that is what is there."""
        slide = hit.placed.row.slide_at(hit.point)
        if slide is None or hit.target is None or not isinstance(hit.target.deed, Scroll):
            return False
        x = hit.point.x() - hit.target.box.left()
        slide.press(x)
        self._grip = _Grip(slide, point.x() - x)
        self.slid.emit()
        return True

    def _mark(self, hit: Hit, unit: SelectionUnit, *, goes_on: bool) -> None:
        stretch = stretch_at(hit.placed, hit.point, unit)
        if goes_on and self._selection.cursor:
            self._selection.go_to(nearest_stretch(hit.placed, hit.point, unit))
        elif stretch:
            self._selection.take(stretch)
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
        is_soon = event.timestamp() - last[0] < hints.mouseDoubleClickInterval()
        way = (event.position() - last[1]).manhattanLength()
        is_third = is_soon and way < hints.startDragDistance()
        return SelectionUnit.PARAGRAPH if is_third else SelectionUnit.LETTER

    def _drag(self, point: QPointF) -> None:
        if self._grip:
            self._grip.slide.drag(point.x() - self._grip.left)
            self.slid.emit()
        if self._unit is None:
            return
        self._at = point
        if self._over:
            self.dragged_out.emit(self._over)
            self._scrolling.start()
        else:
            self._scrolling.stop()
        # Beyond the window, marking goes to its edge.
        y = min(max(0.0, point.y()), self._layout.height - 1.0)
        if hit := self.hit(QPointF(point.x(), y)):
            self._selection.go_to(nearest_stretch(hit.placed, hit.point, self._unit))
            self._follow_sideways(hit)
            self.selected.emit()

    def _follow_sideways(self, hit: Hit) -> None:
        """Beyond the side of a block that is wider than its place, marking moves it."""
        slide, place = hit.placed.row.slide_at(hit.point), self._selection.cursor
        if slide and place and place.row == hit.placed.index:
            text = hit.placed.row.text_box(place.spot.piece)
            if text and text.window:
                slide.bring_in(text.caret(place.spot.position), text.window)

    @property
    def _over(self) -> int:
        """How far the pointer is above (negative) or below the window."""
        y = self._at.y()
        return round(min(0.0, y) or max(0.0, y - self._layout.height))

    def _on_scrolling_timeout(self) -> None:
        """The pointer rests outside: marking goes on all the same."""
        self._drag(self._at)

    def _release(self, point: QPointF) -> None:
        down, self._down = self._down, None
        self._unit = self._grip = None
        self._scrolling.stop()
        hit = self.hit(point)
        if down is None or hit is None or hit.target is None:
            return
        if isinstance(hit.target.deed, InText) and not self._selection.is_empty:
            return
        if (hit.placed.key, hit.target.deed) == down:
            self.pressed.emit(*down)
