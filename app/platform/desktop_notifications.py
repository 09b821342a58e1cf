"""Desktop notifications over the session's D-Bus (Linux): at most one for each subject.

The interface is org.freedesktop.Notifications 1.2. Without a bus, a notification daemon or an
answer nothing is shown and nothing is reported: no chat depends on a notification.
"""

import asyncio
import html
import importlib
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from app.tasks import TaskOwner

log = logging.getLogger(__name__)

OnChosen = Callable[[str, str], None]

_NAME: Final = "org.freedesktop.Notifications"
_PATH: Final = "/org/freedesktop/Notifications"
_BUS: Final = "org.freedesktop.DBus"
_TIMEOUT_S: Final = 5.0
_LEAVING_S: Final = 1.0
_RULE: Final = f"type='signal',sender='{_NAME}',interface='{_NAME}'"
# What jeepney raises: no address, an invalid one, nobody there, or no D-Bus behind it.
_NO_BUS: Final = (OSError, LookupError, ValueError, RuntimeError, EOFError)
_NORMAL: Final = 1
_AS_THE_SYSTEM_LIKES_MS: Final = -1


@dataclass(frozen=True, slots=True)
class DesktopNotification:
    """What a notice says: a heading of our own, lines below it, and what a click on it does."""

    heading: str
    body: str
    action: str


class _UnreachableError(Exception):
    """Nobody there shows notices, or nobody answers."""


class DesktopNotifications:
    """Shows notices on the desktop and takes them back.

    Connects at the first need, and again when the connection was lost. `aclose` takes back every
    notice that is left: nobody would answer a click.
    """

    def __init__(self) -> None:
        self._tasks = TaskOwner(_log_failure)
        self._on_chosen: OnChosen = _ignore
        self._wanted: dict[str, DesktopNotification | None] = {}
        self._told: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._worker: asyncio.Task[None] | None = None
        self._talk: _Talk | None = None
        self._token = ""
        self._opening = asyncio.Lock()

    def follow(self, on_chosen: OnChosen) -> None:
        """Tell of clicks: by the subject, and what allows a window to come forward."""
        self._on_chosen = on_chosen

    def show(self, subject: str, note: DesktopNotification) -> None:
        """Show a notice, in place of the one about the same subject."""
        self._told.add(subject)
        self._want(subject, note)

    def withdraw(self, subject: str) -> None:
        """Take the notice about this subject away, if there is one."""
        if subject in self._told:
            self._told.discard(subject)
            self._want(subject, None)

    async def look(self) -> bool:
        """Tell whether notices can be shown here."""
        try:
            await (await self._open()).call("GetServerInformation")
        except _UnreachableError:
            return False
        return True

    async def aclose(self) -> None:
        """Take back what is shown, and leave the bus."""
        for subject in tuple(self._told):
            self.withdraw(subject)
        if self._worker:
            await asyncio.wait([self._worker], timeout=_LEAVING_S)
        await self._tasks.aclose()
        if self._talk:
            await self._talk.aclose()

    def _want(self, subject: str, note: DesktopNotification | None) -> None:
        self._wanted[subject] = note
        if self._worker is None or self._worker.done():
            self._worker = self._tasks.start(self._work(), name="show notices")

    async def _work(self) -> None:
        """Do one thing after the other, so that a notice never overtakes its end."""
        while self._wanted:
            subject = next(iter(self._wanted))
            note = self._wanted.pop(subject)
            try:
                await self._do(subject, note)
            except _UnreachableError:
                self._wanted.clear()

    async def _do(self, subject: str, note: DesktopNotification | None) -> None:
        if note is None:
            if number := self._numbers.pop(subject, 0):
                await (await self._open()).call("CloseNotification", "u", number)
            return
        talk = await self._open()
        # The body may hold text of the assistant, which must not become markup.
        body = html.escape(note.body, quote=False) if talk.reads_markup else note.body
        actions = ["default", note.action]
        hints = {"urgency": ("y", _NORMAL), "desktop-entry": ("s", "parley")}
        before = self._numbers.get(subject, 0)
        words = (note.heading, body, actions, hints, _AS_THE_SYSTEM_LIKES_MS)
        answer = await talk.call("Notify", "susssasa{sv}i", "Parley", before, "parley", *words)
        if answer and isinstance(answer[0], int):
            self._numbers[subject] = answer[0]

    async def _open(self) -> "_Talk":
        async with self._opening:
            if self._talk is None or self._talk.is_over:
                before, self._talk = self._talk, None
                # Numbers of the daemon that is gone: another may give them to other programs.
                self._numbers.clear()
                if before:
                    await before.aclose()
                self._talk = await _Talk.begin(self._tasks, self._on_signal)
            return self._talk

    def _on_signal(self, name: str, body: tuple[Any, ...]) -> None:
        number, said = (*body, None, None)[:2]
        # The daemon signals what happens to the notifications of every program.
        subject = next((ours for ours, of in self._numbers.items() if of == number), None)
        if subject is None:
            return
        if name == "ActivationToken":
            # Signalled just before the click; lets the window come forward under Wayland.
            self._token = str(said)
        elif name == "ActionInvoked":
            token, self._token = self._token, ""
            self._on_chosen(subject, token)
        elif name == "NotificationClosed":
            del self._numbers[subject]


class _Talk:
    """A connection to the bus: calls with their answers, and the signals in between."""

    def __init__(self, connection: Any, on_signal: Callable[[str, tuple[Any, ...]], None]) -> None:
        self._connection = connection
        self._on_signal = on_signal
        self._answers: dict[int, asyncio.Future[tuple[Any, ...]]] = {}
        self.is_over = False
        self.reads_markup = True

    @classmethod
    async def begin(
        cls, tasks: TaskOwner, on_signal: Callable[[str, tuple[Any, ...]], None]
    ) -> "_Talk":
        """Connect, and ask what the program that shows notices can do.

        Raises:
            _UnreachableError: there is no bus, or nobody on it shows notices.
        """
        # Imported when it is needed: most starts show no notice.
        bus = importlib.import_module("jeepney.io.asyncio")
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                connection = await bus.open_dbus_connection()
        except (*_NO_BUS, bus.RouterClosed) as error:
            raise _UnreachableError from error
        talk = cls(connection, on_signal)
        tasks.start(talk.listen(), name="listen to notices")
        try:
            await talk.call("AddMatch", "s", _RULE, to=_BUS, path="/org/freedesktop/DBus")
            [abilities] = await talk.call("GetCapabilities")
        except (_UnreachableError, ValueError) as error:
            await talk.aclose()
            raise _UnreachableError from error
        talk.reads_markup = "body-markup" in abilities
        return talk

    async def call(
        self, method: str, signature: str = "", *values: object, to: str = _NAME, path: str = _PATH
    ) -> tuple[Any, ...]:
        """Return what the method answers.

        Raises:
            _UnreachableError: it answers nothing, or an error.
        """
        if self.is_over:
            raise _UnreachableError
        wire = importlib.import_module("jeepney")
        address = wire.DBusAddress(path, to, to)
        message = wire.new_method_call(address, method, signature or None, values)
        serial = next(self._connection.outgoing_serial)
        answer: asyncio.Future[tuple[Any, ...]] = asyncio.get_running_loop().create_future()
        self._answers[serial] = answer
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await self._connection.send(message, serial=serial)
                return await answer
        except OSError as error:
            raise _UnreachableError from error
        finally:
            del self._answers[serial]

    async def listen(self) -> None:
        """Take what comes until the connection ends."""
        wire = importlib.import_module("jeepney")
        try:
            while True:
                self._take(await self._connection.receive(), wire)
                # Let the waiting task run before the next message, which may be a click.
                await asyncio.sleep(0)
        except (OSError, EOFError, ValueError):
            pass
        finally:
            self.is_over = True
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(_UnreachableError())

    async def aclose(self) -> None:
        """Leave the bus."""
        self.is_over = True
        with suppress(OSError):
            await self._connection.close()

    def _take(self, message: Any, wire: Any) -> None:
        kind, fields = message.header.message_type, message.header.fields
        answer = self._answers.get(fields.get(wire.HeaderFields.reply_serial, 0))
        if kind is wire.MessageType.signal:
            self._on_signal(fields.get(wire.HeaderFields.member, ""), message.body)
        elif answer is None or answer.done():
            return
        elif kind is wire.MessageType.error:
            answer.set_exception(_UnreachableError())
        else:
            answer.set_result(message.body)


def _log_failure(name: str, error: BaseException) -> None:
    log.error("Unexpected failure in %s", name, exc_info=error)


def _ignore(_subject: str, _token: str) -> None:
    """Do nothing, until somebody wants to know of clicks."""
