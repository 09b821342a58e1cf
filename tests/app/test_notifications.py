"""Notices over a real D-Bus, in the program's own loop, to a program that shows them."""

import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.platform.desktop_notifications import DesktopNotification, DesktopNotifications
from tests.support.notification_daemon import NoticeDaemon, notice_daemon, session_bus
from tests.support.plugins import LoopBackend

pytestmark = pytest.mark.anyio

_NOTE = DesktopNotification("Reply finished", "Plans", "Show chat")


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop."""
    return qt_loop


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[str]"]:
    with session_bus(tmp_path, monkeypatch) as process:
        yield process


@asynccontextmanager
async def _notifications() -> AsyncIterator[DesktopNotifications]:
    notifications = DesktopNotifications()
    try:
        yield notifications
    finally:
        await notifications.aclose()


@asynccontextmanager
async def _showing(*abilities: str) -> AsyncIterator[tuple[DesktopNotifications, NoticeDaemon]]:
    """Yield a daemon, and what it shows one notice of."""
    async with notice_daemon(*abilities) as daemon, _notifications() as notifications:
        notifications.show("one", _NOTE)
        await daemon.sees(lambda: bool(daemon.shown))
        yield notifications, daemon


@pytest.mark.usefixtures("bus")
async def test_notice_of_the_same_chat_takes_the_place_of_the_first() -> None:
    async with _showing() as (notifications, daemon):
        [first] = daemon.shown
        notifications.show("one", DesktopNotification("A question waits", "Plans", "Show"))
        notifications.show("two", _NOTE)
        await daemon.sees(lambda: len(daemon.asked) == 3)

        assert [shown.replaced for shown in daemon.asked] == [0, first, 0]
        assert len(daemon.shown) == 2


@pytest.mark.usefixtures("bus")
async def test_withdrawn_notice_is_closed_even_if_it_is_still_on_its_way() -> None:
    async with _showing() as (notifications, daemon):
        notifications.show("two", _NOTE)
        notifications.withdraw("two")
        notifications.withdraw("one")
        await daemon.sees(lambda: not daemon.shown)

        notifications.show("three", _NOTE)
        await daemon.sees(lambda: bool(daemon.shown))
        assert len(daemon.shown) == 1


@pytest.mark.usefixtures("bus")
async def test_click_tells_which_chat_and_hands_on_what_lets_a_window_come_forward() -> None:
    async with _showing() as (notifications, daemon):
        clicks = list[tuple[str, str]]()
        notifications.follow(lambda subject, token: clicks.append((subject, token)))
        [ours] = daemon.shown

        await daemon.talk_nonsense()
        await daemon.click(ours + 100)
        await daemon.click(token="token-1")
        await notifications.look()

        assert clicks == [("one", "token-1")]


@pytest.mark.usefixtures("bus")
@pytest.mark.security(21)
async def test_notification_has_one_action_that_only_shows_the_chat() -> None:
    async with _showing() as (_, daemon):
        assert daemon.only.actions == ["default", "Show chat"]


@pytest.mark.usefixtures("bus")
@pytest.mark.security(5)
@pytest.mark.parametrize(
    ("abilities", "body"),
    [
        (("body", "body-markup"), "&lt;img src=file:///etc/passwd&gt; &amp; more"),
        (("body",), "<img src=file:///etc/passwd> & more"),
    ],
)
async def test_markup_in_a_notice_is_shown_as_it_is_written(
    abilities: tuple[str, ...], body: str
) -> None:
    async with notice_daemon(*abilities) as daemon, _notifications() as notifications:
        notifications.show(
            "one", DesktopNotification("A reply", "<img src=file:///etc/passwd> & more", "Show")
        )
        await daemon.sees(lambda: bool(daemon.shown))

        assert daemon.only.body == body


@pytest.mark.usefixtures("bus")
async def test_notice_that_was_dismissed_is_not_closed_again_and_can_come_back() -> None:
    async with _showing() as (notifications, daemon):
        await daemon.dismiss()
        await notifications.look()

        notifications.show("one", _NOTE)
        await daemon.sees(lambda: len(daemon.asked) == 2)

        assert daemon.asked[1].replaced == 0


@pytest.mark.usefixtures("bus")
async def test_nothing_is_left_on_the_desktop_when_the_program_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As far as there is time for it; here there is.
    monkeypatch.setattr("app.platform.desktop_notifications._LEAVING_S", 20.0)
    async with notice_daemon() as daemon:
        async with _notifications() as notifications:
            notifications.show("one", _NOTE)
            await daemon.sees(lambda: bool(daemon.shown))

        assert daemon.shown == {}


@pytest.mark.usefixtures("bus")
async def test_bus_on_which_nobody_shows_notices_makes_silence_until_somebody_does() -> None:
    async with _notifications() as notifications:
        notifications.show("one", _NOTE)
        assert not await notifications.look()

        async with notice_daemon() as daemon:
            assert await notifications.look()
            notifications.show("two", _NOTE)
            await daemon.sees(lambda: bool(daemon.shown))


@pytest.mark.parametrize("address", [None, "", "unix:path=/nowhere/bus", "tcp:host=x", "junk"])
async def test_desktop_without_a_bus_makes_silence(
    address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if address is None:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    else:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    async with _notifications() as notifications:
        notifications.show("one", _NOTE)
        notifications.withdraw("one")

        assert not await notifications.look()


async def test_bus_that_goes_away_makes_silence(bus: "subprocess.Popen[str]") -> None:
    notifications = DesktopNotifications()
    assert not await notifications.look()
    bus.terminate()
    bus.wait(20)

    notifications.show("one", _NOTE)
    assert not await notifications.look()
    await notifications.aclose()
