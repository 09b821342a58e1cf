"""A screenshot by the desktop's portal, which a program of the test stands for."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import open_dbus_connection

from app.platform.screenshots import NoPortalError, screenshot_by_portal
from tests.support.notification_daemon import session_bus

pytestmark = pytest.mark.anyio

_NAME = "org.freedesktop.portal.Desktop"
_REQUEST = "org.freedesktop.portal.Request"


@pytest.fixture(autouse=True)
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with session_bus(tmp_path, monkeypatch):
        yield


async def _portal(answer: Callable[[], tuple[int, dict[str, Any]] | None]) -> asyncio.Task[None]:
    """Answer the next call, as the portal does: with a request, and then its signal."""
    connection = await open_dbus_connection()
    await connection.send(message_bus.RequestName(_NAME), serial=next(connection.outgoing_serial))

    async def serve() -> None:
        try:
            while True:
                call: Message = await connection.receive()
                fields = call.header.fields
                if call.header.message_type is not MessageType.method_call:
                    continue
                assert fields[HeaderFields.member] == "Screenshot"
                token = call.body[1]["handle_token"][1]
                sender = fields[HeaderFields.sender].removeprefix(":").replace(".", "_")
                path = f"/org/freedesktop/portal/desktop/request/{sender}/{token}"
                await connection.send(new_method_return(call, "o", (path,)))
                place = DBusAddress(path, interface=_REQUEST)
                if (chosen := answer()) is not None:
                    await connection.send(new_signal(place, "Response", "ua{sv}", chosen))
        finally:
            await connection.close()

    return asyncio.create_task(serve())


async def _asked(code: int, told: dict[str, Any]) -> Path | None:
    portal = await _portal(lambda: (code, told))
    try:
        return await screenshot_by_portal()
    finally:
        portal.cancel()
        with suppress(asyncio.CancelledError):
            await portal


async def test_the_portal_says_where_the_screenshot_is() -> None:
    told = {"uri": ("s", "file:///home/u/Pictures/Screen%20shot.png")}
    assert await _asked(0, told) == Path("/home/u/Pictures/Screen shot.png")


async def test_cancelled_screenshot_returns_none() -> None:
    assert await _asked(1, {}) is None


async def test_an_address_elsewhere_is_no_screenshot() -> None:
    with pytest.raises(NoPortalError):
        await _asked(0, {"uri": ("s", "https://elsewhere/shot.png")})


async def test_without_a_portal_the_window_system_is_asked() -> None:
    with pytest.raises(NoPortalError):
        await screenshot_by_portal()


async def test_screenshot_without_a_choice_in_time_returns_none() -> None:
    portal = await _portal(lambda: None)
    try:
        assert await screenshot_by_portal(choice_s=0.05) is None
    finally:
        portal.cancel()
        with suppress(asyncio.CancelledError):
            await portal
