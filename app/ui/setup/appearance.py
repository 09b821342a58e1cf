"""The section of the settings that says how the window looks."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton

from app.settings import ThemeChoice
from app.ui.parts.buttons import push_button
from app.ui.parts.labels import one_line, plain_label
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme


class AppearanceSection(SettingsSection):
    """Light, dark, or as the system. Made by the settings page."""

    theme_chosen = Signal(str)
    """The window should look like this; argument: system, light or dark."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Appearance"))
        self.add_group(
            self.tr("Colours"), self.tr("Changes at once. System follows what your desktop shows.")
        )
        self._group = QButtonGroup(self)
        self._buttons: dict[ThemeChoice, QPushButton] = {
            "system": self._make_button(self.tr("System")),
            "light": self._make_button(self.tr("Light")),
            "dark": self._make_button(self.tr("Dark")),
        }
        self.add_row(self.tr("Theme"), *self._buttons.values())
        self._problem = plain_label("", theme, size="secondary", ink="bad", wraps=True)
        self._problem.hide()
        self.column.addWidget(self._problem)
        self.column.addStretch(1)

    def show_theme(self, choice: ThemeChoice, words: str) -> None:
        """Shows which choice holds, and what went wrong with it."""
        self._buttons[choice].setChecked(True)
        self._problem.setText(one_line(words))
        self._problem.setVisible(bool(words))

    def _make_button(self, text: str) -> QPushButton:
        button = push_button(text, "segment", self._theme)
        button.setCheckable(True)
        self._group.addButton(button)
        button.clicked.connect(self._on_button_clicked)
        return button

    def _on_button_clicked(self) -> None:
        for choice, button in self._buttons.items():
            if button.isChecked():
                self.theme_chosen.emit(choice)
