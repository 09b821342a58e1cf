"""What a screen reader is told: each reply once, when it is finished, and what Tab goes to."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.chat.items import Item, ReplyPart
from app.ui.parts.labels import short_name
from app.ui.transcript.layout import TranscriptLayout
from app.ui.transcript.targets import Target


class Announcer(QObject):
    """Watches replies stream, and speaks when one has ended.

    One for a view; ends with it.
    """

    announced = Signal(str)
    """The words that were given to the screen reader."""

    def __init__(self, layout: TranscriptLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._layout = layout
        self._streaming: set[str] = set()

    def note(self, items: Iterable[Item]) -> None:
        """Take note of items that are new, or in another state."""
        for item in items:
            if not isinstance(item, ReplyPart):
                continue
            if item.is_streaming:
                self._streaming.add(item.key)
            elif item.key in self._streaming:
                self._streaming.discard(item.key)
                self.say(self._words(item))

    def forget_all(self) -> None:
        """Other items are shown now."""
        self._streaming.clear()

    def name_target(self, target: Target | None) -> None:
        """Say what the keyboard is at."""
        if target:
            self.say(target.name)

    def say(self, words: str) -> None:
        """Say this now."""
        self.announced.emit(words)
        self._window.setAccessibleDescription(words)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, words))

    def _words(self, item: ReplyPart) -> str:
        name = item.agent_display_name or item.agent_name
        shown = (row.row.shown_text for row in self._layout.placed if row.key == item.key)
        text = next(shown, item.text)
        return f"{short_name(name)}: {text}" if name and item.shows_agent else text
