"""`SettingsFoot` sets thinking and instructions of one chat, at the foot of the picker."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.segments import Segments


class SettingsFoot(QWidget):
    """Offers what the service lets a chat set, or says why not. Made by the picker."""

    chosen = Signal(str)
    """Somebody chose; argument: "off", "short" or "long", empty for the model's own way."""
    instructions_requested = Signal()
    """The instructions of the chat should be changed."""

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
        self._instructions = push_button(
            self.tr("Add instructions to this chat…"), "quiet", theme, icon="pencil"
        )
        self._instructions.clicked.connect(self.instructions_requested)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 6)
        column.setSpacing(6)
        column.addWidget(self._words, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._choice)
        column.addWidget(self._instructions, 0, Qt.AlignmentFlag.AlignLeft)

    def show_thinking(self, thinking: str, *, can_set: bool, has_thinking: bool) -> None:
        """Show what is chosen, and offer the choice where the service and the model have one."""
        if not can_set:
            words = self.tr("This service does not let a chat set thinking or instructions.")
        elif not has_thinking:
            words = self.tr("This model answers without thinking.")
        else:
            words = self.tr("Thinking in this chat")
        self._words.setText(words)
        self._choice.setVisible(can_set and has_thinking)
        self._choice.show_value(thinking)
        self._instructions.setVisible(can_set)

    def show_instructions(self, *, has_some: bool) -> None:
        """Show whether the chat has instructions of its own."""
        words = self.tr("Add instructions to this chat…")
        if has_some:
            words = self.tr("Change the instructions of this chat…")
        self._instructions.setText(words)
        self._instructions.setAccessibleName(words)
