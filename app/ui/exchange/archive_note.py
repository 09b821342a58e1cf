"""What stands in the composer's place while an imported chat is shown."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.ui.parts.buttons import push_button
from app.ui.parts.labels import plain_label
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme


class ArchiveNote(QWidget):
    """Says where the chat came from, and leads back to the project's. Made by the chat's page."""

    left = Signal()
    """The chats of the project should be shown again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = QFrame()
        set_card(card, "plain")
        self._words = plain_label("", theme, size="secondary", ink="ink-2", wraps=True)
        back = push_button(self.tr("Back to your chats"), "secondary", theme)
        back.clicked.connect(self.left)
        row = QHBoxLayout(card)
        row.setContentsMargins(16, 10, 10, 10)
        row.setSpacing(12)
        row.addWidget(self._words, 1)
        row.addWidget(back)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(card)

    def show_words(self, words: str) -> None:
        """Says this of the chat that is shown."""
        self._words.setText(words)
        self.setAccessibleName(words)
