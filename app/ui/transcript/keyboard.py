"""`Keyboard` handles keys in the transcript: messages, links, buttons, selecting text, scrolling.

`scroll_distance` and `CARET_KEYS` say which keys scroll the window, and which move a caret.
`HorizontalScrollHandler` moves what is wider than its block, by wheel, touchpad or arrow keys.
"""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QScrollBar

from app.ui.transcript.blocks.horizontal_scroll import HorizontalScroll
from app.ui.transcript.copying import Clipboard
from app.ui.transcript.hit_targets import Toggle
from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.navigation import Caret, CaretMove, InteractionState
from app.ui.transcript.pointer import Pointer
from app.ui.transcript.selection import SelectedSpan
from app.ui.widgets.fields import written_character

LINE_PX: Final = 44
PRESS_KEYS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space})


def scroll_distance(key: int, bar: QScrollBar) -> int | None:
    """Return the pixels that a key scrolls the window down (negative: up), or None."""
    distances = {
        Qt.Key.Key_Up: -LINE_PX,
        Qt.Key.Key_Down: LINE_PX,
        Qt.Key.Key_PageUp: -bar.pageStep(),
        Qt.Key.Key_PageDown: bar.pageStep(),
        Qt.Key.Key_Home: -bar.maximum(),
        Qt.Key.Key_End: bar.maximum(),
    }
    return distances.get(Qt.Key(key))


_Standard = QKeySequence.StandardKey

CARET_KEYS: Final = {
    _Standard.SelectNextChar: CaretMove.RIGHT,
    _Standard.SelectPreviousChar: CaretMove.LEFT,
    _Standard.SelectNextWord: CaretMove.WORD_RIGHT,
    _Standard.SelectPreviousWord: CaretMove.WORD_LEFT,
    _Standard.SelectNextLine: CaretMove.DOWN,
    _Standard.SelectPreviousLine: CaretMove.UP,
    _Standard.SelectStartOfLine: CaretMove.LINE_START,
    _Standard.SelectEndOfLine: CaretMove.LINE_END,
    _Standard.SelectStartOfDocument: CaretMove.CHAT_START,
    _Standard.SelectEndOfDocument: CaretMove.CHAT_END,
}
"""Keys that select text from the caret on, whatever the system's keys for it are."""


_MESSAGE_KEYS: Final[Mapping[int, int]] = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
_NO_MODIFIER: Final = Qt.KeyboardModifier.NoModifier


class Keyboard(QObject):
    """Handles the keys of the view while it has the focus. One for a view; ends with it."""

    pressed = Signal(str, object)
    """The key of the row, and the `TargetAction` that Enter chose."""
    scrolled = Signal(int)
    """The window should move so many pixels down (negative: up)."""
    moved = Signal()
    """The keyboard has moved; the window may have scrolled with it."""
    typed = Signal(str)
    """Somebody begins to write, though not in the message box; argument: the character."""

    def __init__(
        self,
        layout: TranscriptLayout,
        interaction: InteractionState,
        clipboard: Clipboard,
        bar: QScrollBar,
    ) -> None:
        super().__init__(bar)
        self._layout = layout
        self._selection = interaction.selection
        self._focus = interaction.focus
        self._current_message = interaction.current_message
        self._clipboard = clipboard
        self._bar = bar
        self._caret = Caret(layout)
        self._is_by_pointer = False

    def enter(self, reason: Qt.FocusReason) -> None:
        """Follow how the keyboard came: after a click, J and K are letters of a message."""
        self._is_by_pointer = reason == Qt.FocusReason.MouseFocusReason

    def handle(self, event: QKeyEvent) -> bool:
        """Handle a key; return False for a key of others."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._clipboard.select_all(self._message_to_mark)
        elif event.key() in PRESS_KEYS:
            return self._press()
        elif event.key() == Qt.Key.Key_Escape:
            return self._clear_focus()
        elif by := self._message_step(event):
            self.move_message(by)
        elif (way := _caret_move(event)) is not None:
            self._extend(way)
        elif (pixels := scroll_distance(event.key(), self._bar)) is not None:
            self.scrolled.emit(pixels)
        elif character := written_character(event):
            self.typed.emit(character)
        else:
            return False
        return True

    def move_message(self, by: int) -> None:
        """Go to the next message (`by` 1) or the one before (-1)."""
        self._focus.clear()
        if self._current_message.move(by) is not None:
            self.moved.emit()

    def go_to_message(self, index: int) -> None:
        """Go to this message."""
        self._focus.clear()
        self._current_message.go_to(index)
        self.moved.emit()

    def move_target(self, by: int) -> bool:
        """Go to the next link or button (`by` 1) or the one before (-1); False at the ends."""
        has_moved = self._focus.move(by, self._current_message.index)
        if has_moved:
            self._current_message.index, self._current_message.has_caret = self._focus.index, False
        self.moved.emit()
        return has_moved

    def copy(self) -> None:
        """Copy the selection, or else the current message."""
        if not self._selection.is_empty:
            self._clipboard.copy_selection()
        elif self._current_message.index is not None:
            self._clipboard.copy_message(self._current_message.index)

    def copy_markdown(self) -> None:
        """Copy the Markdown of the selection, or else of the current message."""
        if not self._selection.is_empty:
            self._clipboard.copy_markdown()
        else:
            self._clipboard.copy_source(self._current_message.current_or_first)

    def copy_message(self) -> None:
        """Copy the current message, or else the first in the window."""
        self._clipboard.copy_message(self._current_message.current_or_first)

    @property
    def _message_to_mark(self) -> int:
        """The row of the selection or the keyboard, or else of the last text in the window."""
        if self._selection.cursor:
            return self._selection.cursor.row
        if self._current_message.index is not None:
            return self._current_message.index
        texts = [row.index for row in self._layout.placed if row.row.all_selected()]
        return texts[-1] if texts else -1

    def _message_step(self, event: QKeyEvent) -> int:
        if event.modifiers() != _NO_MODIFIER:
            return 0
        is_here = self._current_message.index is not None or not self._is_by_pointer
        return _MESSAGE_KEYS.get(event.key(), 0) if is_here else 0

    def _press(self) -> bool:
        if target := self._focus.target:
            self.pressed.emit(self._focus.key, target.action)
            return True
        # Enter on an expandable message toggles it, without the focus on its button.
        here = [row for row in self._layout.placed if row.index == self._current_message.index]
        opening = [t for row in here for t in row.row.targets() if isinstance(t.action, Toggle)]
        if opening:
            self.pressed.emit(here[0].key, opening[0].action)
        return bool(opening)

    def _clear_focus(self) -> bool:
        is_somewhere = self._selection.cursor is not None or self._current_message.index is not None
        self._selection.clear()
        self._focus.clear()
        self._current_message.clear()
        self.moved.emit()
        return is_somewhere

    def _extend(self, way: CaretMove) -> None:
        start = self._selection.cursor or self._caret.start_of(
            self._current_message.current_or_first
        )
        if start is None:
            return
        if self._selection.cursor is None:
            self._selection.begin(start)
        anchor = self._caret.step(start, way)
        self._selection.extend_to(SelectedSpan(anchor, anchor))
        self._focus.clear()
        self._current_message.index, self._current_message.has_caret = anchor.row, True
        if text := self._layout.row(anchor.row).text_box(anchor.position.piece):
            self._layout.reveal_box(anchor.row, text.caret(anchor.position.offset), text.window)
        self.moved.emit()


def _caret_move(event: QKeyEvent) -> CaretMove | None:
    found = (way for keys, way in CARET_KEYS.items() if event.matches(keys))
    return next(found, None)


_KEY_PX: Final = 44
_NOTCH: Final = 120
_NOTCH_PX: Final = 66
_KEYS: Final = {Qt.Key.Key_Left: -_KEY_PX, Qt.Key.Key_Right: _KEY_PX}
_PLAIN_MODIFIERS: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class HorizontalScrollHandler(QObject):
    """Scrolls a wide block sideways by wheel or keys. One for a view; ends with it."""

    moved = Signal()
    """A block was scrolled."""

    def __init__(
        self,
        layout: TranscriptLayout,
        pointer: Pointer,
        interaction: InteractionState,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._layout = layout
        self._pointer = pointer
        self._interaction = interaction

    def handle_wheel(self, event: QWheelEvent) -> bool:
        """Handle a sideways turn of the wheel; return False for any other."""
        way = _horizontal_distance(event)
        hit = self._pointer.hit(event.position()) if way else None
        scroll = hit.placed.row.scroll_at(hit.point) if hit else None
        if scroll is None:
            return False
        # At the end of the block the turn is still handled: nobody means to scroll the chat by it.
        self._move(scroll, -way)
        return True

    def handle(self, event: QKeyEvent) -> bool:
        """Handle an arrow key, if the keyboard is at a block that can be scrolled."""
        way = _KEYS.get(Qt.Key(event.key()), 0) if event.modifiers() in _PLAIN_MODIFIERS else 0
        scroll = self._scroll_at_keyboard() if way else None
        if scroll is None:
            return False
        self._move(scroll, way)
        return True

    def _move(self, scroll: HorizontalScroll, by: float) -> None:
        scroll.move(by)
        self.moved.emit()

    def _scroll_at_keyboard(self) -> HorizontalScroll | None:
        """Return the block that has the keyboard's button or bar in it, or the last click."""
        focus, cursor = self._interaction.focus, self._interaction.selection.cursor
        for placed in self._layout.placed:
            if focus.target:
                if placed.key == focus.key:
                    return placed.row.scroll_at(focus.target.box.center())
            elif cursor and cursor.row == placed.index:
                text = placed.row.text_box(cursor.position.piece)
                return (
                    placed.row.scroll_at(text.caret(cursor.position.offset).center())
                    if text
                    else None
                )
        return None


def _horizontal_distance(event: QWheelEvent) -> float:
    """Return the pixels that a turn goes sideways; 0 if it goes up or down."""
    pixels, turned = event.pixelDelta(), event.angleDelta()
    way = _sideways(pixels, event)
    return way or _sideways(turned, event) * _NOTCH_PX / _NOTCH


def _sideways(way: QPoint, event: QWheelEvent) -> int:
    if abs(way.x()) > abs(way.y()):
        return way.x()
    # Not every system makes Shift+wheel scroll sideways by itself.
    has_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    return way.y() if has_shift else 0
