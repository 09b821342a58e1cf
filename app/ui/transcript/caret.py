"""Going through the text with the keyboard: by letter, word, line, and to either end."""

from enum import Enum
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextCursor

from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.rows.row import Row
from app.ui.transcript.selection import Anchor
from app.ui.transcript.text_positions import TextPosition

# So many rows are looked through for one with text.
_REACH: Final = 60

_Move = QTextCursor.MoveOperation


class CaretMove(Enum):
    """Where a caret goes."""

    LEFT = "left"
    RIGHT = "right"
    WORD_LEFT = "word left"
    WORD_RIGHT = "word right"
    UP = "up"
    DOWN = "down"
    LINE_START = "line start"
    LINE_END = "line end"
    CHAT_START = "chat start"
    CHAT_END = "chat end"


_IN_TEXT: Final = {
    CaretMove.LEFT: _Move.Left,
    CaretMove.RIGHT: _Move.Right,
    CaretMove.WORD_LEFT: _Move.WordLeft,
    CaretMove.WORD_RIGHT: _Move.WordRight,
    CaretMove.LINE_START: _Move.StartOfLine,
    CaretMove.LINE_END: _Move.EndOfLine,
}
_BACKWARDS: Final = frozenset(
    {CaretMove.LEFT, CaretMove.WORD_LEFT, CaretMove.UP, CaretMove.CHAT_START}
)


class Caret:
    """Works out where a caret comes to. One for a view."""

    def __init__(self, layout: TranscriptLayout) -> None:
        self._layout = layout

    def start_of(self, index: int) -> Anchor | None:
        """Return the first place of a row, or of the next one that has text."""
        return self._enter(index, 1)

    def step(self, place: Anchor, way: CaretMove) -> Anchor:
        """Return where a caret at `place` comes to; the same place at either end."""
        if way is CaretMove.CHAT_START:
            return self._enter(0, 1) or place
        if way is CaretMove.CHAT_END:
            return self._enter(self._layout.count - 1, -1) or place
        if way in (CaretMove.UP, CaretMove.DOWN):
            return self._next_line(place, way)
        return self._next_letter(place, way)

    def box(self, place: Anchor) -> QRectF | None:
        """Return where the caret stands, in the measures of its row."""
        text = self._layout.row(place.row).text_box(place.spot.piece)
        return text.caret(place.spot.position) if text else None

    def seen_box(self, place: Anchor) -> QRectF | None:
        """Return the same, or None where the text is moved sideways out of sight."""
        text = self._layout.row(place.row).text_box(place.spot.piece)
        box = text.caret(place.spot.position) if text else None
        return box if text and box and text.shows(box) else None

    def _next_letter(self, place: Anchor, way: CaretMove) -> Anchor:
        text = self._layout.row(place.row).text_box(place.spot.piece)
        if text:
            cursor = QTextCursor(text.box.document)
            cursor.setPosition(min(place.spot.position, text.box.length))
            cursor.movePosition(_IN_TEXT[way])
            if cursor.position() != place.spot.position:
                return Anchor(place.row, TextPosition(place.spot.piece, cursor.position()))
        if way in (CaretMove.LINE_START, CaretMove.LINE_END):
            return place
        return self._leave(place, -1 if way in _BACKWARDS else 1)

    def _next_line(self, place: Anchor, way: CaretMove) -> Anchor:
        box = self.box(place)
        row = self._layout.row(place.row)
        by = -1 if way is CaretMove.UP else 1
        if box is None:
            return self._leave(place, by)
        # Half a line further, then on in small steps: between blocks there is room without text.
        half = box.height() / 2
        y = box.center().y() + by * box.height()
        while -half <= y <= row.height + half:
            spot = row.position_at(QPointF(box.x(), y))
            if spot and self._is_on(row, spot, y):
                return Anchor(place.row, spot)
            y += by * half
        return self._leave(place, by)

    def _is_on(self, row: Row, spot: TextPosition, y: float) -> bool:
        """Tell whether the line of a spot is the one at this height."""
        text = row.text_box(spot.piece)
        if text is None:
            return False
        line = text.caret(spot.position)
        return line.top() <= y <= line.bottom()

    def _leave(self, place: Anchor, by: int) -> Anchor:
        """Go on in the next piece, or in the next row."""
        row = self._layout.row(place.row)
        piece = place.spot.piece + by
        while 0 <= piece < row.piece_count:
            if spot := _end_of(row, piece, by):
                return Anchor(place.row, spot)
            piece += by
        return self._enter(place.row + by, by) or place

    def _enter(self, index: int, by: int) -> Anchor | None:
        """Return the first place (the last, going backwards) of the next row with text."""
        for number in range(index, index + by * _REACH, by):
            if not 0 <= number < self._layout.count:
                return None
            row = self._layout.row(number)
            pieces = range(row.piece_count)
            for piece in pieces if by > 0 else reversed(pieces):
                if spot := _end_of(row, piece, by):
                    return Anchor(number, spot)
        return None


def _end_of(row: Row, piece: int, by: int) -> TextPosition | None:
    """Return the beginning of a piece, or its end when going backwards."""
    text = row.text_box(piece)
    if text is None:
        return None
    return TextPosition(piece, 0 if by > 0 else text.box.length)
