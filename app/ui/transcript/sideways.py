"""Moving what is wider than its block: by wheel, touchpad, or the arrow keys."""

from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent

from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.marks import Marks
from app.ui.transcript.pointer import Pointer
from app.ui.transcript.slide import Slide

_KEY_PX: Final = 44
_NOTCH: Final = 120
_NOTCH_PX: Final = 66
_KEYS: Final = {Qt.Key.Key_Left: -_KEY_PX, Qt.Key.Key_Right: _KEY_PX}
_NO_MODIFIER: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class Sideways(QObject):
    """Finds the block that is meant, and moves its text. One for a view; ends with it."""

    moved = Signal()
    """A text was moved."""

    def __init__(
        self, layout: TranscriptLayout, pointer: Pointer, marks: Marks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._pointer = pointer
        self._marks = marks

    def turn(self, event: QWheelEvent) -> bool:
        """Take a turn of the wheel that is meant sideways; False leaves it to others."""
        way = _way(event)
        hit = self._pointer.hit(event.position()) if way else None
        slide = hit.placed.row.slide_at(hit.point) if hit else None
        if slide is None:
            return False
        # At the end it stays with the block: nobody means to scroll the chat by this.
        self._move(slide, -way)
        return True

    def handle(self, event: QKeyEvent) -> bool:
        """Take an arrow key, if the keyboard is at a block that can be moved."""
        way = _KEYS.get(Qt.Key(event.key()), 0) if event.modifiers() in _NO_MODIFIER else 0
        slide = self._slide_at_keyboard() if way else None
        if slide is None:
            return False
        self._move(slide, way)
        return True

    def _move(self, slide: Slide, by: float) -> None:
        slide.move(by)
        self.moved.emit()

    def _slide_at_keyboard(self) -> Slide | None:
        """Return the block that has the keyboard's button or bar in it, or the last click."""
        focus, cursor = self._marks.focus, self._marks.selection.cursor
        for placed in self._layout.placed:
            if focus.target:
                if placed.key == focus.key:
                    return placed.row.slide_at(focus.target.box.center())
            elif cursor and cursor.row == placed.index:
                text = placed.row.box_of(cursor.spot.piece)
                return (
                    placed.row.slide_at(text.caret(cursor.spot.position).center()) if text else None
                )
        return None


def _way(event: QWheelEvent) -> float:
    """Return how far a turn goes sideways, in pixels; 0 if it goes up or down."""
    pixels, turned = event.pixelDelta(), event.angleDelta()
    way = _sideways(pixels, event)
    return way or _sideways(turned, event) * _NOTCH_PX / _NOTCH


def _sideways(way: QPoint, event: QWheelEvent) -> int:
    if abs(way.x()) > abs(way.y()):
        return way.x()
    # Not every system turns the wheel's way itself.
    has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    return way.y() if has_shift else 0
