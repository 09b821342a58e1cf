"""A session bus of its own, and a program on it that shows notices to nobody.

The bus starts nothing by itself, so that no desktop is told of what tests do.
"""

import asyncio
import itertools
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import DBusConnection, DBusRouter, open_dbus_connection

_NAME: Final = "org.freedesktop.Notifications"
_ADDRESS: Final = DBusAddress("/org/freedesktop/Notifications", _NAME, _NAME)
_TIMEOUT_S: Final = 20.0
_SETTINGS: Final = """<busconfig>
<type>session</type>
<listen>unix:dir={folder}</listen>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>"""


@contextmanager
def session_bus(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["subprocess.Popen[str]"]:
    """Run a bus, which programs find as they find that of a desktop."""
    program = shutil.which("dbus-daemon")
    if program is None:
        pytest.skip("dbus-daemon is not installed")
    settings = folder / "bus.conf"
    settings.write_text(_SETTINGS.format(folder=folder), encoding="utf-8")
    with subprocess.Popen(
        [program, f"--config-file={settings}", "--nofork", "--print-address=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", process.stdout.readline().strip())
            yield process
        finally:
            process.terminate()
            process.wait(_TIMEOUT_S)


@dataclass(frozen=True)
class Shown:
    """A notice as a program asked for it."""

    heading: str
    body: str
    actions: list[str]
    hints: dict[str, Any]
    replaced: int


@dataclass
class NoticeDaemon:
    """Shows notices, as far as anybody can tell; `asked` has all that ever were."""

    connection: DBusConnection
    abilities: list[str]
    shown: dict[int, Shown] = field(default_factory=dict)
    asked: list[Shown] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(7))

    @property
    def only(self) -> Shown:
        """The one notice that is shown."""
        [shown] = self.shown.values()
        return shown

    async def sees(self, is_so: Callable[[], bool]) -> None:
        """Wait until what is shown is so."""
        async with asyncio.timeout(_TIMEOUT_S):
            while not is_so():
                self._changed.clear()
                await self._changed.wait()

    async def click(self, number: int = 0, token: str = "") -> None:
        """Click on a notice, by default the only one."""
        number = number or next(iter(self.shown))
        if token:
            await self._tell("ActivationToken", "us", number, token)
        await self._tell("ActionInvoked", "us", number, "default")

    async def dismiss(self) -> None:
        """Take the only notice away, as people do."""
        number, _ = self.shown.popitem()
        await self._tell("NotificationClosed", "uu", number, 2)

    async def talk_nonsense(self) -> None:
        """Send what no program that keeps to the rules would."""
        await self._tell("ActionInvoked", "")
        await self._tell("ActionInvoked", "as", ["7"])
        await self._tell("ActivationToken", "u", next(iter(self.shown)))

    async def serve(self) -> None:
        """Answer until it is cancelled."""
        while True:
            message = await self.connection.receive()
            if message.header.message_type is MessageType.method_call:
                await self.connection.send(self._answer(message))
                self._changed.set()

    def _answer(self, message: Message) -> Message:
        method, body = message.header.fields[HeaderFields.member], message.body
        if method == "GetCapabilities":
            return new_method_return(message, "as", (self.abilities,))
        if method == "GetServerInformation":
            return new_method_return(message, "ssss", ("test", "Parley", "1", "1.2"))
        if method == "CloseNotification":
            if self.shown.pop(body[0], None) is None:
                return new_error(message, f"{_NAME}.Unknown")
            return new_method_return(message)
        assert method == "Notify"
        return new_method_return(message, "u", (self._show(*body),))

    def _show(
        self,
        _app: str,
        replaced: int,
        _icon: str,
        heading: str,
        body: str,
        actions: list[str],
        hints: dict[str, Any],
        _limit_ms: int,
    ) -> int:
        number = replaced or next(self._numbers)
        self.shown[number] = Shown(heading, body, actions, hints, replaced)
        self.asked.append(self.shown[number])
        return number

    async def _tell(self, name: str, signature: str, *values: object) -> None:
        await self.connection.send(new_signal(_ADDRESS, name, signature or None, values))


@asynccontextmanager
async def notice_daemon(*abilities: str) -> AsyncIterator[NoticeDaemon]:
    """Run a daemon on the bus of the test until the end of the block."""
    connection = await open_dbus_connection("SESSION")
    async with DBusRouter(connection) as router:
        await router.send_and_get_reply(message_bus.RequestName(_NAME))
    daemon = NoticeDaemon(connection, list(abilities) or ["actions", "body", "body-markup"])
    serving = asyncio.create_task(daemon.serve(), name="notice daemon")
    try:
        yield daemon
    finally:
        serving.cancel()
        await asyncio.wait([serving])
        await connection.close()
