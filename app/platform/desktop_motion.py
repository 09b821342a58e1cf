"""`wants_motion` asks the desktop whether animations are on, or reduced motion is chosen.

Linux desktops answer through the settings portal, Windows through its system parameters. Without an
answer animations are on; the program's own setting overrides both.
"""

import asyncio
import ctypes
import importlib
import sys
from typing import Any, Final

_PORTAL: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_SETTINGS: Final = "org.freedesktop.portal.Settings"
_TIMEOUT_S: Final = 2.0
# Namespace, key, and the value that stands for reduced motion: all desktops, GNOME, KDE.
_CHOICES: Final = (
    ("org.freedesktop.appearance", "reduced-motion", 1),
    ("org.gnome.desktop.interface", "enable-animations", False),
    ("org.kde.kdeglobals.KDE", "AnimationDurationFactor", "0"),
)
_SPI_GETCLIENTAREAANIMATION: Final = 0x1042
# What jeepney raises: no address, an invalid one, nobody there, or no D-Bus behind it.
_NO_ANSWER: Final = (OSError, LookupError, ValueError, RuntimeError, EOFError)


async def wants_motion() -> bool:
    """Return whether the desktop allows animations; True if it does not say."""
    if sys.platform == "win32":
        return _windows_animates()
    if sys.platform != "linux":
        return True
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await _portal_animates()
    except _NO_ANSWER:
        return True


async def _portal_animates() -> bool:
    bus = importlib.import_module("jeepney.io.asyncio")
    wire = importlib.import_module("jeepney")
    address = wire.DBusAddress(_PATH, _PORTAL, _SETTINGS)
    async with bus.open_dbus_router() as router:
        for namespace, key, reduced in _CHOICES:
            # `Read` is deprecated in favour of `ReadOne`, which older portals do not have.
            message = wire.new_method_call(address, "Read", "ss", (namespace, key))
            answer = await router.send_and_get_reply(message)
            has_answer = answer.header.message_type is wire.MessageType.method_return
            if has_answer and _inner(answer.body[0]) == reduced:
                return False
    return True


def _inner(value: Any) -> object:
    """Return what is in a variant, which the portal wraps once more: (signature, value)."""
    while isinstance(value, tuple):
        value = value[-1]
    return value


def _windows_animates() -> bool:
    animates = ctypes.c_int(1)
    windll: Any = getattr(ctypes, "windll", None)
    windll.user32.SystemParametersInfoW(_SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(animates), 0)
    return bool(animates.value)
