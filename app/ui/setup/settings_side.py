"""The side of the settings: the way back, the search, and the sections to choose from."""

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.parts.buttons import icon_button, push_button
from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.line_edit import LineEdit
from app.ui.parts.scaling import hold_size
from app.ui.parts.surfaces import HEADER_HEIGHT_PX, set_surface
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme

_SEARCH_MARGINS_PX: Final = (4, 0, 4, 8)
_NO_MARGINS: Final = (0, 0, 0, 0)


class SettingsSide(QWidget):
    """Lists the sections; where there is little room, one line that opens a menu of them.

    Made by the settings page.
    """

    closed = Signal()
    """Back to the chat."""
    section_chosen = Signal(int)
    """A section should be shown; argument: its number."""
    searched = Signal(str)
    """Settings with these words are wanted; argument: what is typed."""

    def __init__(self, theme: Theme, sections: Sequence[SettingsSection]) -> None:
        super().__init__()
        self._theme = theme
        self._titles = [section.title for section in sections]
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._on_chosen)
        self._title = plain_label(
            self.tr("Settings"), theme, size="title", weight=Weight.DemiBold, elides=True
        )
        self._menu = ChoiceChip(theme, self.tr("Section"))
        self._menu.chosen.connect(self._on_menu_chosen)
        self._search = self._make_search(theme)
        self._nothing = plain_label(
            self.tr("No setting has these words."), theme, size="small", ink="ink-2", wraps=True
        )
        self._nothing.setContentsMargins(12, 4, 12, 4)
        self._list = self._make_list(theme, sections)
        set_surface(self, "side")
        self._lay_out(theme)
        self.show_hits(range(len(sections)))
        self.show_section(0)
        self.set_narrow(is_narrow=False)

    @property
    def search_text(self) -> str:
        """What is searched for."""
        return self._search.text()

    def clear_search(self) -> None:
        """Searches for nothing."""
        self._search.clear()

    def show_section(self, number: int) -> None:
        """Shows which section is to be seen."""
        self._group.button(number).setChecked(True)
        self._menu.show_value(str(number))

    def show_hits(self, numbers: Collection[int]) -> None:
        """Offers these sections only."""
        for number in range(len(self._titles)):
            self._group.button(number).setVisible(number in numbers)
        self._menu.offer([(str(number), self._titles[number]) for number in numbers])
        self._nothing.setVisible(not numbers)

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Makes one line of it, or a column again."""
        self._title.setHidden(is_narrow)
        self._menu.setVisible(is_narrow)
        self._list.setHidden(is_narrow)
        # A layout takes a widget from another one that has it.
        if is_narrow:
            # Before the strut, which would put its room between them; it may be there already.
            self._header.removeWidget(self._search)
            self._header.insertWidget(self._header.count() - 1, self._search, 1)
        else:
            self._search_row.addWidget(self._search, 1)
        # A row with nothing in it takes no room below the line.
        self._theme.space(self._search_row, _NO_MARGINS if is_narrow else _SEARCH_MARGINS_PX, 0)

    def _lay_out(self, theme: Theme) -> None:
        back = icon_button("arrow-left", self.tr("Back to the chat"), theme)
        back.clicked.connect(self.closed)
        self._header = QHBoxLayout()
        self._header.setContentsMargins(0, 0, 0, 0)
        self._header.setSpacing(8)
        self._header.addWidget(back)
        self._header.addWidget(self._title, 1)
        self._header.addWidget(self._menu)
        # As high as the heads beside it, at every scale: a strut of a layout knows none.
        strut = QWidget()
        hold_size(strut, height_px=HEADER_HEIGHT_PX)
        self._header.addWidget(strut)
        self._search_row = QHBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(1)
        column.addLayout(self._header)
        column.addLayout(self._search_row)
        column.addWidget(self._nothing)
        column.addWidget(self._list, 1)

    def _make_search(self, theme: Theme) -> QLineEdit:
        field = LineEdit()
        field.setFont(theme.font("secondary"))
        field.setPlaceholderText(self.tr("Search settings"))
        field.setAccessibleName(self.tr("Search settings"))
        field.textChanged.connect(self.searched)
        return field

    def _make_list(self, theme: Theme, sections: Sequence[SettingsSection]) -> QScrollArea:
        names = QWidget()
        column = QVBoxLayout(names)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        for number, section in enumerate(sections):
            button = push_button(section.title, "section", theme, icon=section.icon)
            button.setCheckable(True)
            # Else it is called a check box.
            button.setAutoExclusive(True)
            self._group.addButton(button, number)
            column.addWidget(button)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(names)
        for ground in (names, scroll.viewport()):
            ground.setAutoFillBackground(False)
        return scroll

    def _on_menu_chosen(self, number: str) -> None:
        self._on_chosen(int(number))

    def _on_chosen(self, number: int) -> None:
        self.show_section(number)
        self.section_chosen.emit(number)
