"""How many tools the assistant may ask for, and what they are."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget, QWidgetAction

from app.ui.parts.chips import Chip
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.menus import make_menu
from app.ui.theme import Theme
from app.viewmodels.states import OfferedTool

_LIST_WIDTH_PX: Final = 340


class ToolsChip(QWidget):
    """Shows the count; a click lists each tool with what it does. Hidden when there is none.

    Made by the composer; ends with it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tools: tuple[OfferedTool, ...] = ()
        self._chip = Chip(theme, "", self.tr("Tools"), icon="wrench")
        self._menu = make_menu(self, self.tr("Tools that the assistant may ask for"), theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._chip)
        self._chip.clicked.connect(self._on_chip_clicked)
        self.hide()

    def show_tools(self, tools: Sequence[OfferedTool]) -> None:
        """Show these tools, in this order."""
        if tuple(tools) == self._tools:
            return
        self._tools = tuple(tools)
        count = len(tools)
        words = self.tr("1 tool") if count == 1 else self.tr("{0} tools").format(count)
        self._chip.show_choice(words)
        self._menu.clear()
        for tool in tools:
            self._menu.addAction(self._entry(tool))
        self.setVisible(bool(tools))

    def _entry(self, tool: OfferedTool) -> QWidgetAction:
        words = QWidget()
        words.setFixedWidth(_LIST_WIDTH_PX)
        column = QVBoxLayout(words)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(2)
        title, description = one_line(tool.title), one_line(tool.description)
        medium = Weight.Medium
        column.addWidget(plain_label(title, self._theme, size="secondary", weight=medium))
        column.addWidget(
            plain_label(description, self._theme, size="small", ink="ink-2", wraps=True)
        )
        words.setFixedHeight(column.heightForWidth(_LIST_WIDTH_PX))
        entry = QWidgetAction(self._menu)
        entry.setDefaultWidget(words)
        entry.setText(f"{title}: {description}".replace("&", "&&"))
        return entry

    def _on_chip_clicked(self) -> None:
        above = QPoint(0, -self._menu.sizeHint().height())
        self._menu.popup(self._chip.mapToGlobal(above))
