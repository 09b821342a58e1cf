"""How many tools the assistant may ask for in this chat."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.parts.chips import Chip
from app.ui.parts.labels import short_name
from app.ui.theme import Theme
from app.viewmodels.tools.states import OfferedTool

_NAMED: int = 12


class ToolsChip(QWidget):
    """Shows the count; a click asks for the list of them. Made by the composer; ends with it."""

    opened = Signal()
    """The list of tools is wanted."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chip = Chip(theme, "", self.tr("Tools"), icon="wrench")
        self._chip.clicked.connect(self.opened)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._chip)
        self.hide()

    def show_tools(self, tools: Sequence[OfferedTool], *, is_shown: bool) -> None:
        """Shows how many tools the chat has; nothing while there is none that it could have."""
        count = len(tools)
        words = self.tr("1 tool") if count == 1 else self.tr("{0} tools").format(count)
        names = ", ".join(short_name(tool.title) for tool in tools[:_NAMED])
        tooltip = f"{names}, …" if count > _NAMED else names
        self._chip.show_choice(words if count else self.tr("No tools"), tooltip)
        self.setVisible(is_shown)
