"""The names of the colours, and the theme files that give them their values."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

Token = Literal[
    "bg",
    "side",
    "panel",
    "line",
    "line-strong",
    "ink",
    "ink-2",
    "ink-3",
    "accent",
    "accent-strong",
    "on-accent",
    "accent-soft",
    "bubble",
    "selection",
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
