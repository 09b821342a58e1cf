"""These classes hold the keyboard's position in the transcript, and move it.

`CurrentMessage` keeps the message, and whether a caret stands in its text; `TargetFocus` keeps the
link or button. `NoteNavigation` goes from what refers to a note to the note, and back. `Caret` goes
through the text by letter, word and line, and to either end. `InteractionState` has them together.
`PlaceKeeper` brings the view to where another one was.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextCursor

from app.ui.transcript.finding import TranscriptFinder
from app.ui.transcript.hit_targets import ClickFeedback, FromNote, HitTarget, TargetAction, ToNote
from app.ui.transcript.layout import ScrollPlace, TranscriptLayout
from app.ui.transcript.rows.row import Row
from app.ui.transcript.selection import Anchor, Selection, TextPosition, TextRange


@dataclass(slots=True)
class CurrentMessage:
    """Goes from message to message. One for a view."""

    layout: TranscriptLayout
    index: int | None = None
    has_caret: bool = False

    @property
    def current_or_first(self) -> int:
        """The current message, or else the first one whose top is in the viewport."""
        if self.index is not None and self.index < self.layout.count:
            return self.index
        placed = self.layout.placed
        whole = [row.index for row in placed if row.top >= 0] or [row.index for row in placed]
        return whole[0] if whole else -1

    def move(self, by: int) -> int | None:
        """Go `by` messages on and bring it into the window; None where there is none."""
        count = self.layout.count
        if not count:
            return None
        # The first step up from the end leads to the last message.
        start = self.index
        if start is None:
            last = self.layout.placed[-1].index if self.layout.placed else count - 1
            index = last if by < 0 else self.current_or_first
        else:
            index = start + by
        if not 0 <= index < count:
            return None
        self.go_to(index)
        return index

    def go_to(self, index: int) -> None:
        """Go to a message, its beginning in the window."""
        self.index, self.has_caret = index, False
        row = self.layout.row(index)
        self.layout.reveal(index, 0, min(row.height, self.layout.height // 2))

    def clear(self) -> None:
        """Go to no message."""
        self.index, self.has_caret = None, False

    def insert(self, first: int, count: int) -> None:
        """Follow the insertion of rows."""
        if self.index is not None and first <= self.index:
            self.index += count

    def remove(self, first: int, count: int) -> None:
        """Follow the removal of rows."""
        if self.index is None or self.index < first:
            return
        if self.index < first + count:
            self.clear()
        else:
            self.index -= count


# How many rows the search for the next target goes through at most.
_ROWS_SEARCHED: Final = 40


@dataclass(frozen=True, slots=True)
class _At:
    key: str
    number: int


class TargetFocus:
    """Goes from target to target in the order of reading.

    One for a view; ends with it.
    """

    def __init__(self, layout: TranscriptLayout) -> None:
        self._layout = layout
        self._at: _At | None = None

    @property
    def index(self) -> int | None:
        """The number of the row that the keyboard is in, if it is in the window."""
        return next((row.index for row in self._layout.placed if row.key == self.key), None)

    @property
    def key(self) -> str:
        """The key of the row that the keyboard is in, or nothing."""
        return self._at.key if self._at else ""

    @property
    def target(self) -> HitTarget | None:
        """The target that has the keyboard, in coordinates of its row."""
        at = self._at
        if at is None:
            return None
        for placed in self._layout.placed:
            if placed.key == at.key:
                targets = placed.row.targets()
                return targets[at.number] if at.number < len(targets) else None
        return None

    @property
    def number(self) -> int | None:
        """The number of the current target in its row."""
        return self._at.number if self._at else None

    def clear(self) -> None:
        """Go to no target."""
        self._at = None

    def move(self, step: int, begin: int | None = None) -> bool:
        """Go to the next target (`step` 1) or the one before (-1); False if there is none near.

        `begin` is the row to begin in, if the keyboard is at no target yet.
        """
        index, number = self._start(step, begin)
        for row_index in range(index, index + step * _ROWS_SEARCHED, step):
            if not 0 <= row_index < self._layout.count:
                break
            targets = self._layout.row(row_index).targets()
            if row_index != index or number is None:
                number = 0 if step > 0 else len(targets) - 1
            if 0 <= number < len(targets):
                self._be_at(row_index, number, targets[number])
                return True
        self._at = None
        return False

    def go_to(self, index: int, target: HitTarget) -> None:
        """Go to a target of a row."""
        targets = self._layout.row(index).targets()
        number = next((n for n, other in enumerate(targets) if other.action == target.action), None)
        if number is not None:
            self._be_at(index, number, targets[number])

    def _start(self, step: int, begin: int | None) -> tuple[int, int | None]:
        """Return the row to begin with, and the target in it if that is known."""
        placed = self._layout.placed
        if at := self._at:
            # Go on from the focused target only if its row is still in the viewport.
            for row in placed:
                if row.key == at.key:
                    return row.index, at.number + step
        if begin is not None or not placed:
            return begin or 0, None
        whole = [p.index for p in placed if p.top >= 0] or [placed[0].index]
        return (whole[0] if step > 0 else placed[-1].index), None

    def _be_at(self, index: int, number: int, target: HitTarget) -> None:
        self._layout.reveal_box(index, target.box, target.window)
        key = next((p.key for p in self._layout.placed if p.index == index), "")
        self._at = _At(key, number)


class NoteNavigation:
    """Goes to a note, and back to the reference. One for a view; ends with it."""

    def __init__(
        self,
        layout: TranscriptLayout,
        focus: TargetFocus,
        current_message: CurrentMessage,
    ) -> None:
        self._layout = layout
        self._focus = focus
        self._current_message = current_message
        self._came_from: dict[tuple[str, int], int] = {}

    def follow(self, key: str, action: ToNote | FromNote) -> str:
        """Go from a footnote to its mark, or back, in this row; return the text there."""
        index = next((row.index for row in self._layout.placed if row.key == key), None)
        if index is None:
            return ""
        piece = action.to_piece
        if isinstance(action, ToNote):
            self._came_from[key, action.number] = action.from_piece
        else:
            piece = self._came_from.get((key, action.number), piece)
        target = None
        # Twice: a row far from the viewport has its final layout only once it was scrolled to.
        for _ in range(2):
            row = self._layout.row(index)
            row.text_box(piece)
            target = _other_end(row, action, piece)
            if target is None:
                return ""
            self._layout.reveal_box(index, target.box, target.window)
        return self._arrive(index, target, piece) if target else ""

    def _arrive(self, index: int, target: HitTarget, piece: int) -> str:
        row = self._layout.row(index)
        self._focus.go_to(index, target)
        self._current_message.index, self._current_message.has_caret = index, False
        text = row.text_box(piece)
        return text.copied(TextRange(0, text.box.length)) if text else ""


def _other_end(row: Row, action: ToNote | FromNote, piece: int) -> HitTarget | None:
    targets = row.targets()
    if isinstance(action, ToNote):
        back = FromNote(action.number)
        return next((target for target in targets if target.action == back), None)
    references = (
        t for t in targets if isinstance(t.action, ToNote) and t.action.number == action.number
    )
    return min(references, key=lambda reference: _distance(reference, piece), default=None)


def _distance(reference: HitTarget, piece: int) -> int:
    return abs(reference.action.from_piece - piece) if isinstance(reference.action, ToNote) else 0


# So many rows are looked through for one with text.
_ROWS_ENTERED: Final = 60

_Move = QTextCursor.MoveOperation


class CaretMove(Enum):
    """A move of the caret."""

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
    """Computes where a caret moves to. One for a view."""

    def __init__(self, layout: TranscriptLayout) -> None:
        self._layout = layout

    def start_of(self, index: int) -> Anchor | None:
        """Return the first position of a row, or of the next one that has text."""
        return self._enter(index, 1)

    def step(self, anchor: Anchor, move: CaretMove) -> Anchor:
        """Return the position of a caret at `anchor` after a move; the same at either end."""
        if move is CaretMove.CHAT_START:
            return self._enter(0, 1) or anchor
        if move is CaretMove.CHAT_END:
            return self._enter(self._layout.count - 1, -1) or anchor
        if move in (CaretMove.UP, CaretMove.DOWN):
            return self._next_line(anchor, move)
        return self._next_letter(anchor, move)

    def box(self, anchor: Anchor) -> QRectF | None:
        """Return the box of the caret, in coordinates of its row."""
        text = self._layout.row(anchor.row).text_box(anchor.position.piece)
        return text.caret(anchor.position.offset) if text else None

    def seen_box(self, anchor: Anchor) -> QRectF | None:
        """Return the box of the caret, or None where the text is scrolled sideways out of sight."""
        text = self._layout.row(anchor.row).text_box(anchor.position.piece)
        box = text.caret(anchor.position.offset) if text else None
        return box if text and box and text.shows(box) else None

    def _next_letter(self, anchor: Anchor, move: CaretMove) -> Anchor:
        text = self._layout.row(anchor.row).text_box(anchor.position.piece)
        if text:
            cursor = QTextCursor(text.box.document)
            cursor.setPosition(min(anchor.position.offset, text.box.length))
            cursor.movePosition(_IN_TEXT[move])
            if cursor.position() != anchor.position.offset:
                return Anchor(anchor.row, TextPosition(anchor.position.piece, cursor.position()))
        if move in (CaretMove.LINE_START, CaretMove.LINE_END):
            return anchor
        return self._leave_piece(anchor, -1 if move in _BACKWARDS else 1)

    def _next_line(self, anchor: Anchor, move: CaretMove) -> Anchor:
        box = self.box(anchor)
        row = self._layout.row(anchor.row)
        by = -1 if move is CaretMove.UP else 1
        if box is None:
            return self._leave_piece(anchor, by)
        # Try half a line further, then small steps: between blocks there is space without text.
        half = box.height() / 2
        y = box.center().y() + by * box.height()
        while -half <= y <= row.height + half:
            position = row.position_at(QPointF(box.x(), y))
            if position and self._is_on(row, position, y):
                return Anchor(anchor.row, position)
            y += by * half
        return self._leave_piece(anchor, by)

    def _is_on(self, row: Row, position: TextPosition, y: float) -> bool:
        """Return whether the line of a position is the one at this height."""
        text = row.text_box(position.piece)
        if text is None:
            return False
        line = text.caret(position.offset)
        return line.top() <= y <= line.bottom()

    def _leave_piece(self, anchor: Anchor, by: int) -> Anchor:
        """Return the position in the next piece, or in the next row."""
        row = self._layout.row(anchor.row)
        piece = anchor.position.piece + by
        while 0 <= piece < row.piece_count:
            if position := _end_of(row, piece, by):
                return Anchor(anchor.row, position)
            piece += by
        return self._enter(anchor.row + by, by) or anchor

    def _enter(self, index: int, by: int) -> Anchor | None:
        """Return the first position (the last, going backwards) of the next row with text."""
        for number in range(index, index + by * _ROWS_ENTERED, by):
            if not 0 <= number < self._layout.count:
                return None
            row = self._layout.row(number)
            pieces = range(row.piece_count)
            for piece in pieces if by > 0 else reversed(pieces):
                if position := _end_of(row, piece, by):
                    return Anchor(number, position)
        return None


def _end_of(row: Row, piece: int, by: int) -> TextPosition | None:
    """Return the beginning of a piece, or its end when going backwards."""
    text = row.text_box(piece)
    if text is None:
        return None
    return TextPosition(piece, 0 if by > 0 else text.box.length)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A place to scroll to, and the row and target where the keyboard was."""

    scroll: ScrollPlace
    index: int | None = None
    target: HitTarget | None = None


class PlaceKeeper:
    """Scrolls to a place as soon as its rows are laid out. One for a view; ends with it.

    `arrange` has the view laid out soon, which calls `apply`.
    """

    def __init__(
        self, layout: TranscriptLayout, focus: TargetFocus, arrange: Callable[[], None]
    ) -> None:
        self._layout = layout
        self._focus = focus
        self._arrange = arrange
        self._noted: _Kept | None = None
        self._wanted: ScrollPlace | None = None
        self._target: _Kept | None = None

    def note(self) -> None:
        """Note where the view and the keyboard are, for `return_to_noted`."""
        place, focus = self._layout.fixed_place, self._focus
        self._noted = _Kept(place, focus.index, focus.target) if place else None

    def return_to_noted(self) -> None:
        """Go where `note` was called last, in rows that are the same down to there."""
        self._target, self._noted = self._noted, None
        self._wanted = self._target.scroll if self._target else None
        self._arrange()

    def want(self, place: ScrollPlace | None) -> None:
        """Go to where another view of the same chat was; None to stay."""
        self._wanted, self._target = place, None

    def apply(self, *, is_visible: bool) -> None:
        """Scroll there, until all rows in view are complete, since heights change until then."""
        if self._wanted is not None:
            self._layout.go_to(self._wanted)
            if is_visible and not self._layout.has_more and self._wanted.index < self._layout.count:
                self._wanted = None
        if self._target is not None and self._wanted is None:
            self._focus_target(self._target)

    def _focus_target(self, kept: _Kept) -> None:
        """Bring the keyboard to its target, which may come after its row."""
        if kept.target is None or kept.index is None:
            self._target = None
        elif kept.index < self._layout.count:
            self._focus.go_to(kept.index, kept.target)
            if self._focus.target is not None:
                self._target = None


@dataclass(slots=True)
class Hover:
    """What the pointer rests on: the key of a row, and what can be pressed there.

    One for a view.
    """

    key: str = ""
    action: TargetAction | None = None

    def move(self, key: str, action: TargetAction | None) -> bool:
        """Note where the pointer is now; return whether that is elsewhere."""
        has_moved = (key, action) != (self.key, self.action)
        self.key, self.action = key, action
        return has_moved


@dataclass(frozen=True, slots=True)
class InteractionState:
    """The state that rows are painted with: selection, hits, feedback, keyboard, pointer.

    Made by the view; ends with it.
    """

    selection: Selection
    focus: TargetFocus
    feedback: ClickFeedback
    finding: TranscriptFinder
    current_message: CurrentMessage
    hover: Hover
