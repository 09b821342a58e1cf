"""The section of the settings that says which language the window speaks."""

from typing import Final

from PySide6.QtCore import QCoreApplication

from app.settings import Language, Settings
from app.ui.parts.buttons import push_button
from app.ui.parts.choice_chip import ChoiceChip
from app.ui.parts.labels import plain_label
from app.ui.setup.section import SettingsSection
from app.ui.theme import Theme
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.language import SpokenLanguage

# Each in its own words, so that whoever speaks it finds it.
_OWN_NAMES: Final = {"en": "English", "de": "Deutsch"}


class LanguageSection(SettingsSection):
    """The languages, and a button that opens the window again in the one chosen.

    Made by the settings page.
    """

    tables = ("language",)

    def __init__(self, theme: Theme, preferences: Preferences, language: SpokenLanguage) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Language"), "languages")
        self._preferences = preferences
        self._language = language
        self._chip = ChoiceChip(theme, self.tr("Language of the window"))
        self._chip.offer([("system", self.tr("As the system")), *_OWN_NAMES.items()])
        self._chip.chosen.connect(self._on_chip_chosen)
        self._later = plain_label(
            self.tr("Parley speaks another language from its next start. What is open stays kept."),
            theme,
            size="small",
            ink="ink-2",
            wraps=True,
        )
        self._again = push_button(self.tr("Start again now"), "secondary", theme)
        self._again.clicked.connect(language.restart)
        self.add_group(
            self.tr("Language"),
            self.tr("The words of the window, and how it writes dates and numbers."),
        )
        self.add_row(self.tr("Language of the window"), self._chip)
        self.add_row("", self._later, self._again)
        self.column.addStretch(1)
        preferences.changed.connect(self._show)
        self._show(preferences.current)

    def _show(self, settings: Settings) -> None:
        choice = settings.language.choice
        self._chip.show_value(choice)
        differs = self._language.code_for(choice) != self._language.code
        if card := self._later.parentWidget():
            card.setVisible(differs)

    def _on_chip_chosen(self, choice: str) -> None:
        self._preferences.change(Language.model_validate({"choice": choice}))
