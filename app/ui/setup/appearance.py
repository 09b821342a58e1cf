"""The section of the settings that says how the window looks."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QButtonGroup, QPushButton

from app.settings import Settings, ThemeChoice
from app.ui.parts.buttons import push_button
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.preferences import Preferences


class AppearanceSection(SettingsSection):
    """Light, dark, or as the system. Made by the settings page."""

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Appearance"), "palette")
        self._preferences = preferences
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
        self.column.addStretch(1)
        preferences.changed.connect(self._show)
        self._show(preferences.current)

    def _make_button(self, text: str) -> QPushButton:
        button = push_button(text, "segment", self._theme)
        button.setCheckable(True)
        self._group.addButton(button)
        button.clicked.connect(self._on_button_clicked)
        return button

    def _show(self, settings: Settings) -> None:
        self._buttons[settings.appearance.theme].setChecked(True)

    def _on_button_clicked(self) -> None:
        appearance = self._preferences.current.appearance
        for choice, button in self._buttons.items():
            if button.isChecked():
                self._preferences.change(appearance.model_copy(update={"theme": choice}))
