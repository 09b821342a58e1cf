"""The steps of the self-test, each as a person would do it on the first day."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QItemSelectionModel
from PySide6.QtWidgets import QAbstractButton, QListView, QPlainTextEdit

from app.self_test.checks import Check
from app.self_test.hands import click, find, press_delete, until
from app.self_test.own_program import OwnProgram
from app.self_test.pictures import Pictures
from app.self_test.tool_calls import ClockCalls, FileCalls, ToolCalls
from app.self_test.visitor import Visitor

translate = QCoreApplication.translate

MUCH_TO_SAY: Final = "Show me some markdown"


class Walk:
    """Does and looks; a step that does not find what it should raises `CheckFailed`.

    Made by `run_self_test`, which closes the program.
    """

    def __init__(
        self, program: OwnProgram, notes: Path, pictures: Pictures, no_folders: str = ""
    ) -> None:
        """Take what is walked through.

        Args:
            program: It is shown first.
            notes: A folder for a tool, made in the walk.
            pictures: Where the window is kept as it looks on the way.
            no_folders: Why no tool with a folder runs here, in the words of the tools; empty
                where they do. Then the tools of the walk are others.
        """
        self._own = program
        self._visitor = Visitor(program)
        self._pictures = pictures
        self._calls: ToolCalls = (
            ClockCalls(self._visitor, pictures, no_folders)
            if no_folders
            else FileCalls(self._visitor, pictures, notes)
        )

    def checks(self) -> Sequence[Check]:
        """Returns the steps in order; each needs those before it."""
        return (
            Check(
                "window",
                translate("SelfTest", "The window opens and asks where to connect"),
                self._open,
            ),
            Check(
                "service",
                translate("SelfTest", "The bundled service starts and answers"),
                self._choose_offline,
            ),
            Check(
                "catalog", translate("SelfTest", "Agents and skills are listed"), self._see_catalog
            ),
            Check(
                "reply",
                translate("SelfTest", "A message is sent and its reply streams in"),
                self._chat,
            ),
            Check(
                "allow",
                translate("SelfTest", "A tool asks, is allowed, and the reply goes on"),
                self._calls.allow,
            ),
            Check("deny", self._calls.denied_name, self._calls.deny),
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
            ),
        )

    async def _open(self) -> str:
        await self._own.show()
        window, setup = self._visitor.window, self._visitor.program.setup
        find(window, QAbstractButton, translate("FirstRun", "Try it offline"))
        await until(
            lambda: not setup.first_run.is_looking,
            [setup.first_run_changed],
            translate("SelfTest", "models are looked for on this computer"),
        )
        await self._pictures.take("first-run")
        return ""

    async def _choose_offline(self) -> str:
        window = self._visitor.window
        click(find(window, QAbstractButton, translate("FirstRun", "Try it offline")))
        click(find(window, QAbstractButton, translate("FirstRun", "Start chatting")))
        await self._visitor.until_ready()
        return ""

    async def _see_catalog(self) -> str:
        catalog = self._visitor.program.catalog
        await until(
            lambda: len(catalog.agents.rows) > 1 and len(catalog.skills.rows) > 1,
            [catalog.loaded],
            translate("SelfTest", "agents and skills are there"),
        )
        # One row stands for the service's choice of an agent.
        agents, skills = len(catalog.agents.rows) - 1, len(catalog.skills.rows)
        words = translate("SelfTest", "{agents} agents, {skills} skills")
        return words.format(agents=agents, skills=skills)

    async def _chat(self) -> str:
        visitor = self._visitor
        await visitor.say(MUCH_TO_SAY)
        await visitor.sees(
            # Where the window is slow, the reply may be whole by then.
            lambda: visitor.reply.count("\n") > 12,
            translate("SelfTest", "the reply streams in"),
        )
        await self._pictures.take("streaming")
        await visitor.until_idle()
        return ""

    async def _begin_another(self) -> str:
        visitor, conversations = self._visitor, self._visitor.program.conversations
        click(find(visitor.window, QAbstractButton, translate("Sidebar", "New chat")))
        await visitor.say("What can you help me with?")
        await visitor.until_idle()
        await until(
            lambda: conversations.rowCount() == 2,
            [conversations.rowsInserted, conversations.modelReset],
            translate("SelfTest", "both chats are listed"),
        )
        return ""

    async def _delete(self) -> str:
        window, conversations = self._visitor.window, self._visitor.program.conversations
        view = find(window, QListView, translate("ConversationList", "Chats"))
        view.setFocus()
        view.selectionModel().setCurrentIndex(
            view.model().index(view.model().rowCount() - 1, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect,
        )
        press_delete(view)
        click(find(window, QAbstractButton, translate("DeleteBar", "Delete for ever")))
        await until(
            lambda: conversations.rowCount() == 1,
            [conversations.rowsRemoved, conversations.modelReset],
            translate("SelfTest", "the chat is gone"),
        )
        return ""

    async def _look_at_settings(self) -> str:
        window = self._visitor.window
        window.commands["settings"].action.trigger()
        click(find(window, QAbstractButton, translate("Settings", "Appearance")))
        await self._pictures.take("settings")
        click(find(window, QAbstractButton, translate("SettingsSide", "Back to the chat")))
        find(window, QPlainTextEdit, translate("Composer", "Message"))
        return ""
