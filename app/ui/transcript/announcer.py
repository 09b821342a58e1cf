"""What a screen reader is told: each reply once, when it is finished."""

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.chat.items import ReplyPart
from app.ui.parts.announcing import announce
from app.ui.parts.labels import short_name
from app.ui.transcript.row_cache import RowCache

# Nobody listens longer; the message itself can be read to its end.
_LONGEST: Final = 20_000


class Announcer(QObject):
    """Watches replies stream, and speaks when one has ended.

    One for a view; ends with it.
    """

    announced = Signal(str)
    """The words that were given to the screen reader."""

    def __init__(self, rows: RowCache, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._rows = rows
        self._streaming: set[str] = set()

    def note(self, first: int, last: int) -> None:
        """Take note of rows whose items are new, or in another state."""
        for index in range(first, last + 1):
            item = self._rows.item(index)
            if not isinstance(item, ReplyPart):
                continue
            if item.is_streaming:
                self._streaming.add(item.key)
            elif item.key in self._streaming:
                self._streaming.discard(item.key)
                self.say(self._words(item, index))

    def forget_all(self) -> None:
        """Other items are shown now."""
        self._streaming.clear()

    def say(self, words: str) -> None:
        """Say this now."""
        self.announced.emit(words)
        announce(self._window, words)

    def _words(self, item: ReplyPart, index: int) -> str:
        name = item.agent_display_name or item.agent_name
        # What is in the window follows with the next frame, and may lack the last words yet.
        is_long = len(item.text) > _LONGEST
        text = item.text[:_LONGEST] if is_long else self._rows.read(index).shown_text
        return f"{short_name(name)}: {text}" if name and item.shows_agent else text
