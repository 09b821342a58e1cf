"""`AppearanceSection` and `LanguageSection` are the settings of how the window looks and reads.

`TextSize` holds the sizes that the window comes in, and the commands that step through them.
"""

from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale, QObject
from PySide6.QtGui import QFontDatabase, QKeySequence

from app.config.settings import AppearanceSettings, LanguageSettings, Settings
from app.ui.commands import CommandGroup, Commands
from app.ui.settings.section import SettingsSection
from app.ui.theme import Theme
from app.ui.widgets.chips import Choice, ChoiceChip
from app.ui.widgets.fonts import EMOJI_FAMILY, MONO_FAMILY, UI_FAMILY
from app.ui.widgets.toggles import Segments
from app.viewmodels.preferences import Preferences

SIZES_PERCENT: Final = (80, 90, 100, 110, 125, 150, 175, 200)
_USUAL_PERCENT: Final = 100


def percent_words(percent: int) -> str:
    """Return a size as text, with the digits of the locale."""
    return QCoreApplication.translate("TextSize", "{number} %").format(
        number=QLocale().toString(percent)
    )


class TextSize(QObject):
    """Makes everything larger or smaller by a step. Made by the window; ends with it."""

    def __init__(self, preferences: Preferences, commands: Commands) -> None:
        super().__init__(commands)
        self._preferences = preferences
        larger = self.tr("Zoom in")
        smaller = self.tr("Zoom out")
        usual = self.tr("Reset zoom")
        for name, text, run, keys in (
            ("text-larger", larger, self._on_larger, QKeySequence.StandardKey.ZoomIn),
            ("text-smaller", smaller, self._on_smaller, QKeySequence.StandardKey.ZoomOut),
            ("text-usual", usual, self._on_usual, "Ctrl+0"),
        ):
            commands.add(name, text, run, group=CommandGroup.VIEW, keys=keys)

    def _choose(self, percent: int) -> None:
        appearance = self._preferences.current.appearance
        self._preferences.change(appearance.model_copy(update={"scale_percent": percent}))

    def _on_larger(self) -> None:
        now = self._preferences.current.appearance.scale_percent
        self._choose(next((size for size in SIZES_PERCENT if size > now), SIZES_PERCENT[-1]))

    def _on_smaller(self) -> None:
        now = self._preferences.current.appearance.scale_percent
        self._choose(next((size for size in SIZES_PERCENT[::-1] if size < now), SIZES_PERCENT[0]))

    def _on_usual(self) -> None:
        self._choose(_USUAL_PERCENT)


class AppearanceSection(SettingsSection):
    """Colours, size and typefaces. Made by `SettingsSections`."""

    tables = ("appearance",)

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Appearance"), "palette")
        self._preferences = preferences
        self._colours = self._make_theme_segments()
        self._contrasts = self._make_contrast_segments()
        self._motions = self._make_motion_segments()
        self._size = ChoiceChip(theme, self.tr("Zoom"))
        self._text = ChoiceChip(theme, self.tr("Text font"))
        self._code = ChoiceChip(theme, self.tr("Code font"))
        self._add_colours()
        self._add_size()
        self._add_typefaces()
        preferences.changed.connect(self._show)
        self._show(preferences.current)

    def begin(self) -> None:
        """Offer the typefaces that are installed now."""
        # A dot begins the names of typefaces that macOS keeps for itself.
        families = [name for name in QFontDatabase.families() if not name.startswith(".")]
        families = [name for name in families if name != EMOJI_FAMILY]
        fixed = [name for name in families if QFontDatabase.isFixedPitch(name)]
        self._text.offer([self._own(UI_FAMILY), *_choices(families, UI_FAMILY)])
        self._code.offer([self._own(MONO_FAMILY), *_choices(fixed, MONO_FAMILY)])

    def _add_colours(self) -> None:
        self.add_group(self.tr("Display"), self.tr("“System” follows your desktop’s setting."))
        self._colours.chosen.connect(self._on_colours_chosen)
        self._contrasts.chosen.connect(self._on_contrasts_chosen)
        self.add_row(self.tr("Theme"), self._colours)
        self.add_row(self.tr("Contrast"), self._contrasts)
        self._motions.chosen.connect(self._on_motions_chosen)
        self.add_row(self.tr("Motion"), self._motions)

    def _make_theme_segments(self) -> Segments:
        words = {
            "system": (self.tr("System"), ""),
            "light": (self.tr("Light"), ""),
            "dark": (self.tr("Dark"), ""),
        }
        return Segments(self._theme, words)

    def _make_contrast_segments(self) -> Segments:
        words = {
            "system": (self.tr("System"), self.tr("System contrast")),
            "normal": (self.tr("Normal"), self.tr("Normal contrast")),
            "high": (self.tr("High"), self.tr("High contrast")),
        }
        return Segments(self._theme, words)

    def _make_motion_segments(self) -> Segments:
        words = {
            "system": (self.tr("System"), self.tr("System motion")),
            "full": (self.tr("Full"), self.tr("Full motion")),
            "reduced": (self.tr("Reduced"), self.tr("Reduced motion")),
        }
        return Segments(self._theme, words)

    def _add_size(self) -> None:
        self.add_group(
            self.tr("Size"),
            self.tr("Scales text, icons and spacing, in addition to the system’s text size."),
        )
        self._size.offer([(str(percent), percent_words(percent)) for percent in SIZES_PERCENT])
        self._size.chosen.connect(self._on_size_chosen)
        self.add_row(self.tr("Zoom"), self._size)

    def _add_typefaces(self) -> None:
        self.add_group(
            self.tr("Fonts"),
            self.tr("Any font on this computer. Inter and JetBrains Mono are included."),
        )
        self._text.chosen.connect(self._on_text_chosen)
        self._code.chosen.connect(self._on_code_chosen)
        self.add_row(self.tr("Text"), self._text)
        self.add_row(self.tr("Code"), self._code)

    def _own(self, family: str) -> Choice:
        return "", self.tr("{family} (included)").format(family=family)

    def _show(self, settings: Settings) -> None:
        appearance = settings.appearance
        self._colours.show_value(appearance.theme)
        self._contrasts.show_value(appearance.contrast)
        self._motions.show_value(appearance.motion)
        self._size.show_value(str(appearance.scale_percent))
        self._text.show_value(appearance.text_family)
        self._code.show_value(appearance.code_family)

    def _change(self, field: str, value: object) -> None:
        now = self._preferences.current.appearance.model_dump()
        self._preferences.change(AppearanceSettings.model_validate({**now, field: value}))

    def _on_colours_chosen(self, theme: str) -> None:
        self._change("theme", theme)

    def _on_contrasts_chosen(self, contrast: str) -> None:
        self._change("contrast", contrast)

    def _on_motions_chosen(self, motion: str) -> None:
        self._change("motion", motion)

    def _on_size_chosen(self, percent: str) -> None:
        self._change("scale_percent", int(percent))

    def _on_text_chosen(self, family: str) -> None:
        self._change("text_family", family)

    def _on_code_chosen(self, family: str) -> None:
        self._change("code_family", family)


def _choices(families: list[str], own: str) -> list[Choice]:
    return [(name, name) for name in families if name != own]


# Each in its own words, so that whoever speaks it finds it.
_OWN_NAMES: Final = {"en": "English", "de": "Deutsch"}


class LanguageSection(SettingsSection):
    """The language of the window, which changes at once. Made by `SettingsSections`."""

    tables = ("language",)

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Language"), "languages")
        self._preferences = preferences
        self._chip = ChoiceChip(theme, self.tr("Language"))
        self._chip.offer([("system", self.tr("System")), *_OWN_NAMES.items()])
        self._chip.chosen.connect(self._on_chip_chosen)
        words = self.tr("For text, dates and numbers.")
        self.add_row(self.tr("Language of the window"), self._chip, words=words)
        preferences.changed.connect(self._show)
        self._show(preferences.current)

    def _show(self, settings: Settings) -> None:
        self._chip.show_value(settings.language.choice)

    def _on_chip_chosen(self, choice: str) -> None:
        self._preferences.change(LanguageSettings.model_validate({"choice": choice}))
