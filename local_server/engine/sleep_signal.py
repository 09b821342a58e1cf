"""Tells when this computer is about to sleep.

On Linux logind says so on the system bus. Elsewhere, and where there is no logind, nobody does: a
model that rested is then unloaded at the first look after the sleep.
"""

import asyncio
import importlib
import logging
import sys
from collections.abc import Callable
from typing import Any, Final

log = logging.getLogger(__name__)

_PATH: Final = "/org/freedesktop/login1"
_LOGIND: Final = "org.freedesktop.login1"
_MANAGER: Final = "org.freedesktop.login1.Manager"
_SIGNAL: Final = "PrepareForSleep"
_CONNECT_S: Final = 5
# No address, one that is no address, nobody there, or somebody else.
_NO_BUS: Final = (OSError, LookupError, ValueError, RuntimeError, EOFError)


async def follow_sleep(on_sleep: Callable[[], None]) -> None:
    """Call `on_sleep` each time, until this is cancelled; return where nobody can tell."""
    if sys.platform != "linux":
        return
    try:
        await _follow_logind(on_sleep)
    except _NO_BUS as exc:
        log.debug("nobody tells of sleeps: %s", type(exc).__name__)


async def _follow_logind(on_sleep: Callable[[], None]) -> None:
    # Elsewhere than in the loop, which has answers to pass on meanwhile.
    bus = await asyncio.to_thread(importlib.import_module, "jeepney.io.asyncio")
    wire = importlib.import_module("jeepney")
    signal = {"type": "signal", "interface": _MANAGER, "member": _SIGNAL, "path": _PATH}
    # Only the bus knows who has the name.
    rule = wire.MatchRule(sender=_LOGIND, **signal).serialise()
    daemon = wire.DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus")
    wanted = wire.new_method_call(daemon, "AddMatch", "s", (rule,))
    async with bus.open_dbus_router("SYSTEM") as router:
        with router.filter(wire.MatchRule(**signal)) as told:
            async with asyncio.timeout(_CONNECT_S):
                await router.send_and_get_reply(wanted)
            await _tell(told, on_sleep)


async def _tell(told: "asyncio.Queue[Any]", on_sleep: Callable[[], None]) -> None:
    while True:
        message = await told.get()
        # It says so again, with False, after the sleep.
        if message.body == (True,):
            log.info("this computer is about to sleep")
            on_sleep()
