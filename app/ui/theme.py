"""`Theme` has the colours, fonts and icons of all widgets, light or dark."""

import sys
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QIcon,
    QPixmap,
    QScreen,
    QStyleHints,
)
from PySide6.QtWidgets import QApplication, QLayout, QWidget

from app.config.settings import AppearanceSettings, ThemeChoice
from app.ui.startup_skeleton import SavedAppearance
from app.ui.widgets.fonts import MONO_FAMILY, UI_FAMILY, Fonts, TextSize, Weight, load_fonts
from app.ui.widgets.icons import Icons
from app.ui.widgets.scaling import Margins, refit, refont, remake
from app.ui.widgets.stylesheet import (
    THEME_FILES,
    Token,
    Tokens,
    palette_of,
    read_tokens,
    stylesheet,
)

_SCHEMES = {
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "system": Qt.ColorScheme.Unknown,
}
_USUAL_DPI = 72 if sys.platform == "darwin" else 96


class Theme(QObject):
    """Gives widgets their colours, fonts and icons, and signals when these change.

    `resources` is the folder with `themes`, `fonts` and `icons`. Widgets that paint themselves
    ask at each painting and update on `changed`; all others get their colours from the palette
    of the application and the style sheet of their window, and their fonts and margins anew when
    the scale changes. One for the run, made by the composition.
    """

    system_has_motion = False
    """Whether the system allows animations; set by the code that makes the window."""

    changed = Signal()
    """Colours, fonts or lengths have changed."""
    sheet_changed = Signal(str)
    """Windows look different now; argument: their style sheet."""

    def __init__(
        self,
        resources: Path,
        hints: QStyleHints,
        choice: ThemeChoice = "system",
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        themes = resources / "themes"
        self._themes = {kind: read_tokens(themes / name) for kind, name in THEME_FILES.items()}
        self._sheet = (themes / "widgets.qss").read_text(encoding="utf-8")
        load_fonts(resources / "fonts")
        self._icons = Icons(resources / "icons")
        self._hints = hints
        self._chosen = AppearanceSettings(theme=choice)
        self._fonts = Fonts()
        # Before a scheme is set here, which Qt would return instead of the system's.
        self._system_is_dark = hints.colorScheme() is Qt.ColorScheme.Dark
        self._app: QApplication | None = None
        hints.colorSchemeChanged.connect(self._on_hints_color_scheme_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._announce)
        self._shown = self._look()

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are shown."""
        theme = self._chosen.theme
        return self._system_is_dark if theme == "system" else theme == "dark"

    @property
    def has_motion(self) -> bool:
        """Whether what comes, goes or folds moves on its way."""
        motion = self._chosen.motion
        return self.system_has_motion if motion == "system" else motion == "full"

    def wear(self, appearance: AppearanceSettings) -> None:
        """Show the window as the user chose it."""
        self._chosen = appearance
        self._fonts = _fonts_of(appearance)
        self._tell_system()
        self._announce()

    def apply(self, app: QApplication) -> None:
        """Make the application look like this, now and whenever it changes."""
        self._app = app
        self._tell_system()
        if app.style().name() != "fusion":
            # Set again it would go through every widget that is still there.
            app.setStyle("Fusion")
        app.setFont(self.font())
        app.setWindowIcon(self._icons.app_icon())
        self._paint(app)

    def dress(self, top: QWidget | QApplication) -> None:
        """Give a window, and whatever comes into it, the style sheet, now and when it changes.

        Best done once the window is made: with the sheet in force, each step of putting parts
        together goes through all that is in them, which doubles the time that a window takes.
        """
        top.setStyleSheet(self._filled_sheet())
        self.sheet_changed.connect(top.setStyleSheet)

    def fit(self, widget: QWidget) -> None:
        """Give a widget that was just made, and all in it, the margins of the scale."""
        if self._scale() != 1:
            refit([widget, *widget.findChildren(QWidget)], self._scale())

    def space(self, layout: QLayout, margins_px: Margins, spacing_px: int) -> None:
        """Give a layout other margins and another spacing, in the measures of the design."""
        remake(layout, margins_px, spacing_px, self._scale())

    def px(self, length: float) -> int:
        """Return the length that is `length` in the design."""
        return round(length * self._scale())

    def color(self, token: Token) -> QColor:
        """Return the colour of a token."""
        return QColor(self._tokens().colors[token])

    def font(self, size: TextSize = "base", weight: Weight = Weight.Normal) -> QFont:
        """Return the font of the window's own words."""
        return self._fonts.ui(size, weight)

    def mono(self, weight: Weight = Weight.Normal) -> QFont:
        """Return the font of code, paths and exact input."""
        return self._fonts.mono(weight)

    def icon(self, name: str, ink: Token = "ink-2") -> QIcon:
        """Return an icon in the colour of a token as it is now: set it again on `changed`."""
        return self._icons.icon(name, self.color(ink), self.color("line-strong"), self._scale())

    def pixmap(self, name: str, ink: Token, size_px: int, ratio: float = 1.0) -> QPixmap:
        """Return the icon as a picture, for a screen of this device pixel ratio."""
        return self._icons.pixmap(name, self.color(ink), size_px, ratio)

    def app_pixmap(self, size_px: int, ratio: float = 1.0) -> QPixmap:
        """Return the program's own icon as a picture."""
        return self._icons.app_pixmap(size_px, ratio)

    @property
    def kept_look(self) -> SavedAppearance:
        """What the next start shows before it has read the settings."""
        is_dark = None if self._chosen.theme == "system" else self.is_dark
        return SavedAppearance(is_dark, self._has_high_contrast())

    def _has_high_contrast(self) -> bool:
        if self._chosen.contrast != "system":
            return self._chosen.contrast == "high"
        wanted = self._hints.accessibility().contrastPreference()
        return wanted is Qt.ContrastPreference.HighContrast

    def _scale(self) -> float:
        """Return the factor over the design: the user's scale times the system's for text."""
        screen: QScreen | None = QGuiApplication.primaryScreen()
        system = screen.logicalDotsPerInch() / _USUAL_DPI if screen else 1.0
        return self._fonts.scale * system

    def _tokens(self) -> Tokens:
        return self._themes[(self.is_dark, self._has_high_contrast())]

    def _look(self) -> tuple[Tokens, Fonts]:
        return self._tokens(), self._fonts

    def _paint(self, app: QApplication) -> None:
        app.setPalette(palette_of(self._tokens().colors))
        self.sheet_changed.emit(self._filled_sheet())

    def _filled_sheet(self) -> str:
        return stylesheet(self._sheet, self._tokens().colors, self._scale())

    def _announce(self) -> None:
        if self._look() == self._shown:
            return
        (_, before), self._shown = self._shown, self._look()
        if self._app:
            if before != self._fonts:
                self._resize(self._app, before)
            self._paint(self._app)
        self.changed.emit()

    def _resize(self, app: QApplication, before: Fonts) -> None:
        widgets = app.allWidgets()
        app.setFont(self.font())
        refont(widgets, before, self._fonts)
        refit(widgets, self._scale())

    def _tell_system(self) -> None:
        # So that the title bars it draws fit, where it lets us.
        self._hints.setColorScheme(_SCHEMES[self._chosen.theme])

    def _on_hints_color_scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        # With a choice of our own this signal only repeats that choice.
        if self._chosen.theme == "system":
            self._system_is_dark = scheme is Qt.ColorScheme.Dark
            self._announce()


def _fonts_of(appearance: AppearanceSettings) -> Fonts:
    return Fonts(
        appearance.scale_percent / 100,
        appearance.text_family or UI_FAMILY,
        appearance.code_family or MONO_FAMILY,
    )
