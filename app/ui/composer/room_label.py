"""Says how much more a message can hold, once that matters."""

from typing import Final

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.chat.limits import MESSAGE_LIMIT_CHARS
from app.ui.parts.announcing import announce
from app.ui.parts.labels import plain_label, set_ink
from app.ui.theme import Theme

_SAID_FROM_CHARS: Final = MESSAGE_LIMIT_CHARS * 9 // 10


class RoomLabel(QWidget):
    """Hidden while there is plenty of room. Made by the composer; ends with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = plain_label("", theme, size="secondary", wraps=True)
        self._is_over = False
        row = QVBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._words)
        self.hide()

    @property
    def words(self) -> str:
        """What is said; empty while nothing is."""
        return self._words.text() if not self.isHidden() else ""

    def show_length(self, length: int) -> bool:
        """Say what room is left after so many characters; False when they are too many."""
        over = length - MESSAGE_LIMIT_CHARS
        is_over = over > 0
        if length < _SAID_FROM_CHARS:
            self.hide()
        else:
            self._say(over, is_over=is_over, is_new=self.isHidden() or is_over != self._is_over)
        self._is_over = is_over
        return not is_over

    def _say(self, over: int, *, is_over: bool, is_new: bool) -> None:
        count = QLocale().toString
        if is_over:
            words = self.tr(
                "{over} characters too many: a message can have {limit}. Shorten it to send it."
            ).format(over=count(over), limit=count(MESSAGE_LIMIT_CHARS))
        else:
            words = self.tr("Room for {0} more characters").format(count(-over))
        self._words.setText(words)
        if is_new:
            set_ink(self._words, "bad" if is_over else "ink-2")
            self.show()
            announce(self, words)
