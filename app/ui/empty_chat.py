"""What stands in the middle before anything was said."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.theme import Theme

_WIDTH_PX = 460


class EmptyChat(QWidget):
    """Says what one can do here. Shown while a chat has no messages; made by the chat page."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        column.addStretch(3)
        # Not aligned but between stretches: only so do wrapped words get the height they need.
        row = QHBoxLayout(self)
        row.addStretch(1)
        row.addWidget(block)
        row.addStretch(1)
