"""What the sections of the settings are made of: a heading, groups with a sentence, cards."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme


class SettingsSection(QWidget):
    """One section, from its heading down. Subclasses add their groups to `column`.

    `icon` is what stands beside its title in the list of sections.
    """

    def __init__(self, theme: Theme, title: str, icon: str) -> None:
        super().__init__()
        self._theme = theme
        self.title = title
        self.icon = icon
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 24, 0, 24)
        self.column.setSpacing(10)
        heading = plain_label(title, theme, size="subheading", weight=Weight.Bold)
        self.column.addWidget(heading)
        self.column.addSpacing(10)

    def begin(self) -> None:
        """The settings are opened: whatever was looked at last, begin as they hold now."""

    def add_group(self, title: str, words: str) -> None:
        """Begins a group: its title, and what its settings do."""
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(plain_label(title, self._theme, weight=Weight.DemiBold))
        hint = plain_label(words, self._theme, size="small", ink="ink-2", wraps=True)
        column.addWidget(hint)
        self.column.addLayout(column)

    def add_row(self, title: str, *controls: QWidget) -> None:
        """Adds a card with one setting in it: its name on the left, its controls on the right."""
        card = QFrame()
        set_card(card, "plain")
        row = QHBoxLayout(card)
        row.setContentsMargins(14, 9, 14, 9)
        row.setSpacing(6)
        row.addWidget(plain_label(title, self._theme))
        row.addStretch(1)
        for control in controls:
            row.addWidget(control)
        self.column.addWidget(card)
