"""The settings: they fill the window, with their sections on the left."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.ui.parts.buttons import icon_button, push_button
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import plain_label
from app.ui.parts.surfaces import HEADER_HEIGHT_PX, set_surface
from app.ui.setup.about import AboutSection
from app.ui.setup.appearance import AppearanceSection
from app.ui.setup.connection import ConnectionSection
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.states import SettingsView

_SIDE_PX: Final = 272
_COLUMN_PX: Final = 720


class SettingsPage(QWidget):
    """Shows the settings that exist; each change leaves by a signal and comes back as a state.

    Esc goes back to the chat. Made by the window.
    """

    closed = Signal()
    """Back to the chat."""
    local_chosen = Signal(str)
    """Talk to the bundled service; argument: the model's id, empty if there is none."""
    hosted_chosen = Signal(str, str)
    """Test this project and talk to it; arguments: address and key as typed."""
    theme_chosen = Signal(str)
    """The window should look like this; argument: system, light or dark."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Settings"))
        self._theme = theme
        self._connection = ConnectionSection(theme)
        self._appearance = AppearanceSection(theme)
        self._about = AboutSection(theme)
        self._pages = QStackedWidget()
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._pages.setCurrentIndex)
        self._side = self._make_side()
        self._connection.local_chosen.connect(self.local_chosen)
        self._connection.hosted_chosen.connect(self.hosted_chosen)
        self._appearance.theme_chosen.connect(self.theme_chosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(_vertical_line())
        row.addWidget(self._pages, 1)

    def show_state(self, view: SettingsView) -> None:
        """Shows the settings as they are."""
        self._connection.show_state(view)
        self._appearance.show_theme(view.theme, view.theme_words)
        self._about.show_version(view.version)

    def showEvent(self, event: QShowEvent) -> None:
        """Begins with what is connected, and takes the keyboard, so that Esc is heard."""
        super().showEvent(event)
        if not event.spontaneous():
            self._connection.open_connected()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Goes back on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _make_side(self) -> QWidget:
        side = QWidget()
        side.setFixedWidth(_SIDE_PX)
        set_surface(side, "side")
        column = QVBoxLayout(side)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(1)
        column.addLayout(self._make_header())
        for icon, section in (
            ("plug", self._connection),
            ("palette", self._appearance),
            ("info", self._about),
        ):
            column.addWidget(self._add_section(icon, section))
        column.addStretch(1)
        return side

    def _make_header(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        back = icon_button("arrow-left", self.tr("Back to the chat"), self._theme)
        back.clicked.connect(self.closed)
        row.addWidget(back)
        title = plain_label(self.tr("Settings"), self._theme, size="title", weight=Weight.DemiBold)
        title.setFixedHeight(HEADER_HEIGHT_PX)
        row.addWidget(title, 1)
        return row

    def _add_section(self, icon: str, section: SettingsSection) -> QPushButton:
        button = push_button(section.title, "section", self._theme, icon=icon)
        button.setCheckable(True)
        number = self._pages.addWidget(_scrolled(section))
        self._group.addButton(button, number)
        button.setChecked(number == 0)
        return button


def _scrolled(section: SettingsSection) -> QScrollArea:
    frame = QWidget()
    row = QHBoxLayout(frame)
    row.setContentsMargins(24, 0, 24, 0)
    section.setMaximumWidth(_COLUMN_PX)
    row.addStretch(1)
    row.addWidget(section, 1000)
    row.addStretch(1)
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidget(frame)
    return scroll


def _vertical_line() -> QFrame:
    line = QFrame()
    line.setFixedWidth(1)
    set_surface(line, "line")
    return line
