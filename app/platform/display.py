"""Find out whether windows can be shown, name our desktop entry, and get the desktop's dialogs.

Asked before Qt starts: without a display, Qt aborts the process with a message of its own.
"""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, MutableMapping
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
_THEME_VARIABLE: Final = "QT_QPA_PLATFORMTHEME"
_PORTAL_THEME: Final = "xdgdesktopportal"
_PORTAL_SERVICE: Final = "dbus-1/services/org.freedesktop.portal.Desktop.service"
_USUAL_DATA: Final = "/usr/local/share:/usr/share"


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


@contextlib.contextmanager
def desktop_dialogs(
    variables: MutableMapping[str, str], platform: str = sys.platform
) -> Iterator[None]:
    """Have Qt ask the desktop's portal for file dialogs, where one is installed, as it starts.

    Where the portal does not answer, Qt shows dialogs of its own. The choice is taken back at the
    end: programs that are started from here look as their own users want it.
    """
    if platform != "linux" or variables.get(_THEME_VARIABLE) or not _has_portal(variables):
        yield
        return
    variables[_THEME_VARIABLE] = _PORTAL_THEME
    try:
        yield
    finally:
        del variables[_THEME_VARIABLE]


def _has_portal(variables: Mapping[str, str]) -> bool:
    runtime = variables.get("XDG_RUNTIME_DIR")
    has_bus = variables.get("DBUS_SESSION_BUS_ADDRESS") or (
        runtime and Path(runtime, "bus").exists()
    )
    folders = (variables.get("XDG_DATA_DIRS") or _USUAL_DATA).split(os.pathsep)
    return bool(has_bus) and any(Path(folder, _PORTAL_SERVICE).is_file() for folder in folders)
