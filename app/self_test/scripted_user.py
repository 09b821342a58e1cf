"""The scripted user of the self-test: sends messages, answers cards, waits for what follows."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, SignalInstance
from PySide6.QtWidgets import QPlainTextEdit

from app.chat.items import CallState, ReplyPart, ToolCall, UserMessage
from app.composition import Composition
from app.self_test.app_under_test import AppUnderTest
from app.self_test.report import CheckFailed
from app.self_test.ui_driver import answer, arming_of, find, press_enter, type_into, until
from app.ui.approval.answer_button import InteractionDelay
from app.ui.main_window import MainWindow
from app.viewmodels.states import Dot

translate = QCoreApplication.translate

# The demo answers it at length.
MUCH_TO_SAY: Final = "Show me some markdown"
_REPLY_TIMEOUT_S: Final = 15.0


class ScriptedUser:
    """Does what a person does, by clicks and keys, in the program as it is now."""

    def __init__(self, program: AppUnderTest) -> None:
        self._program = program

    @property
    def program(self) -> Composition:
        """What is behind the window now."""
        return self._program.now

    @property
    def window(self) -> MainWindow:
        """The window now."""
        return self.program.window

    async def say(self, text: str) -> None:
        """Type a message, press Enter, and wait until it is on its way."""
        box = find(self.window, QPlainTextEdit, translate("Composer", "Message"))
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        type_into(box, text)
        press_enter(box)
        await self.sees(
            lambda: self.is_busy,
            translate("SelfTest", "the message is being sent"),
        )

    async def card(self) -> InteractionDelay:
        """Wait for an approval card."""
        approval = self.program.approval
        words = translate("SelfTest", "an approval card appears")
        await until(lambda: bool(approval.cards), [approval.cards_changed], words)
        return arming_of(self.window)

    async def answer(self, button: str) -> None:
        """Click this answer of the card, as soon as it counts."""
        await self.card()
        await answer(self.window, button)

    async def until_idle(self) -> None:
        """Wait for the end of the reply."""
        await self.sees(lambda: not self.is_busy, translate("SelfTest", "the reply ends"))

    async def until_ready(self) -> None:
        """Wait until the service answers."""
        connection = self.program.connection
        await until(
            lambda: connection.status.dot is Dot.GOOD,
            [connection.status_changed],
            translate("SelfTest", "the service is ready"),
        )

    async def sees(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait until a condition on the chat is true; `what` names it.

        Raises:
            CheckFailed: it was not true in time.
        """
        chat = self.program.chat
        signals: list[SignalInstance] = [
            chat.transcript.rowsInserted,
            chat.transcript.dataChanged,
            chat.transcript.modelReset,
            chat.state_changed,
        ]
        await until(is_so, signals, what, _REPLY_TIMEOUT_S)

    @property
    def is_busy(self) -> bool:
        """Whether a reply is under way."""
        return self.program.chat.state.is_busy

    @property
    def reply(self) -> str:
        """The last reply, or the last part of it."""
        rows = self.program.chat.transcript.rows
        parts = [item.text for item in rows if isinstance(item, ReplyPart)]
        return parts[-1] if parts else ""

    @property
    def said(self) -> list[str]:
        """What was said in this chat, in order."""
        rows = self.program.chat.transcript.rows
        return [item.text for item in rows if isinstance(item, UserMessage)]

    @property
    def streamed(self) -> str:
        """What has come of the reply that is under way."""
        rows = self.program.chat.transcript.rows
        last = rows[-1] if rows else None
        return last.text if isinstance(last, ReplyPart) and last.is_streaming else ""

    @property
    def last_call(self) -> ToolCall:
        """The last call of a tool.

        Raises:
            CheckFailed: there was none.
        """
        rows = self.program.chat.transcript.rows
        calls = [item for item in rows if isinstance(item, ToolCall)]
        if not calls:
            raise CheckFailed(translate("SelfTest", "no tool was called"))
        return calls[-1]

    def expect_call(self, state: CallState) -> None:
        """Make sure that the last call of a tool ended so.

        Raises:
            CheckFailed: it did not, or there was none.
        """
        found = self.last_call.state
        if found is not state:
            words = translate("SelfTest", "the call should be {wanted} but is {found}")
            raise CheckFailed(words.format(wanted=state.value, found=found.value))
