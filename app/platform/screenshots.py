"""Take a screenshot through the desktop portal (Linux), where the user chooses the area.

The interface is org.freedesktop.portal.Screenshot. Without a portal, the caller takes the
screenshot with Qt.
"""

import asyncio
import importlib
import secrets
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

_NAME: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_SCREENSHOT: Final = "org.freedesktop.portal.Screenshot"
_REQUEST: Final = "org.freedesktop.portal.Request"
_CONNECT_S: Final = 5.0
# Long enough for the user to choose an area in the portal's dialog.
_CHOICE_S: Final = 300.0
_TAKEN: Final = 0
_NO_BUS: Final = (OSError, LookupError, ValueError, RuntimeError, EOFError, ImportError)


class NoPortalError(Exception):
    """This desktop has no screenshot portal."""


async def screenshot_by_portal(*, choice_s: float = _CHOICE_S) -> Path | None:
    """Ask the portal for a screenshot; return its file.

    None if the user cancelled, or chose nothing within five minutes.

    Raises:
        NoPortalError: There is no portal, or it does not answer.
    """
    if sys.platform != "linux":
        raise NoPortalError
    try:
        bus = importlib.import_module("jeepney.io.asyncio")
        async with asyncio.timeout(_CONNECT_S):
            connection = await bus.open_dbus_connection()
    except (*_NO_BUS, TimeoutError) as exc:
        raise NoPortalError from exc
    try:
        async with bus.DBusRouter(connection) as router:
            return await _asked(router, choice_s)
    except (*_NO_BUS, TimeoutError, bus.RouterClosed) as exc:
        raise NoPortalError from exc
    finally:
        await connection.close()


async def _asked(router: Any, choice_s: float) -> Path | None:
    wire = importlib.import_module("jeepney")
    token = f"parley{secrets.token_hex(8)}"
    sender = router.unique_name.removeprefix(":").replace(".", "_")
    rule = wire.MatchRule(
        type="signal",
        interface=_REQUEST,
        member="Response",
        path=f"{_PATH}/request/{sender}/{token}",
    )
    portal = wire.DBusAddress(_PATH, _NAME, _SCREENSHOT)
    options = {"handle_token": ("s", token), "interactive": ("b", True)}
    async with asyncio.timeout(_CONNECT_S):
        # Before the call: the portal may answer at once. The path follows from our own token.
        await router.send_and_get_reply(wire.message_bus.AddMatch(rule))
    with router.filter(rule) as answers:
        call = wire.new_method_call(portal, "Screenshot", "sa{sv}", ("", options))
        async with asyncio.timeout(_CONNECT_S):
            reply = await router.send_and_get_reply(call)
        if reply.header.message_type is wire.MessageType.error:
            raise NoPortalError
        try:
            async with asyncio.timeout(choice_s):
                code, told = (await answers.get()).body
        except TimeoutError:
            # Nobody chose: to take the whole screen instead would be nobody's wish.
            return None
    if code != _TAKEN:
        return None
    address = urlsplit(str(told["uri"][1]))
    # Only a file of this computer is opened, whatever the answer names.
    if address.scheme != "file" or address.netloc not in {"", "localhost"}:
        raise NoPortalError
    return Path(unquote(address.path))
