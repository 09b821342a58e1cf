"""What a screen reader is told: each finished reply and each notice, once."""

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.chat.items import Notice, ReplyPart
from app.common.error_messages import ErrorMessage
from app.ui.transcript.rows.row_cache import RowCache
from app.ui.widgets.accessible import announce
from app.ui.widgets.labels import short_name

# Nobody listens longer; the message itself can be read to its end.
_LONGEST: Final = 20_000


class Announcer(QObject):
    """Watches replies stream and notices come, and speaks when a reply has ended.

    One for a view; ends with it.
    """

    announced = Signal(str)
    """The words that were given to the screen reader."""

    def __init__(self, rows: RowCache, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._rows = rows
        self._streaming: set[str] = set()
        self._notices: dict[str, ErrorMessage] = {}

    def note_new(self, first: int, last: int) -> None:
        """Take note of rows whose items are new.

        What happens comes one by one; several at once are what the disk or the service has kept.
        """
        for index in range(first, last + 1):
            item = self._rows.item(index)
            # A notice that was taken away and comes back has something to say again.
            self._notices.pop(item.key, None)
            if isinstance(item, Notice) and first < last:
                self._notices[item.key] = item.words
        self.note(first, last)

    def note(self, first: int, last: int) -> None:
        """Take note of rows whose items are new, or in another state."""
        for index in range(first, last + 1):
            item = self._rows.item(index)
            if isinstance(item, ReplyPart):
                self._note_reply(item, index)
            elif isinstance(item, Notice):
                self._note_notice(item, index)

    def forget_all(self) -> None:
        """Other items are shown now."""
        self._streaming.clear()
        self._notices.clear()

    def say(self, words: str) -> None:
        """Say this now."""
        self.announced.emit(words)
        announce(self._window, words)

    def _note_reply(self, item: ReplyPart, index: int) -> None:
        if item.is_streaming:
            self._streaming.add(item.key)
        elif item.key in self._streaming:
            self._streaming.discard(item.key)
            self.say(self._words(item, index))

    def _note_notice(self, item: Notice, index: int) -> None:
        if self._notices.get(item.key) != item.words:
            self._notices[item.key] = item.words
            self.say(self._rows.read(index).shown_text)

    def _words(self, item: ReplyPart, index: int) -> str:
        name = item.agent_display_name or item.agent_name
        # What is in the window follows with the next frame, and may lack the last words yet.
        is_long = len(item.text) > _LONGEST
        text = item.text[:_LONGEST] if is_long else self._rows.read(index).shown_text
        return f"{short_name(name)}: {text}" if name and item.shows_agent else text
