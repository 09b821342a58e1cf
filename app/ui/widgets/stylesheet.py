"""`stylesheet` and `palette_of` fill style sheet and palette of all windows with a theme's colours.

`Token` names the colours; `read_tokens` reads their values from a theme file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from PySide6.QtGui import QColor, QPalette

Token = Literal[
    "bg",
    "side",
    "panel",
    "line",
    "line-strong",
    "ink",
    "ink-2",
    "ink-3",
    "ink-off",
    "accent",
    "accent-strong",
    "on-accent",
    "accent-soft",
    "bubble",
    "selection",
    "hover",
    "tip",
    "on-tip",
    "warn",
    "warn-soft",
    "warn-line",
    "bad",
    "bad-soft",
    "good",
    "added",
    "removed",
    "code-bg",
    "code-keyword",
    "code-string",
    "code-number",
    "code-comment",
    "code-name",
    "mark-green",
    "mark-teal",
    "mark-blue",
    "mark-violet",
    "mark-pink",
    "mark-orange",
    "mark-amber",
    "mark-grey",
]

THEME_FILES: Final = {
    (False, False): "light.toml",
    (True, False): "dark.toml",
    (False, True): "light-contrast.toml",
    (True, True): "dark-contrast.toml",
}
"""The theme files, by whether they are dark and whether they have high contrast."""

TOKENS: Final[tuple[Token, ...]] = get_args(Token)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme, each as "#rrggbb"."""

    is_dark: bool
    colors: Mapping[Token, str]


def read_tokens(path: Path) -> Tokens:
    """Read a theme file.

    Raises:
        ValueError: the file does not name exactly the tokens that exist.
    """
    # The files are ours, and reading any TOML there is costs a first start too much.
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("=") for line in lines if "=" in line)
    colors = {name.strip(): value.strip(' "') for name, value in pairs}
    is_dark = colors.pop("is_dark", "false") == "true"
    if odd := set(TOKENS).symmetric_difference(colors):
        raise ValueError(f"{path.name} misses, or should not have: {', '.join(sorted(odd))}")
    return Tokens(is_dark, {token: colors[token] for token in TOKENS})


_TOKEN: Final = re.compile(r"@([a-z0-9-]+)")
# Lengths of 1 and 2 px (hairlines, focus rings) are not scaled.
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
    QPalette.ColorRole.ToolTipBase: "tip",
    QPalette.ColorRole.ToolTipText: "on-tip",
    QPalette.ColorRole.Light: "panel",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Mid: "line-strong",
    QPalette.ColorRole.Dark: "line-strong",
    QPalette.ColorRole.Shadow: "line-strong",
    QPalette.ColorRole.Accent: "accent",
}


def stylesheet(sheet: str, colors: Mapping[Token, str], scale: float) -> str:
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
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors["ink-off"]))
    return palette
