"""What the settings say of the look of the window, read before there is time to read them whole."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class KeptLook:
    """What the user chose; None where the system decides."""

    is_dark: bool | None
    has_high_contrast: bool | None


def read_look(settings_file: Path) -> KeptLook:
    """Returns the look that was chosen, or that of the system where nothing can be understood.

    `app.settings` reads the same words, checks them, and says what is wrong with them; importing
    what it needs for that would keep the first window waiting.
    """
    try:
        document = tomllib.loads(settings_file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return KeptLook(is_dark=None, has_high_contrast=None)
    appearance = document.get("appearance")
    chosen = appearance if isinstance(appearance, dict) else {}
    return KeptLook(
        is_dark=_one_of(chosen.get("theme"), yes="dark", no="light"),
        has_high_contrast=_one_of(chosen.get("contrast"), yes="high", no="normal"),
    )


def _one_of(word: object, *, yes: str, no: str) -> bool | None:
    if word == yes:
        return True
    return False if word == no else None
