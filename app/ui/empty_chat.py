"""What stands in the middle before anything was said."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.ui.parts.buttons import push_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.theme import Theme

_WIDTH_PX = 460


class EmptyChat(QWidget):
    """Says what one can do here, with examples to begin with.

    Shown while a chat has no messages; made by the chat page.
    """

    example_chosen = Signal(str)
    """This example should be in the composer, to be changed or sent; argument: its text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        title = plain_label(
            self.tr("What would you like to do?"), theme, size="heading", weight=Weight.DemiBold
        )
        words = plain_label(
            self.tr(
                "Ask for anything. If the assistant needs a file or a command on this computer, "
                "you see exactly what would run, and nothing runs before you allow it."
            ),
            theme,
            ink="ink-2",
            wraps=True,
        )
        for label in (title, words):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        block = QWidget()
        block.setFixedWidth(_WIDTH_PX)
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(title)
        column.addWidget(words)
        column.addSpacing(12)
        for text in self._examples():
            column.addWidget(self._offer(text), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        # Not aligned but between stretches: only so do wrapped words get the height they need.
        row = QHBoxLayout(self)
        row.addStretch(1)
        row.addWidget(block)
        row.addStretch(1)

    def _examples(self) -> Sequence[str]:
        """What every assistant can at least begin with; a folder is asked for when needed."""
        return (
            self.tr("What can you help me with?"),
            self.tr("List the files in this folder and say what each is for"),
            self.tr("Read README.md and tell me in short what it says"),
        )

    def _offer(self, text: str) -> QPushButton:
        button = push_button(text, "chip", self._theme)
        button.setProperty("example", text)
        button.clicked.connect(self._on_button_clicked)
        return button

    def _on_button_clicked(self) -> None:
        self.example_chosen.emit(self.sender().property("example"))
