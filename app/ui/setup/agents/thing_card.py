"""One agent or skill in the settings: what it does, where it comes from, and whether it is used."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from app.ui.parts.flow import line_of
from app.ui.parts.fonts import Weight
from app.ui.parts.icon_label import IconLabel
from app.ui.parts.labels import breakable, one_line, plain_label
from app.ui.parts.surfaces import set_card
from app.ui.setup.segments import Segments
from app.ui.theme import Theme
from app.viewmodels.settings.agent_states import ThingRow

_ON, _OFF = "on", "off"


class ThingCard(QFrame):
    """Shows one of them; it is always the same one. Made by a list of the section."""

    switched = Signal(str, bool)
    """Use it, or use it no longer; arguments: its name, and whether."""

    def __init__(self, theme: Theme, row: ThingRow, icon: str) -> None:
        super().__init__()
        self._row = row
        title = one_line(row.title)
        self._title = plain_label("", theme, weight=Weight.DemiBold, wraps=True)
        self._description = plain_label("", theme, size="secondary", wraps=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._switch = Segments(
            theme,
            {
                _ON: (self.tr("On"), self.tr("Use {name}").format(name=title)),
                _OFF: (self.tr("Off"), self.tr("Do not use {name}").format(name=title)),
            },
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 9, 14, 9)
        labels = (self._title, self._description, self._words)
        column.addWidget(line_of(IconLabel(icon, theme), labels, self._switch))
        set_card(self, "plain")
        self._switch.chosen.connect(self._on_switch_chosen)
        self.show_row(row)

    def show_row(self, row: ThingRow) -> None:
        """Shows how it stands now."""
        self._row = row
        self._title.setText(breakable(one_line(row.title)))
        self._description.setText(breakable(one_line(row.description)))
        self._description.setVisible(bool(row.description))
        words = [row.words, row.file]
        if not row.is_on and not row.can_switch:
            words.append(self.tr("switched off"))
        shown = " · ".join(one_line(part) for part in words if part)
        self._words.setText(breakable(shown))
        self._words.setVisible(bool(shown))
        self._switch.setVisible(row.can_switch)
        self._switch.show_value(_ON if row.is_on else _OFF)

    def _on_switch_chosen(self, value: str) -> None:
        # What holds is shown by the row that comes back.
        self._switch.show_value(_ON if self._row.is_on else _OFF)
        if (value == _ON) != self._row.is_on:
            self.switched.emit(self._row.name, value == _ON)
