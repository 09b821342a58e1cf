"""`WindowCommands` adds commands for windows: another one, the open chat in its own, quit.

`menu_bar_for` makes the menu bar that people expect on macOS; elsewhere Parley has none. What it
holds is tested, how macOS shows it is not.
"""

import sys
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar

from app.ui.commands import CommandGroup, Commands
from app.ui.settings.shortcuts import group_words
from app.viewmodels.chat.chat import ChatViewModel

# Where macOS puts them, whatever menu they are in.
_ROLES: Final = {
    "settings": QAction.MenuRole.PreferencesRole,
    "quit": QAction.MenuRole.QuitRole,
}


def menu_bar_for(commands: Commands, platform: str = sys.platform) -> QMenuBar | None:
    """Make the menu bar of the window with these commands, where the platform has such a thing.

    Its menus are filled whenever they open, since commands come and go.
    """
    if platform != "darwin":
        return None
    bar = QMenuBar()
    for group in CommandGroup:
        _add_menu(bar, commands, group)
    return bar


def _add_menu(bar: QMenuBar, commands: Commands, group: CommandGroup) -> None:
    name = group_words(group)
    menu = bar.addMenu(name)
    menu.setAccessibleName(name)

    def fill() -> None:
        menu.clear()
        for command in commands.all:
            if command.group is group:
                role = _ROLES.get(command.name, QAction.MenuRole.NoRole)
                command.action.setMenuRole(role)
                menu.addAction(command.action)

    menu.aboutToShow.connect(fill)
    fill()


class WindowCommands(QObject):
    """Adds its commands to those of a window. Made by the window; ends with it."""

    window_requested = Signal(str)
    """Another window should open; argument: the chat it shows, empty for a new one."""
    quit_requested = Signal()
    """Every window should close."""

    def __init__(self, chat: ChatViewModel, commands: Commands) -> None:
        super().__init__(commands)
        self._chat = chat
        self._open_again = self._add_to(commands)
        chat.opened.connect(self._on_chat_opened)
        self._on_chat_opened(chat.conversation_id)

    def _add_to(self, commands: Commands) -> QAction:
        commands.add(
            "new-window",
            self.tr("New window"),
            self._open_new_chat,
            group=CommandGroup.PROGRAM,
            keys="Ctrl+Shift+N",
        )
        open_again = commands.add(
            "open-in-new-window",
            self.tr("Open in a new window"),
            self._open_chat,
            group=CommandGroup.CHAT,
            keys="Ctrl+Shift+O",
        )
        commands.add(
            "quit",
            self.tr("Quit"),
            self.quit_requested.emit,
            group=CommandGroup.PROGRAM,
            keys=QKeySequence.StandardKey.Quit,
            icon="x",
        )
        return open_again

    def _open_new_chat(self) -> None:
        self.window_requested.emit("")

    def _open_chat(self) -> None:
        self.window_requested.emit(self._chat.conversation_id)

    def _on_chat_opened(self, conversation_id: str) -> None:
        # An imported chat is read in the window that shows the others of its kind.
        can_open = bool(conversation_id) and not self._chat.state.is_read_only
        self._open_again.setEnabled(can_open)
