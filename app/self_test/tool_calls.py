"""The two calls of a tool that the self-test answers: one with Allow, one with Deny."""

from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from app.chat.items import CallState
from app.self_test.checks import CheckFailed
from app.self_test.hands import find, type_into, until
from app.self_test.pictures import Pictures
from app.self_test.visitor import Visitor
from app.viewmodels.marked_words import marked_words

translate = QCoreApplication.translate

_NOTE: Final = "# Changes\n\nfixed bug in the csv thing\nmade export faster (3x)\n"
_ASK_FOR_TIME: Final = "/tool current_time"


class ToolCalls(Protocol):
    """Two calls in the chat that is open; a step that goes wrong raises `CheckFailed`."""

    @property
    def denied_name(self) -> str:
        """What holds when the denied call ends well."""

    async def allow(self) -> str:
        """Has one asked for, allows it, and reads what it said in the reply."""

    async def deny(self) -> str:
        """Has one asked for, denies it, and looks whether it ran all the same."""


class FileCalls:
    """Reads a file of a folder that is made for it, and would write it. Made by a `Walk`."""

    def __init__(self, visitor: Visitor, pictures: Pictures, folder: Path) -> None:
        self._visitor = visitor
        self._pictures = pictures
        self._folder = folder

    @property
    def denied_name(self) -> str:
        """What holds when the denied call ends well."""
        return translate("SelfTest", "A tool asks, is denied, and the file stays as it was")

    async def allow(self) -> str:
        """Chooses the folder, and has the file read."""
        visitor, chat = self._visitor, self._visitor.program.chat
        self._folder.mkdir()
        self._file.write_text(_NOTE, encoding="utf-8")
        chat.choose_folder(self._folder)
        words = translate("SelfTest", "the folder is chosen")
        await visitor.sees(lambda: bool(chat.state.folder), words)
        await _allow(visitor, "read CHANGES.md")
        if "made export faster" not in visitor.reply:
            words = translate("SelfTest", "the reply does not say what the file says")
            raise CheckFailed(words)
        return ""

    async def deny(self) -> str:
        """Has the file written, which is denied."""
        asked = "write CHANGES.md: # Changes\n\n## Faster export\nIt takes a third."
        await _deny(self._visitor, self._pictures, asked)
        if self._file.read_text(encoding="utf-8") != _NOTE:
            words = translate("SelfTest", "the file was written although it was denied")
            raise CheckFailed(words)
        return ""

    @property
    def _file(self) -> Path:
        return self._folder / "CHANGES.md"


class ClockCalls:
    """Looks at the clock, where no tool with a folder runs. Made by a `Walk`.

    `reason` says why none does, in the words of the tools.
    """

    def __init__(self, visitor: Visitor, pictures: Pictures, reason: str) -> None:
        self._visitor = visitor
        self._pictures = pictures
        self._reason = reason

    @property
    def denied_name(self) -> str:
        """What holds when the denied call ends well."""
        return translate("SelfTest", "A tool asks, is denied, and does not run")

    async def allow(self) -> str:
        """Asks for the time; what the tool said has to be in the reply."""
        visitor = self._visitor
        await _allow(visitor, _ASK_FOR_TIME)
        time = visitor.last_call.output_text.partition(" ")[0]
        if not time or time not in visitor.reply:
            raise CheckFailed(translate("SelfTest", "the reply does not say what the clock says"))
        return marked_words("Tools", self._reason)

    async def deny(self) -> str:
        """Asks for the time again, which is denied; a call that ran would have taken some time."""
        await _deny(self._visitor, self._pictures, _ASK_FOR_TIME)
        if self._visitor.last_call.duration_ms is not None:
            raise CheckFailed(translate("SelfTest", "the tool ran although it was denied"))
        return marked_words("Tools", self._reason)


async def _allow(visitor: Visitor, text: str) -> None:
    await visitor.say(text)
    await visitor.answer(translate("CardAnswers", "Allow once"))
    await visitor.until_idle()
    visitor.expect_call(CallState.DONE)


async def _deny(visitor: Visitor, pictures: Pictures, text: str) -> None:
    await visitor.say(text)
    arming = await visitor.card()
    words = translate("SelfTest", "the card stands still")
    await until(lambda: arming.is_armed, [arming.changed], words)
    await pictures.take("approval")
    await visitor.answer(translate("CardAnswers", "Deny…"))
    reason = translate("CardAnswers", "Reason for denying")
    type_into(find(visitor.window, QWidget, reason), "not now")
    await visitor.answer(translate("CardAnswers", "Deny"))
    await visitor.until_idle()
    visitor.expect_call(CallState.DENIED)
