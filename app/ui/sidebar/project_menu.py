"""The head of the sidebar: whose chats these are, and the menu that leads to another project."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.ui.parts.buttons import icon_button
from app.ui.parts.colour_mark import ColourMark, colour_ink
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import button_text, one_line, plain_label
from app.ui.parts.menus import make_menu
from app.ui.parts.scaling import hold_size
from app.ui.parts.surfaces import HEADER_HEIGHT_PX
from app.ui.theme import Theme
from app.viewmodels.settings.states import ProjectRow


class ProjectMenu(QWidget):
    """Shows the project's mark and name, and opens the menu of all. Made by the sidebar."""

    chosen = Signal(str)
    """Another project should be talked to; argument: its id."""
    settings_requested = Signal()
    """The projects should be looked after in the settings."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._mark = ColourMark(theme)
        self._name = plain_label("", theme, size="title", weight=Weight.DemiBold, elides=True)
        self._name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._test = plain_label(self.tr("Test"), theme, size="caption", ink="warn")
        self._button = icon_button("chevrons-up-down", self.tr("Switch project"), theme)
        self._button.clicked.connect(self.open)
        self._menu = make_menu(self, self.tr("Projects"), theme)
        self._group = QActionGroup(self._menu)
        self._group.triggered.connect(self._on_group_triggered)
        self._test.hide()
        hold_size(self, height_px=HEADER_HEIGHT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for part in (self._mark, self._name, self._test, self._button):
            row.addWidget(part)
        row.addStretch(1)

    def show_name(self, name: str) -> None:
        """Shows whose chats these are."""
        self._name.setText(one_line(name))
        self._button.setAccessibleDescription(one_line(name))

    def show_projects(self, rows: Sequence[ProjectRow]) -> None:
        """Offers these projects, and marks the one at work."""
        now = next((row for row in rows if row.is_now), None)
        self._mark.setVisible(now is not None)
        if now:
            self._mark.show_ink(colour_ink(now.colour))
        self._test.setVisible(now is not None and now.is_test)
        self._menu.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
            action.deleteLater()
        for row in rows:
            name = self.tr("{project} (test)") if row.is_test else "{project}"
            text = button_text(name.format(project=row.name))
            action = QAction(text, self._menu, checkable=True)
            action.setData(row.project_id)
            action.setChecked(row.is_now)
            self._group.addAction(action)
            self._menu.addAction(action)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Manage projects…"), self.settings_requested.emit)

    def open(self) -> None:
        """Opens the menu."""
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Opens the menu wherever the head is clicked."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.open()

    def _on_group_triggered(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))
