"""The mouse in the transcript: pressing what can be pressed, marking text."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent

from app.ui.transcript.layout import Placed, TranscriptLayout
from app.ui.transcript.selection import Selection
from app.ui.transcript.targets import Deed, OpenLink, Target

_LEFT: Final = Qt.MouseButton.LeftButton


@dataclass(frozen=True, slots=True)
class Hit:
    """What is under the pointer: a row, a point in its measures, and what can be pressed there."""

    placed: Placed
    point: QPointF
    target: Target | None


class Pointer(QObject):
    """Turns presses, moves and releases into deeds and marked text.

    A press counts when it is released on the same target. One for a view; ends with it.
    """

    pressed = Signal(str, object)
    """The key of the row, and the `Deed`."""

    selected = Signal()
    """Other text is marked now."""

    dragged_out = Signal(int)
    """Marking goes on so many pixels above (negative) or below the window."""

    def __init__(
        self, layout: TranscriptLayout, selection: Selection, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._selection = selection
        self._down: tuple[str, Deed] | None = None
        self._marks = False
        self._last_double: tuple[int, QPointF] | None = None

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
            return Qt.CursorShape.PointingHandCursor
        is_text = 0 <= hit.point.y() < hit.placed.row.height and hit.placed.row.spot_at(hit.point)
        return Qt.CursorShape.IBeamCursor if is_text else Qt.CursorShape.ArrowCursor

    def handle(self, event: QMouseEvent) -> None:
        """Take an event of the window's mouse."""
        match event.type():
            case QEvent.Type.MouseButtonPress if event.button() == _LEFT:
                self._press(event)
            case QEvent.Type.MouseButtonDblClick if event.button() == _LEFT:
                self._mark_word(event)
            case QEvent.Type.MouseMove if event.buttons() & _LEFT:
                self._drag(event.position())
            case QEvent.Type.MouseButtonRelease if event.button() == _LEFT:
                self._release(event.position())

    def _press(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position())
        self._down, self._marks = None, False
        if hit is None:
            return
        if hit.target:
            self._down = (hit.placed.key, hit.target.deed)
            if not isinstance(hit.target.deed, OpenLink):
                return
        if self._is_third_click(event):
            self._selection.take(hit.placed.key, hit.placed.row.all_selected())
        elif spot := hit.placed.row.spot_at(hit.point):
            self._selection.begin(hit.placed.key, spot)
            self._marks = True
        else:
            self._selection.clear()
        self.selected.emit()

    def _is_third_click(self, event: QMouseEvent) -> bool:
        last, self._last_double = self._last_double, None
        if last is None:
            return False
        hints = QGuiApplication.styleHints()
        is_soon = event.timestamp() - last[0] < hints.mouseDoubleClickInterval()
        way = (event.position() - last[1]).manhattanLength()
        return is_soon and way < hints.startDragDistance()

    def _mark_word(self, event: QMouseEvent) -> None:
        self._last_double = (event.timestamp(), event.position())
        hit = self.hit(event.position())
        if hit and hit.target and not isinstance(hit.target.deed, OpenLink):
            self._press(event)
            return
        if hit and (spot := hit.placed.row.spot_at(hit.point)):
            self._selection.take(hit.placed.key, hit.placed.row.word_at(spot))
            self._marks = True
            self._down = None
            self.selected.emit()

    def _drag(self, point: QPointF) -> None:
        if not self._marks:
            return
        over = min(0.0, point.y()) or max(0.0, point.y() - self._layout.height)
        if over:
            self.dragged_out.emit(round(over))
        for placed in self._layout.placed:
            if placed.key == self._selection.key:
                inside = point - QPointF(self._layout.column_left, placed.top)
                if spot := placed.row.spot_at(inside):
                    self._selection.go_to(spot)
                    self.selected.emit()

    def _release(self, point: QPointF) -> None:
        down, self._down = self._down, None
        self._marks = False
        hit = self.hit(point)
        if down is None or hit is None or hit.target is None:
            return
        if isinstance(hit.target.deed, OpenLink) and not self._selection.is_empty:
            return
        if (hit.placed.key, hit.target.deed) == down:
            self.pressed.emit(*down)
