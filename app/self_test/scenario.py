"""The scenario of the self-test: the actions of a user's first day, step by step.

`Scenario` performs them. `FileCalls` and `ClockCalls` are the tool calls that it answers with Allow
and Deny.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QCoreApplication, QItemSelectionModel
from PySide6.QtWidgets import QAbstractButton, QListView, QPlainTextEdit, QWidget

from app.chat.items import CallState
from app.self_test.app_under_test import AppUnderTest
from app.self_test.picture_tour import PictureTour, Screenshots
from app.self_test.report import Check, CheckFailed, NotAvailable
from app.self_test.scripted_user import MUCH_TO_SAY, ScriptedUser
from app.self_test.ui_driver import click, find, look_for, press_delete, type_into, until
from app.viewmodels.i18n import translate_marked
from app.viewmodels.rows import ROW_ROLE

# With pictures a step takes longer: each page is drawn whole, in two themes.
_LIMIT_S: Final = 40.0
_PICTURES_LIMIT_S: Final = 300.0

translate = QCoreApplication.translate

_NOTE: Final = "# Shopping\n\nbread\nsomething for the weekend\n"
_READ_NOTE: Final = "Read shopping.md"
_WRITE_NOTE: Final = "Write shopping.md: # Shopping\n\nbread\ncoffee\nolives"
_ASK_FOR_TIME: Final = "/tool current_time"


class ToolCalls(Protocol):
    """The calls in the chat that is open; a step that goes wrong raises `CheckFailed`."""

    @property
    def denied_name(self) -> str:
        """What holds when the denied call ends well."""

    async def ask(self, note: str = "") -> None:
        """Make the assistant ask for a call, and leave its card unanswered.

        A file that it reads says `note`, if one is given.
        """

    async def allow(self) -> str:
        """Make it ask for a call, allow that, and find the result in the reply."""

    async def deny(self) -> str:
        """Make it ask for a call, deny that, and check that it did not run."""

    async def undo(self) -> str:
        """Allow a call that changes something, then undo it.

        Raises:
            NotAvailable: No tool here changes anything that can be undone.
        """


class FileCalls:
    """Reads a file of a folder that is made for it, and writes it. Made by a `Scenario`."""

    def __init__(self, user: ScriptedUser, pictures: Screenshots, folder: Path) -> None:
        self._user = user
        self._pictures = pictures
        self._folder = folder

    @property
    def denied_name(self) -> str:
        """What holds when the denied call ends well."""
        return translate("SelfTest", "A tool asks, is denied, and the file stays as it was")

    async def ask(self, note: str = "") -> None:
        """Choose the folder, and have the file read."""
        user, chat = self._user, self._user.program.chat
        self._folder.mkdir(exist_ok=True)
        self._file.write_text(note or _NOTE, encoding="utf-8")
        chat.chosen.choose_folder(self._folder)
        words = translate("SelfTest", "the folder is chosen")
        await user.sees(lambda: bool(chat.state.folder), words)
        await user.say(_READ_NOTE)

    async def allow(self) -> str:
        """Choose the folder, and have the file read."""
        user = self._user
        await self.ask()
        await _allow(user)
        if "something for the weekend" not in user.reply:
            words = translate("SelfTest", "the reply does not contain the text of the file")
            raise CheckFailed(words)
        await self._pictures.take("question")
        return ""

    async def deny(self) -> str:
        """Have the file written, which is denied."""
        await _deny(self._user, self._pictures, _WRITE_NOTE)
        if self._file.read_text(encoding="utf-8") != _NOTE:
            words = translate("SelfTest", "the file was written although it was denied")
            raise CheckFailed(words)
        return ""

    async def undo(self) -> str:
        """Have the file written, and undo it on the page of activity."""
        user = self._user
        await user.say(_WRITE_NOTE)
        await _allow(user)
        if self._file.read_text(encoding="utf-8") == _NOTE:
            words = translate("SelfTest", "the file was not written although it was allowed")
            raise CheckFailed(words)
        await _open_last_call(user)
        await self._pictures.take("undo")
        click(find(user.window, QAbstractButton, translate("CallDetailsPage", "Undo")))
        words = translate("SelfTest", "the file is as it was before")
        # No signal tells of the file itself, and the file is what counts here.
        await until(lambda: self._file.read_text(encoding="utf-8") == _NOTE, [], words)
        user.window.commands["show-skills"].action.trigger()
        return ""

    @property
    def _file(self) -> Path:
        return self._folder / "shopping.md"


class ClockCalls:
    """Looks at the clock, where no tool with a folder runs. Made by a `Scenario`.

    `reason` says why none does, in the words of the tools.
    """

    def __init__(self, user: ScriptedUser, pictures: Screenshots, reason: str) -> None:
        self._user = user
        self._pictures = pictures
        self._reason = reason

    @property
    def denied_name(self) -> str:
        """What holds when the denied call ends well."""
        return translate("SelfTest", "A tool asks, is denied, and does not run")

    async def ask(self, note: str = "") -> None:
        """Ask for the time."""
        del note
        await self._user.say(_ASK_FOR_TIME)

    async def allow(self) -> str:
        """Ask for the time; what the tool said has to be in the reply."""
        user = self._user
        await self.ask()
        await _allow(user)
        time = user.last_call.output_text.partition(" ")[0]
        if not time or time not in user.reply:
            raise CheckFailed(translate("SelfTest", "the reply does not contain the time"))
        return translate_marked("Tools", self._reason)

    async def deny(self) -> str:
        """Ask for the time again, which is denied; a call that ran would have taken some time."""
        await _deny(self._user, self._pictures, _ASK_FOR_TIME)
        if self._user.last_call.duration_ms is not None:
            raise CheckFailed(translate("SelfTest", "the tool ran although it was denied"))
        return translate_marked("Tools", self._reason)

    async def undo(self) -> str:
        """Say why there is nothing to undo."""
        raise NotAvailable(translate_marked("Tools", self._reason))


async def _open_last_call(user: ScriptedUser) -> None:
    """Show the last call in the right panel, until its change can be undone."""
    window = user.window
    window.commands["show-activity"].action.trigger()
    name = translate("ActivityPage", "Calls")

    def is_listed() -> bool:
        calls = look_for(window, QListView, name)
        first = calls.model().index(0, 0) if calls else None
        return first is not None and first.data(ROW_ROLE).state is CallState.DONE

    await until(is_listed, [], translate("SelfTest", "the call is listed"))
    calls = find(window, QListView, name)
    click(calls.viewport(), calls.visualRect(calls.model().index(0, 0)).center())
    undo = translate("CallDetailsPage", "Undo")
    words = translate("SelfTest", "“{name}” can be clicked").format(name=undo)
    await until(lambda: look_for(window, QAbstractButton, undo) is not None, [], words)


async def _allow(user: ScriptedUser) -> None:
    await user.answer(translate("CardAnswers", "Allow once"))
    await user.until_idle()
    user.expect_call(CallState.DONE)


async def _deny(user: ScriptedUser, pictures: Screenshots, text: str) -> None:
    await user.say(text)
    arming = await user.card()
    words = translate("SelfTest", "the card can be answered")
    await until(lambda: arming.is_armed, [arming.changed], words)
    await pictures.take("approval")
    await user.answer(translate("CardAnswers", "Deny…"))
    reason = translate("CardAnswers", "Reason for denying")
    type_into(find(user.window, QWidget, reason), "not now")
    await user.answer(translate("CardAnswers", "Deny"))
    await user.until_idle()
    user.expect_call(CallState.DENIED)


class Scenario:
    """Does and looks; a step that does not find what it should raises `CheckFailed`.

    Made by `run_self_test`, which closes the program.
    """

    def __init__(
        self, program: AppUnderTest, notes: Path, pictures: Screenshots, no_folders: str = ""
    ) -> None:
        """Take what the scenario goes through.

        Args:
            program: It is shown first.
            notes: A folder for a tool, made in the scenario.
            pictures: Where the window is kept as it looks on the way.
            no_folders: Why no tool with a folder runs here, in the words of the tools; empty
                where they do. Then the tools of the scenario are others.
        """
        self._own = program
        self._user = ScriptedUser(program)
        self._pictures = pictures
        self._calls: ToolCalls = (
            ClockCalls(self._user, pictures, no_folders)
            if no_folders
            else FileCalls(self._user, pictures, notes)
        )

    def checks(self) -> Sequence[Check]:
        """Return the steps in order; each needs those before it."""
        return (
            Check(
                "window",
                translate("SelfTest", "The window opens and asks where to connect"),
                self._open,
            ),
            Check(
                "service",
                translate("SelfTest", "The local service starts and answers"),
                self._choose_offline,
            ),
            Check(
                "catalog", translate("SelfTest", "Agents and skills are listed"), self._see_catalog
            ),
            Check(
                "reply",
                translate("SelfTest", "A message is sent, and its reply arrives"),
                self._chat,
            ),
            Check(
                "allow",
                translate("SelfTest", "A tool asks, is allowed, and the reply continues"),
                self._calls.allow,
            ),
            Check("deny", self._calls.denied_name, self._calls.deny),
            Check("undo", translate("SelfTest", "What a tool changed is undone"), self._calls.undo),
            Check(
                "chats",
                translate("SelfTest", "A second chat begins, and both are listed"),
                self._begin_another,
            ),
            Check("delete", translate("SelfTest", "A chat is deleted"), self._delete),
            Check(
                "settings",
                translate("SelfTest", "The settings open, and lead back to the chat"),
                self._look_at_settings,
                limit_s=_PICTURES_LIMIT_S if self._pictures.are_kept else _LIMIT_S,
            ),
        )

    async def _open(self) -> str:
        await self._own.show()
        window, setup = self._user.window, self._user.program.setup
        find(window, QAbstractButton, translate("FirstRun", "Look around first"))
        await until(
            lambda: not setup.first_run.is_looking,
            [setup.first_run_changed],
            translate("SelfTest", "this computer is searched for models"),
        )
        await self._pictures.take("first-run")
        return ""

    async def _choose_offline(self) -> str:
        window = self._user.window
        click(find(window, QAbstractButton, translate("FirstRun", "Look around first")))
        await self._user.until_ready()
        await self._pictures.take("new-chat")
        return ""

    async def _see_catalog(self) -> str:
        catalog = self._user.program.catalog
        await until(
            lambda: len(catalog.agents.rows) > 1 and len(catalog.skills.rows) > 1,
            [catalog.loaded],
            translate("SelfTest", "agents and skills are available"),
        )
        # One row is Auto.
        agents, skills = len(catalog.agents.rows) - 1, len(catalog.skills.rows)
        words = translate("SelfTest", "{agents} agents, {skills} skills")
        return words.format(agents=agents, skills=skills)

    async def _chat(self) -> str:
        user = self._user
        await user.say(MUCH_TO_SAY)
        await user.sees(
            # Where the window is slow, the reply may be whole by then.
            lambda: user.reply.count("\n") > 12,
            translate("SelfTest", "the reply streams in"),
        )
        await self._pictures.take("streaming")
        await user.until_idle()
        return ""

    async def _begin_another(self) -> str:
        user, conversations = self._user, self._user.program.conversations
        click(find(user.window, QAbstractButton, translate("Sidebar", "New chat")))
        await user.say("What can you help me with?")
        await user.until_idle()
        await until(
            lambda: conversations.rowCount() == 2,
            [conversations.rowsInserted, conversations.modelReset],
            translate("SelfTest", "both chats are listed"),
        )
        return ""

    async def _delete(self) -> str:
        window, conversations = self._user.window, self._user.program.conversations
        view = find(window, QListView, translate("ConversationList", "Chats"))
        view.setFocus()
        view.selectionModel().setCurrentIndex(
            view.model().index(view.model().rowCount() - 1, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect,
        )
        press_delete(view)
        click(find(window, QAbstractButton, translate("DeleteBar", "Delete permanently")))
        await until(
            lambda: conversations.rowCount() == 1,
            [conversations.rowsRemoved, conversations.modelReset],
            translate("SelfTest", "the chat is gone"),
        )
        return ""

    async def _look_at_settings(self) -> str:
        window = self._user.window
        if self._pictures.are_kept:
            two_calls = f"{_ASK_FOR_TIME}\n{_ASK_FOR_TIME}"
            tour = PictureTour(self._user, self._pictures, self._calls.ask, two_calls)
            await tour.take()
        window.commands["settings"].action.trigger()
        click(find(window, QAbstractButton, translate("Settings", "Appearance")))
        await self._pictures.take("settings")
        click(find(window, QAbstractButton, translate("SettingsSide", "Back to the chat")))
        find(window, QPlainTextEdit, translate("Composer", "Message"))
        return ""
