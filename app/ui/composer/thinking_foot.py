"""`ThinkingFoot` sets how long the model thinks in one chat, at the foot of the picker."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.labels import plain_label
from app.ui.widgets.segments import Segments


class ThinkingFoot(QWidget):
    """Offers the lengths of thinking, or says why none can be set. Made by the picker."""

    chosen = Signal(str)
    """Somebody chose; argument: "off", "short" or "long", empty for the model's own way."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = plain_label(
            self.tr("Thinking in this chat"), theme, size="small", ink="ink-2", wraps=True
        )
        self._choice = Segments(
            theme,
            {
                "": (self.tr("Default"), self.tr("Thinks as the model does by itself")),
                "off": (self.tr("Off"), self.tr("Does not think before it answers")),
                "short": (self.tr("Short"), self.tr("Thinks briefly before it answers")),
                "long": (self.tr("Long"), self.tr("Thinks at length before it answers")),
            },
        )
        self._choice.show_value("")
        self._choice.chosen.connect(self.chosen)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 6)
        column.setSpacing(6)
        column.addWidget(self._words, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._choice)

    def show_thinking(self, thinking: str, *, can_set: bool, has_thinking: bool) -> None:
        """Show what is chosen, and offer the choice where the service and the model have one."""
        if not can_set:
            words = self.tr("This service does not let a chat set how long the model thinks.")
        elif not has_thinking:
            words = self.tr("This model answers without thinking.")
        else:
            words = self.tr("Thinking in this chat")
        self._words.setText(words)
        self._choice.setVisible(can_set and has_thinking)
        self._choice.show_value(thinking)
