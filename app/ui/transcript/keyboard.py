"""The keyboard in the transcript: messages, links and buttons, text to mark, the window to move."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QScrollBar

from app.ui.transcript.caret import Caret, Way
from app.ui.transcript.clipboard import Clipboard
from app.ui.transcript.keys import CARET_KEYS, PRESS_KEYS, way_of_key
from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.marks import Marks
from app.ui.transcript.selection import Stretch
from app.ui.transcript.targets import Toggle

_MESSAGE_KEYS: Final[Mapping[int, int]] = {Qt.Key.Key_J: 1, Qt.Key.Key_K: -1}
_NO_MODIFIER: Final = Qt.KeyboardModifier.NoModifier


class Keyboard(QObject):
    """Takes the keys that the view gets while it has the focus. One for a view; ends with it."""

    pressed = Signal(str, object)
    """The key of the row, and the `Deed` that Enter chose."""
    scrolled = Signal(int)
    """The window should move so many pixels down (negative: up)."""
    moved = Signal()
    """The keyboard is somewhere else; the window may have moved there."""

    def __init__(
        self, layout: TranscriptLayout, marks: Marks, clipboard: Clipboard, bar: QScrollBar
    ) -> None:
        super().__init__(bar)
        self._layout = layout
        self._selection = marks.selection
        self._focus = marks.focus
        self._reading = marks.reading
        self._clipboard = clipboard
        self._bar = bar
        self._caret = Caret(layout)

    def handle(self, event: QKeyEvent) -> bool:
        """Take a key; False leaves it to others."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._clipboard.select_all(self._message_to_mark)
        elif event.key() in PRESS_KEYS:
            return self._press()
        elif event.key() == Qt.Key.Key_Escape:
            return self._leave()
        elif by := self._message_way(event):
            self.move_message(by)
        elif (way := _caret_way(event)) is not None:
            self._extend(way)
        elif (pixels := way_of_key(event.key(), self._bar)) is not None:
            self.scrolled.emit(pixels)
        else:
            return False
        return True

    def move_message(self, by: int) -> None:
        """Go to the next message (`by` 1) or the one before (-1)."""
        self._focus.clear()
        if self._reading.move(by) is not None:
            self.moved.emit()

    def go_to_message(self, index: int) -> None:
        """Go to this message."""
        self._focus.clear()
        self._reading.go_to(index)
        self.moved.emit()

    def move_target(self, by: int) -> bool:
        """Go to the next link or button (`by` 1) or the one before (-1); False at the ends."""
        has_moved = self._focus.move(by, self._reading.index)
        if has_moved:
            self._reading.index, self._reading.has_caret = self._focus.index, False
        self.moved.emit()
        return has_moved

    def copy(self) -> None:
        """Copy what is marked, or else the message that the keyboard is at."""
        if not self._selection.is_empty:
            self._clipboard.copy_selection()
        elif self._reading.index is not None:
            self._clipboard.copy_message(self._reading.index)

    def copy_markdown(self) -> None:
        """Copy the Markdown of what is marked, or else of the message the keyboard is at."""
        if not self._selection.is_empty:
            self._clipboard.copy_markdown()
        else:
            self._clipboard.copy_source(self._reading.here)

    def copy_message(self) -> None:
        """Copy the message that the keyboard is at, or else the first in the window."""
        self._clipboard.copy_message(self._reading.here)

    @property
    def _message_to_mark(self) -> int:
        """Where something is marked or the keyboard is, or else the last text in the window."""
        if self._selection.cursor:
            return self._selection.cursor.row
        if self._reading.index is not None:
            return self._reading.index
        texts = [row.index for row in self._layout.placed if row.row.all_selected()]
        return texts[-1] if texts else -1

    def _message_way(self, event: QKeyEvent) -> int:
        is_plain = event.modifiers() == _NO_MODIFIER
        return _MESSAGE_KEYS.get(event.key(), 0) if is_plain else 0

    def _press(self) -> bool:
        if target := self._focus.target:
            self.pressed.emit(self._focus.key, target.deed)
            return True
        # A message that opens needs no way to its only button.
        here = [row for row in self._layout.placed if row.index == self._reading.index]
        opening = [t for row in here for t in row.row.targets() if isinstance(t.deed, Toggle)]
        if opening:
            self.pressed.emit(here[0].key, opening[0].deed)
        return bool(opening)

    def _leave(self) -> bool:
        is_somewhere = self._selection.cursor is not None or self._reading.index is not None
        self._selection.clear()
        self._focus.clear()
        self._reading.leave()
        self.moved.emit()
        return is_somewhere

    def _extend(self, way: Way) -> None:
        start = self._selection.cursor or self._caret.start_of(self._reading.here)
        if start is None:
            return
        if self._selection.cursor is None:
            self._selection.begin(start)
        place = self._caret.step(start, way)
        self._selection.go_to(Stretch(place, place))
        self._focus.clear()
        self._reading.index, self._reading.has_caret = place.row, True
        if text := self._layout.row(place.row).box_of(place.spot.piece):
            self._layout.reveal_box(place.row, text.caret(place.spot.position), text.window)
        self.moved.emit()


def _caret_way(event: QKeyEvent) -> Way | None:
    found = (way for keys, way in CARET_KEYS.items() if event.matches(keys))
    return next(found, None)
