"""What other software set in our environment for Qt; imports nothing, as it is called early."""

from collections.abc import MutableMapping
from typing import Final

_STEERING: Final = frozenset({"QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH"})
_STEERING_BEGINNINGS: Final = ("QML", "QT_QUICK_", "QT_QML")


def forget_qt_variables(environ: MutableMapping[str, str]) -> tuple[str, ...]:
    """Remove what has Qt look for its plug-ins elsewhere, which is to say run them; name it.

    Called before the application object is made, which is when Qt reads them.
    """
    found = tuple(name for name in environ if _leads_elsewhere(name.upper()))
    for name in found:
        del environ[name]
    return found


def _leads_elsewhere(name: str) -> bool:
    return name in _STEERING or name.startswith(_STEERING_BEGINNINGS)
