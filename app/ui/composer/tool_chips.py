"""`FolderChip` and `ToolsChip` show in the composer what the tools of a chat may work with.

The first shows the folder that they work in, the second how many tools the assistant may ask for.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.chips import Chip
from app.ui.widgets.labels import short_name
from app.ui.widgets.menus import make_menu
from app.viewmodels.tools.chat_tools import OfferedTool

# The end of a path says more than its middle.
_MOST_WIDTH_PX: Final = 190


class FolderChip(QWidget):
    """Offers to choose a folder, or shows the one chosen with a menu to change or drop it.

    Made by the composer; ends with it.
    """

    folder_requested = Signal()
    """The person wants to choose a folder."""
    folder_cleared = Signal()
    """The person wants no folder."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = ""
        self._chip = Chip(theme, "", self.tr("Folder"), icon="folder")
        self._menu = make_menu(self, self.tr("Folder"), theme)
        self._menu.addAction(self._action(self.tr("Change folder…"), self.folder_requested))
        self._menu.addAction(self._action(self.tr("Stop using this folder"), self.folder_cleared))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._chip)
        self._chip.clicked.connect(self._on_chip_clicked)
        self.show_folder("")

    def show_folder(self, folder: str) -> None:
        """Show this folder, or the offer to choose one when it is empty."""
        self._folder = folder
        middle = Qt.TextElideMode.ElideMiddle
        words = self._chip.fontMetrics().elidedText(folder, middle, _MOST_WIDTH_PX)
        self._chip.show_choice(
            words or self.tr("Choose folder…"),
            folder or self.tr("The folder that tools work in"),
        )

    def _action(self, words: str, signal: SignalInstance) -> QAction:
        action = QAction(words, self)
        action.triggered.connect(signal)
        return action

    def _on_chip_clicked(self) -> None:
        if not self._folder:
            self.folder_requested.emit()
            return
        above = QPoint(0, -self._menu.sizeHint().height())
        self._menu.popup(self._chip.mapToGlobal(above))


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
        """Show how many tools the chat has; nothing while there is none that it could have."""
        count = len(tools)
        words = self.tr("1 tool") if count == 1 else self.tr("{0} tools").format(count)
        names = ", ".join(short_name(tool.title) for tool in tools[:_NAMED])
        tooltip = f"{names}, …" if count > _NAMED else names
        self._chip.show_choice(words if count else self.tr("No tools"), tooltip)
        self.setVisible(is_shown)
