"""Find out whether windows can be shown, and name our desktop entry.

Asked before Qt starts: without a display, Qt aborts the process with a message of its own.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

NO_DISPLAY: Final = (
    "Parley needs a display for its window, and there is none here. "
    "Without one, parley --self-test tries the program."
)
GOING_OFFSCREEN: Final = "There is no display here: the self-test goes on offscreen."
OFFSCREEN: Final = "offscreen"
"""Where Qt paints windows that are on no screen."""

_NAME: Final = "parley"
_SEEN_BY_NOBODY: Final = frozenset({OFFSCREEN, "minimal"})
# Exists only inside a Flatpak; FLATPAK_ID alone may come from a terminal that is a Flatpak.
_FLATPAK_INFO: Final = Path("/.flatpak-info")


def has_display(variables: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Tell whether windows can open; on Linux the environment says so."""
    match variables.get("QT_QPA_PLATFORM", ""):
        case "":
            return has_screen(variables, platform)
        case "xcb":
            # Many users set it for good, so it does not tell whether there is a display.
            return bool(variables.get("DISPLAY"))
        case _:
            return True


def has_screen(variables: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Tell whether there is anything that a person could see windows on."""
    if platform != "linux":
        return True
    return bool(variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"))


def is_seen(platform_name: str) -> bool:
    """Tell whether somebody could see, and close, windows that Qt shows on that platform."""
    return platform_name not in _SEEN_BY_NOBODY


def desktop_entry(variables: Mapping[str, str], flatpak_info: Path = _FLATPAK_INFO) -> str:
    """Return the name of our desktop entry, from which windows have their icon and group.

    A Flatpak renames the entry after its own id.
    """
    own = variables.get("FLATPAK_ID", "") if flatpak_info.exists() else ""
    return own or _NAME
