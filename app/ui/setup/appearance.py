"""The section of the settings that says how the window looks."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFontDatabase

from app.settings import Appearance, Settings
from app.ui.parts.choice_chip import Choice, ChoiceChip
from app.ui.parts.fonts import MONO_FAMILY, UI_FAMILY
from app.ui.setup.section import SettingsSection
from app.ui.setup.segments import Segments
from app.ui.setup.text_size import SIZES_PERCENT, percent_words
from app.ui.theme import Theme
from app.viewmodels.preferences import Preferences


class AppearanceSection(SettingsSection):
    """Colours, size and typefaces. Made by the settings page."""

    tables = ("appearance",)

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__(theme, QCoreApplication.translate("Settings", "Appearance"), "palette")
        self._preferences = preferences
        self._colours = self._make_theme_segments()
        self._contrasts = self._make_contrast_segments()
        self._size = ChoiceChip(theme, self.tr("Size of everything"))
        self._text = ChoiceChip(theme, self.tr("Typeface of text"))
        self._code = ChoiceChip(theme, self.tr("Typeface of code"))
        self._add_colours()
        self._add_size()
        self._add_typefaces()
        self.column.addStretch(1)
        preferences.changed.connect(self._show)
        self._show(preferences.current)

    def begin(self) -> None:
        """Offers the typefaces that are installed now."""
        families = [name for name in QFontDatabase.families() if not name.startswith(".")]
        fixed = [name for name in families if QFontDatabase.isFixedPitch(name)]
        self._text.offer([self._own(UI_FAMILY), *_choices(families, UI_FAMILY)])
        self._code.offer([self._own(MONO_FAMILY), *_choices(fixed, MONO_FAMILY)])

    def _add_colours(self) -> None:
        self.add_group(
            self.tr("Colours"), self.tr("Changes at once. System follows what your desktop shows.")
        )
        self._colours.chosen.connect(self._on_colours_chosen)
        self._contrasts.chosen.connect(self._on_contrasts_chosen)
        self.add_row(self.tr("Theme"), self._colours)
        self.add_row(self.tr("Contrast"), self._contrasts)

    def _make_theme_segments(self) -> Segments:
        words = {
            "system": (self.tr("System"), ""),
            "light": (self.tr("Light"), ""),
            "dark": (self.tr("Dark"), ""),
        }
        return Segments(self._theme, words)

    def _make_contrast_segments(self) -> Segments:
        words = {
            "system": (self.tr("System"), self.tr("Contrast of the system")),
            "normal": (self.tr("Normal"), self.tr("Normal contrast")),
            "high": (self.tr("High"), self.tr("High contrast")),
        }
        return Segments(self._theme, words)

    def _add_size(self) -> None:
        self.add_group(
            self.tr("Size"),
            self.tr("Text, icons and the room around them, on top of the text size of the system."),
        )
        self._size.offer([(str(percent), percent_words(percent)) for percent in SIZES_PERCENT])
        self._size.chosen.connect(self._on_size_chosen)
        self.add_row(self.tr("Size of everything"), self._size)

    def _add_typefaces(self) -> None:
        self.add_group(
            self.tr("Typefaces"),
            self.tr("Any typeface of this computer. Inter and JetBrains Mono ship with Parley."),
        )
        self._text.chosen.connect(self._on_text_chosen)
        self._code.chosen.connect(self._on_code_chosen)
        self.add_row(self.tr("Text"), self._text)
        self.add_row(self.tr("Code"), self._code)

    def _own(self, family: str) -> Choice:
        return "", self.tr("{family} (ships with Parley)").format(family=family)

    def _show(self, settings: Settings) -> None:
        appearance = settings.appearance
        self._colours.show_value(appearance.theme)
        self._contrasts.show_value(appearance.contrast)
        self._size.show_value(str(appearance.scale_percent))
        self._text.show_value(appearance.text_family)
        self._code.show_value(appearance.code_family)

    def _change(self, field: str, value: object) -> None:
        now = self._preferences.current.appearance.model_dump()
        self._preferences.change(Appearance.model_validate({**now, field: value}))

    def _on_colours_chosen(self, theme: str) -> None:
        self._change("theme", theme)

    def _on_contrasts_chosen(self, contrast: str) -> None:
        self._change("contrast", contrast)

    def _on_size_chosen(self, percent: str) -> None:
        self._change("scale_percent", int(percent))

    def _on_text_chosen(self, family: str) -> None:
        self._change("text_family", family)

    def _on_code_chosen(self, family: str) -> None:
        self._change("code_family", family)


def _choices(families: list[str], own: str) -> list[Choice]:
    return [(name, name) for name in families if name != own]
