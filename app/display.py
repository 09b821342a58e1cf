"""Whether there is a display for windows: without one, Qt ends the process in words of its own."""

import sys
from collections.abc import Mapping
from typing import Final

NO_DISPLAY: Final = (
    "Parley needs a display for its window, and there is none here. "
    "Without one, QT_QPA_PLATFORM=offscreen parley --self-test tries the program."
)


def has_display(variables: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Tell whether windows can open; on Linux the environment says so."""
    if platform != "linux":
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(variables.get(name) for name in names)
