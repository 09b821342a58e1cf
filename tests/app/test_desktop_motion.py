"""Motion of the desktop: what its portal for settings says, and what holds without one."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from jeepney import MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import open_dbus_connection

from app.platform.desktop_motion import wants_motion
from tests.support.notification_daemon import session_bus

pytestmark = pytest.mark.anyio

_GNOME = "org.gnome.desktop.interface", "enable-animations"
_ALL = "org.freedesktop.appearance", "reduced-motion"
_KDE = "org.kde.kdeglobals.KDE", "AnimationDurationFactor"

Value = tuple[str, object]


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    with session_bus(tmp_path, monkeypatch) as process:
        yield process


@asynccontextmanager
async def _portal(values: Mapping[tuple[str, str], Value]) -> AsyncIterator[None]:
    """Answer as the portal does: a variant in a variant, or an error for what is not set."""
    connection = await open_dbus_connection()

    async def serve() -> None:
        while True:
            message = await connection.receive()
            if message.header.message_type is not MessageType.method_call:
                continue
            value = values.get(message.body)
            if value is None:
                answer = new_error(message, "org.freedesktop.portal.Error.NotFound")
            else:
                answer = new_method_return(message, "v", (("v", value),))
            await connection.send(answer)

    await connection.send(message_bus.RequestName("org.freedesktop.portal.Desktop"), serial=99)
    serving = asyncio.create_task(serve())
    try:
        yield
    finally:
        serving.cancel()
        await asyncio.wait([serving])
        await connection.close()


@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, True),
        ({_ALL: ("u", 0), _GNOME: ("b", True)}, True),
        ({_ALL: ("u", 1)}, False),
        ({_GNOME: ("b", False)}, False),
        ({_KDE: ("s", "0")}, False),
    ],
)
async def test_desktop_says_whether_things_move(
    values: Mapping[tuple[str, str], Value], expected: bool
) -> None:
    async with _portal(values):
        assert await wants_motion() is expected


async def test_things_move_where_no_desktop_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")

    assert await wants_motion()
