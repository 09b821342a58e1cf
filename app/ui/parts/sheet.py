"""The palette and the style sheet of every window, filled in with the colours of a theme."""

import re
from collections.abc import Mapping
from typing import Final

from PySide6.QtGui import QColor, QPalette

from app.ui.parts.tokens import Token

_TOKEN: Final = re.compile(r"@([a-z0-9-]+)")
# Hairlines and rings are as thin at every scale.
_LENGTH: Final = re.compile(r"\b([3-9]|\d\d+)px")
_DISABLED: Final = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)
_ROLES: Final[dict[QPalette.ColorRole, Token]] = {
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


def filled_sheet(sheet: str, colors: Mapping[Token, str], scale: float) -> str:
    """Return the style sheet with the colours that its words stand for, at this scale."""
    values = {str(token): color for token, color in colors.items()}
    sized = _LENGTH.sub(lambda found: f"{round(int(found[1]) * scale)}px", sheet)
    return _TOKEN.sub(lambda found: values[found[1]], sized)


def palette_of(colors: Mapping[Token, str]) -> QPalette:
    """Return the palette for what the style sheet leaves alone."""
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, QColor(colors[token]))
    for role in _DISABLED:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors["ink-3"]))
    return palette
