"""Watch for the signal that this computer is about to sleep.

On Linux logind sends it on the system bus. On other systems, and without logind, there is none: an
idle model is then unloaded by the first check after the sleep.
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
# The address of the bus is missing or invalid, nothing listens there, or it speaks no D-Bus.
_NO_BUS: Final = (OSError, LookupError, ValueError, RuntimeError, EOFError)


async def follow_sleep(on_sleep: Callable[[], None]) -> None:
    """Call `on_sleep` before each sleep, until cancelled; return if there is no such signal."""
    if sys.platform != "linux":
        return
    try:
        await _follow_logind(on_sleep)
    except _NO_BUS as exc:
        log.debug("no signal before this computer sleeps: %s", type(exc).__name__)


async def _follow_logind(on_sleep: Callable[[], None]) -> None:
    # Imported in a thread: the loop has answers to stream meanwhile.
    bus = await asyncio.to_thread(importlib.import_module, "jeepney.io.asyncio")
    wire = importlib.import_module("jeepney")
    signal = {"type": "signal", "interface": _MANAGER, "member": _SIGNAL, "path": _PATH}
    # The bus knows who owns the name; messages have only the owner's unique name, so the filter
    # below leaves the sender out.
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
        # The signal comes again, with False, after the sleep.
        if message.body == (True,):
            log.info("this computer is about to sleep")
            on_sleep()
