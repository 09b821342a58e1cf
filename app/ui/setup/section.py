"""What the sections of the settings are made of: a heading, groups with a sentence, lines."""

from dataclasses import dataclass
from typing import ClassVar, Final

from PySide6.QtCore import QChildEvent, QEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QVBoxLayout, QWidget

from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.stacking import stack
from app.ui.parts.surfaces import set_card
from app.ui.theme import Theme

GAP_PX: Final = 10
"""Between the cards of the settings, and whatever stands between them."""
_GROUP_GAP_PX: Final = 8


@dataclass(frozen=True, slots=True)
class _Line:
    """One setting: its card, and what a search finds it by."""

    card: QFrame
    words: str


class SettingsSection(QWidget):
    """One section, from its heading down. Subclasses add their groups and lines.

    `icon` is what stands beside its title in the list of sections. What `add_group` and `add_row`
    are given is what the search of the settings finds; whatever else stands in `column` counts
    for the section as a whole. `tables` are those of the settings that are changed in it.
    """

    tables: ClassVar[tuple[str, ...]] = ()

    def __init__(self, theme: Theme, title: str, icon: str) -> None:
        super().__init__()
        self._theme = theme
        self.title = title
        self.icon = icon
        self._lines: list[_Line] = []
        self._group_title = ""
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 24, 0, 24)
        self.column.setSpacing(GAP_PX)
        heading = plain_label(title, theme, size="subheading", weight=Weight.Bold, wraps=True)
        self.column.addWidget(heading)
        self.column.addSpacing(GAP_PX)
        self._begins_at = self.column.count()

    def begin(self) -> None:
        """The settings are opened: whatever was looked at last, begin as they hold now."""

    def childEvent(self, event: QChildEvent) -> None:
        """Gives what is made later, such as the card of a new project, the margins of the scale."""
        super().childEvent(event)
        part = event.child()
        if event.type() is QEvent.Type.ChildPolished and isinstance(part, QWidget):
            self._theme.fit(part)

    def add_group(self, title: str, words: str) -> None:
        """Begins a group: its title, and what its settings do; empty words take no room."""
        self._group_title = title
        if self.column.count() > self._begins_at:
            self.column.addSpacing(_GROUP_GAP_PX)
        self.column.addLayout(_heading(self._theme, title, words))

    def add_part(self, group: "SettingsGroup") -> None:
        """Adds a group that is a part of its own, below all others."""
        # The last item is what keeps all of it at the top.
        last = self.column.count() - 1
        self.column.insertSpacing(last, _GROUP_GAP_PX)
        self.column.insertWidget(last + 1, group)

    def add_row(self, title: str, *controls: QWidget, words: str = "") -> QFrame:
        """Adds a card with one setting in it: its name on the left, its controls on the right.

        `words` say under the name what the setting does, where the group does not. Returns the
        card, which may be hidden while the setting means nothing.
        """
        card = QFrame()
        set_card(card, "plain")
        row = Flow(card, spacing_px=6)
        row.setContentsMargins(14, 9, 14, 9)
        names = QWidget()
        column = stack(names, 2)
        if title:
            column.addWidget(plain_label(title, self._theme, wraps=True))
        if words:
            column.addWidget(plain_label(words, self._theme, size="small", ink="ink-2", wraps=True))
        row.add(names, grows=True)
        row.add(*controls)
        for control in controls:
            control.setAccessibleDescription(control.accessibleDescription() or words)
        self._lines.append(_Line(card, f"{self._group_title} {title} {words}".casefold()))
        self.column.addWidget(card)
        return card

    def mark_hits(self, words: tuple[str, ...]) -> bool:
        """Marks the lines that have all these lower-case words; tells whether there is a hit.

        No words take the marks back.
        """
        is_hit = False
        for line in self._lines:
            has_all = bool(words) and all(word in line.words for word in words)
            set_card(line.card, "chosen" if has_all else "plain")
            is_hit = is_hit or has_all
        said = self._said()
        return is_hit or all(word in said for word in words)

    def _said(self) -> str:
        """Everything that can be read in the section, lower case."""
        labels: list[QLabel] = self.findChildren(QLabel)
        buttons: list[QAbstractButton] = self.findChildren(QAbstractButton)
        read = [*(label.text() for label in labels), *(button.text() for button in buttons)]
        names = [button.accessibleName() for button in buttons]
        return " ".join([self.title, *read, *names]).casefold()


class SettingsGroup(QWidget):
    """A group that is a part of its own, such as one with cards. Subclasses add to `column`."""

    def __init__(self, theme: Theme, title: str, words: str) -> None:
        super().__init__()
        self._theme = theme
        self.column = stack(self, GAP_PX, _heading(theme, title, words))


def _heading(theme: Theme, title: str, words: str) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(2)
    column.addWidget(plain_label(title, theme, weight=Weight.DemiBold, wraps=True))
    if words:
        column.addWidget(plain_label(words, theme, size="small", ink="ink-2", wraps=True))
    return column
