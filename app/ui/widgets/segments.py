"""`Segments` are buttons side by side, of which one is chosen."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.flow_layout import FlowLayout

_GAP_PX: Final = 6


class Segments(QWidget):
    """Lets one of a few values be chosen, all of which are seen. Made by what it stands in.

    `words` has a text for each value, and its full name where the text alone does not say it.
    """

    chosen = Signal(str)
    """Somebody chose; argument: the value."""

    def __init__(self, theme: Theme, words: Mapping[str, tuple[str, str]]) -> None:
        super().__init__()
        row = FlowLayout(self, spacing_px=_GAP_PX)
        group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        for value, (text, name) in words.items():
            button = push_button(text, "segment", theme, name=name)
            button.setCheckable(True)
            # Without this, screen readers call it a check box.
            button.setAutoExclusive(True)
            button.setProperty("value", value)
            group.addButton(button)
            row.add(button)
            self._buttons[value] = button
        group.buttonClicked.connect(self._on_group_button_clicked)
        group.buttonToggled.connect(self._on_group_button_toggled)

    def show_value(self, value: str) -> None:
        """Show which value is chosen."""
        self._buttons[value].setChecked(True)

    def take_focus(self) -> None:
        """Move the focus to what is chosen."""
        chosen = next(button for button in self._buttons.values() if button.isChecked())
        chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    @staticmethod
    def _on_group_button_toggled(button: QPushButton, is_chosen: bool) -> None:
        # Tab leads to what is chosen. Qt sees to that only once the keyboard was there.
        policy = Qt.FocusPolicy.TabFocus if is_chosen else Qt.FocusPolicy.NoFocus
        button.setFocusPolicy(policy)

    def _on_group_button_clicked(self, button: QPushButton) -> None:
        self.chosen.emit(button.property("value"))
