"""How everything looks: colours by token, fonts and icons, light or dark."""

import re
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPalette, QPixmap, QStyleHints
from PySide6.QtWidgets import QApplication

from app.settings import ThemeChoice
from app.ui.parts.fonts import Fonts, TextSize, Weight
from app.ui.parts.icons import Icons
from app.ui.parts.tokens import Token, Tokens, read_tokens

_SCHEMES = {
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "system": Qt.ColorScheme.Unknown,
}
_TOKEN_IN_SHEET = re.compile(r"@([a-z0-9-]+)")


class Theme(QObject):
    """Gives widgets their colours, fonts and icons, and says when the colours are others.

    `resources` is the folder with `themes`, `fonts` and `icons`. Widgets that paint themselves
    ask at each painting and update on `changed`; all others get their colours from the palette
    and the style sheet of the application. One for the run, made by the composition.
    """

    changed = Signal()
    """The colours are others now."""

    def __init__(
        self,
        resources: Path,
        hints: QStyleHints,
        choice: ThemeChoice = "system",
        scale: float = 1.0,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._light = read_tokens(resources / "themes" / "light.toml")
        self._dark = read_tokens(resources / "themes" / "dark.toml")
        self._sheet = (resources / "themes" / "widgets.qss").read_text(encoding="utf-8")
        self._fonts = Fonts(resources / "fonts", scale)
        self._icons = Icons(resources / "icons")
        self._hints = hints
        self._choice: ThemeChoice = choice
        self._system_is_dark = hints.colorScheme() is Qt.ColorScheme.Dark
        self._app: QApplication | None = None
        hints.colorSchemeChanged.connect(self._on_hints_color_scheme_changed)

    @property
    def choice(self) -> ThemeChoice:
        """What the user chose."""
        return self._choice

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are shown."""
        return self._system_is_dark if self._choice == "system" else self._choice == "dark"

    def choose(self, choice: ThemeChoice) -> None:
        """Shows light, dark, or whatever the system shows."""
        was_dark = self.is_dark
        self._choice = choice
        self._tell_system()
        self._announce(was_dark)

    def apply(self, app: QApplication) -> None:
        """Makes the application look like this, now and whenever it changes."""
        self._app = app
        self._tell_system()
        app.setStyle("Fusion")
        app.setFont(self.font())
        app.setWindowIcon(self._icons.app_icon())
        self._paint(app)

    def color(self, token: Token) -> QColor:
        """The colour of a token."""
        return QColor(self._tokens().colors[token])

    def font(self, size: TextSize = "base", weight: Weight = Weight.Normal) -> QFont:
        """The font of the window's own words."""
        return self._fonts.ui(size, weight)

    def mono(self, weight: Weight = Weight.Normal) -> QFont:
        """The font of code, paths and exact input."""
        return self._fonts.mono(weight)

    def icon(self, name: str, ink: Token = "ink-2") -> QIcon:
        """An icon in the colour of a token as it is now: set it again on `changed`."""
        return self._icons.icon(name, self.color(ink), self.color("line-strong"))

    def pixmap(self, name: str, ink: Token, size_px: int, ratio: float = 1.0) -> QPixmap:
        """The icon as a picture, for a screen of this device pixel ratio."""
        return self._icons.pixmap(name, self.color(ink), size_px, ratio)

    def app_pixmap(self, size_px: int, ratio: float = 1.0) -> QPixmap:
        """The program's own icon as a picture."""
        return self._icons.app_pixmap(size_px, ratio)

    def style_sheet(self) -> str:
        """The style sheet of the application in the colours of now."""
        colors = {str(token): color for token, color in self._tokens().colors.items()}
        return _TOKEN_IN_SHEET.sub(lambda found: colors[found[1]], self._sheet)

    def palette(self) -> QPalette:
        """The palette of the application in the colours of now."""
        palette = QPalette()
        for role, token in _ROLES.items():
            palette.setColor(role, self.color(token))
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("ink-3"))
        palette.setColor(
            QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText, self.color("ink-3")
        )
        return palette

    def _tokens(self) -> Tokens:
        return self._dark if self.is_dark else self._light

    def _paint(self, app: QApplication) -> None:
        app.setPalette(self.palette())
        app.setStyleSheet(self.style_sheet())

    def _announce(self, was_dark: bool) -> None:
        if was_dark == self.is_dark:
            return
        if self._app:
            self._paint(self._app)
        self.changed.emit()

    def _tell_system(self) -> None:
        # So that the title bars it draws fit, where it lets us.
        self._hints.setColorScheme(_SCHEMES[self._choice])

    def _on_hints_color_scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        # With a choice of our own this signal only repeats that choice.
        if self._choice == "system":
            was_dark = self.is_dark
            self._system_is_dark = scheme is Qt.ColorScheme.Dark
            self._announce(was_dark)


_ROLES: dict[QPalette.ColorRole, Token] = {
    QPalette.ColorRole.Window: "bg",
    QPalette.ColorRole.WindowText: "ink",
    QPalette.ColorRole.Base: "bg",
    QPalette.ColorRole.AlternateBase: "panel",
    QPalette.ColorRole.Text: "ink",
    QPalette.ColorRole.PlaceholderText: "ink-3",
    QPalette.ColorRole.Button: "panel",
    QPalette.ColorRole.ButtonText: "ink",
    QPalette.ColorRole.BrightText: "bad",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "on-accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.ToolTipBase: "panel",
    QPalette.ColorRole.ToolTipText: "ink",
    QPalette.ColorRole.Light: "panel",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Mid: "line-strong",
    QPalette.ColorRole.Dark: "line-strong",
    QPalette.ColorRole.Shadow: "line-strong",
    QPalette.ColorRole.Accent: "accent",
}
