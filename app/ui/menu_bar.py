"""The menu bar that people expect on macOS; elsewhere Parley has none.

Not run here: what it holds is tested, how macOS shows it is not.
"""

import sys
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenuBar

from app.ui.commands import CommandGroup, Commands
from app.ui.setup.shortcuts import group_words

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
