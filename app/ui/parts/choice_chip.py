"""A chip that shows one of several choices, and opens a menu of all of them."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup

from app.ui.parts.chips import Chip
from app.ui.parts.labels import button_text
from app.ui.parts.menus import make_menu
from app.ui.theme import Theme

_GAP_PX: Final = 4

Choice = tuple[str, str]
"""A value, and the words that people choose it by."""


class ChoiceChip(Chip):
    """Lets one of several values be chosen. Made by the page that it stands on.

    `purpose` is what is chosen, as a screen reader says it.
    """

    chosen = Signal(str)
    """Somebody chose another value; argument: the value."""

    def __init__(self, theme: Theme, purpose: str) -> None:
        super().__init__(theme, "", purpose, opens=True)
        self._choices: dict[str, str] = {}
        self._value = ""
        self._menu = make_menu(self, purpose, theme)
        self._group = QActionGroup(self._menu)
        self._group.triggered.connect(self._on_group_triggered)
        self.clicked.connect(self._on_clicked)

    @property
    def value(self) -> str:
        """The value that is chosen."""
        return self._value

    def offer(self, choices: Sequence[Choice]) -> None:
        """Offers these choices, in this order."""
        self._choices = dict(choices)
        self._menu.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
            action.deleteLater()
        for value, words in choices:
            action = QAction(button_text(words), self._menu, checkable=True)
            action.setData(value)
            self._group.addAction(action)
            self._menu.addAction(action)
        self.show_value(self._value)

    def show_value(self, value: str) -> None:
        """Shows the choice of this value, also if it is not offered."""
        self._value = value
        self.show_choice(self._choices.get(value, value))
        for action in self._group.actions():
            action.setChecked(action.data() == value)

    def _on_clicked(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + _GAP_PX)))

    def _on_group_triggered(self, action: QAction) -> None:
        self.show_value(action.data())
        self.chosen.emit(action.data())
