"""`ModelFileCheck` runs a tiny model file in the engine and has it answer in the window.

Its weights are random, so the answer is meaningless; that there is one shows that the engine was
found, started, and ran the model.
"""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton

from app.chat.items import Notice
from app.self_test.app_under_test import AppUnderTest
from app.self_test.report import CheckFailed, NotAvailable
from app.self_test.scripted_user import ScriptedUser
from app.self_test.ui_driver import click, find, until
from app.viewmodels.settings.models import OFFLINE_MODEL

translate = QCoreApplication.translate

# The engine's own condition, which some computers do not meet.
_NEEDED: Final = "AVX2"


class ModelFileCheck:
    """Opens the file as `parley FILE` does, and asks its model once. Made by the self-test."""

    def __init__(self, program: AppUnderTest, file: Path) -> None:
        """Make one, for a file that is one of the installed ones."""
        self._user = ScriptedUser(program)
        self._file = file

    async def ask(self) -> str:
        """Have the model answer in a new chat, then choose the demo again.

        Raises:
            NotAvailable: The engine does not support this processor.
            CheckFailed: The model did not answer.
        """
        user = self._user
        user.program.open_model_file(self._file)
        await self._until_said()
        user.window.leave_settings()
        click(find(user.window, QAbstractButton, translate("Sidebar", "New chat")))
        await user.say("Hello")
        await user.until_idle()
        reply, notices = user.reply, self._notices()
        user.program.setup.models.choose(OFFLINE_MODEL)
        await self._until_said()
        if any(_NEEDED in words for words in notices):
            raise NotAvailable(notices[-1])
        if not reply.strip():
            words = translate("SelfTest", "the model did not answer")
            raise CheckFailed(" ".join([words, *notices]))
        return ""

    async def _until_said(self) -> None:
        models = self._user.program.setup.models
        await until(
            lambda: bool(models.view.said or models.view.problem),
            [models.changed],
            translate("SelfTest", "the settings show which model answers"),
        )
        if models.view.problem:
            raise CheckFailed(models.view.problem)

    def _notices(self) -> list[str]:
        rows = self._user.program.chat.transcript.rows
        return [row.words.sentence for row in rows if isinstance(row, Notice)]
