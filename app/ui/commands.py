"""What can be done in a window, in one list: menus, shortcuts and the palette all show this."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

Keys = str | QKeySequence.StandardKey


class CommandGroup(Enum):
    """Where a command stands among the others."""

    CHAT = "chat"
    TRANSCRIPT = "transcript"
    VIEW = "view"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be done: `action` has its words, its keys, and whether it can be done now.

    `icon` names one of `resources/icons`, or is empty.
    """

    name: str
    group: CommandGroup
    action: QAction
    icon: str = ""


class Commands(QObject):
    """The commands of one window, in the order in which they were added.

    Their keys work wherever the focus is in the window. Made by the window; ends with it.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._commands: dict[str, Command] = {}

    @property
    def all(self) -> tuple[Command, ...]:
        """Every command, whether it can be done now or not."""
        return tuple(self._commands.values())

    def __getitem__(self, name: str) -> Command:
        return self._commands[name]

    def add(
        self,
        name: str,
        text: str,
        run: Callable[[], object],
        *,
        group: CommandGroup,
        keys: Keys = "",
        icon: str = "",
    ) -> QAction:
        """Adds a command; `text` is what people read, `run` what happens.

        Raises:
            ValueError: another command has this name or these keys.
        """
        sequences = (
            [QKeySequence(keys)] if isinstance(keys, str) else QKeySequence.keyBindings(keys)
        )
        self._check(name, sequences)
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.setShortcuts([sequence for sequence in sequences if not sequence.isEmpty()])
        action.triggered.connect(run)
        self._window.addAction(action)
        self._commands[name] = Command(name, group, action, icon)
        return action

    def _check(self, name: str, sequences: list[QKeySequence]) -> None:
        if name in self._commands:
            raise ValueError(f"There are two commands of the name {name}.")
        for command in self._commands.values():
            if set(command.action.shortcuts()) & set(sequences) - {QKeySequence()}:
                raise ValueError(f"{name} has the keys of {command.name}.")
