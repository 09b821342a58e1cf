"""The names of the colours, and the theme files that give them their values."""

import tomllib
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
    theme = tomllib.loads(path.read_text(encoding="utf-8"))
    colors: dict[str, str] = theme["colors"]
    if odd := set(TOKENS).symmetric_difference(colors):
        raise ValueError(f"{path.name} misses, or should not have: {', '.join(sorted(odd))}")
    return Tokens(bool(theme["is_dark"]), {token: colors[token] for token in TOKENS})
