"""Check that nothing is lost when the service dies or the program is closed during a reply."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import psutil
from PySide6.QtCore import QCoreApplication

from app.chat.items import Notice
from app.self_test.app_under_test import AppUnderTest
from app.self_test.report import Check, CheckFailed
from app.self_test.scripted_user import MUCH_TO_SAY, ScriptedUser
from app.self_test.ui_driver import until
from app.viewmodels.states import Dot

translate = QCoreApplication.translate

_ENOUGH_CHARS: Final = 20
# A reply does not wait for a slow window: it may be over before the check can act.
_TRIES: Final = 3
_END_S: Final = 5.0


class CrashRecovery:
    """Ends what runs in the middle of a reply, and looks at what is there afterwards.

    Made by `run_self_test`, with the program that a `Scenario` has led to an open chat.
    """

    def __init__(self, program: AppUnderTest) -> None:
        self._own = program
        self._user = ScriptedUser(program)
        # What ran before was not started by the program under test.
        self._others = set(psutil.Process().children())

    def checks(self) -> Sequence[Check]:
        """Return the steps in order; each needs those before it, and the scenario."""
        return (
            Check(
                "restart",
                translate("SelfTest", "The service stops during a reply and restarts"),
                self._kill_service,
            ),
            Check(
                "reopen",
                translate("SelfTest", "Parley closes during a reply and restores it"),
                self._close_and_open,
            ),
        )

    async def end(self) -> str:
        """Close the program.

        Raises:
            CheckFailed: a process is left.
        """
        await self._own.close()
        begun = set(psutil.Process().children()) - self._others
        below = [process for child in begun for process in _with_its_own(child)]
        # Processes that were told to end may still be ending.
        with suppress(CheckFailed):
            await until(lambda: not any(map(_runs, below)), (), "", _END_S)
        if left := list(filter(_runs, below)):
            words = translate("SelfTest", "still running: {names}")
            raise CheckFailed(words.format(names=", ".join(_names(left))))
        return ""

    async def _kill_service(self) -> str:
        for _ in range(_TRIES):
            await self._until_in_mid_reply()
            killed = _service_process()
            killed.kill()
            await self._user.until_idle()
            await self._until_another_than(killed)
            rows = self._user.program.chat.transcript.rows
            if any(isinstance(item, Notice) for item in rows):
                return ""
        raise CheckFailed(translate("SelfTest", "a message says that the reply was cut off"))

    async def _until_another_than(self, killed: psutil.Process) -> None:
        connection = self._user.program.connection
        await until(
            lambda: connection.status.dot is Dot.GOOD and _is_replaced(killed),
            [connection.status_changed],
            translate("SelfTest", "the service is ready again"),
        )

    async def _close_and_open(self) -> str:
        user = self._user
        await self._until_in_mid_reply()
        chat, said = user.program.chat.conversation_id, user.said
        begun = user.streamed[:_ENOUGH_CHARS]
        await self._own.begin_again()
        await user.until_ready()
        user.program.chat.open(chat)
        words = translate("SelfTest", "the message and its reply are restored")
        await user.sees(lambda: user.said == said and user.reply.startswith(begun), words)
        await user.until_idle()
        return ""

    async def _until_in_mid_reply(self) -> None:
        user, words = self._user, translate("SelfTest", "the reply streams in")
        for _ in range(_TRIES):
            await user.say(MUCH_TO_SAY)
            await user.sees(lambda: self._is_in_mid_reply or not user.is_busy, words)
            if self._is_in_mid_reply:
                return
        raise CheckFailed(words)

    @property
    def _is_in_mid_reply(self) -> bool:
        return len(self._user.streamed) > _ENOUGH_CHARS


def _with_its_own(process: psutil.Process) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _runs(process: psutil.Process) -> bool:
    try:
        # A zombie has ended; only its exit status was not fetched yet.
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _names(processes: list[psutil.Process]) -> Iterator[str]:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            yield process.name()


def _service_process() -> psutil.Process:
    for process in _service_processes():
        return process
    raise CheckFailed(translate("SelfTest", "the local service is not running"))


def _is_replaced(killed: psutil.Process) -> bool:
    """Tell a service that came back from one whose end was not noticed yet."""
    return any(process != killed for process in _service_processes())


def _service_processes() -> Iterator[psutil.Process]:
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            # The workers of tools are children, too.
            if "--child" in process.cmdline():
                yield process
