"""A day at the window, again and again, as fast as it goes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QAbstractButton

from app.import_export.chat_export import ExportFormat
from app.self_test.ui_driver import click, find
from app.viewmodels.states import Dot
from tests.support.window import Person

_KEPT_CHATS: Final = 12
_QUESTIONS: Final = (
    "Hello",
    "What can you help me with?",
    "/agent writer hello",
    "Write release notes for 2.0",
    "Show me some markdown",
)


class Day:
    """What a person does in a round: ask, stop, switch, search, export, delete."""

    def __init__(self, person: Person, folder: Path) -> None:
        self._person = person
        self._program = person.program
        self._folder = folder
        self._chats: list[str] = []
        self.rounds = 0

    async def begin(self) -> None:
        """Chooses the service of this computer, without a model."""
        self._program.setup.use_offline()
        connection = self._program.connection
        await self._person.sees(
            lambda: connection.status.dot is Dot.GOOD, "a service that is ready"
        )

    async def live(self) -> None:
        """Lives one round."""
        self._begin_chat()
        for question in _QUESTIONS:
            await self._person.asks(question)
        self._chats.append(self._program.chat.conversation_id)
        await self._stop_a_reply()
        await self._look_back()
        await self._search()
        await self._export()
        if len(self._chats) > _KEPT_CHATS:
            await self._delete(self._chats.pop(0))
        self.rounds += 1

    def _begin_chat(self) -> None:
        click(find(self._person.window, QAbstractButton, "New chat"))

    async def _stop_a_reply(self) -> None:
        chat = self._program.chat
        self._person.say("/tool current_time")
        await self._person.sees(lambda: chat.state.is_asking, "a tool that asks")
        chat.stop()
        await self._person.sees(lambda: not chat.state.is_busy, "a chat at rest")

    async def _look_back(self) -> None:
        """Open the chats that are still there, one after the other."""
        chat = self._program.chat
        for conversation_id in self._some_chats():
            chat.open(conversation_id)
            await self._person.sees(lambda: len(chat.transcript.rows) > 0, "a chat with its words")

    def _some_chats(self) -> Sequence[str]:
        return self._chats[-4:-1]

    async def _search(self) -> None:
        """Types into the field of the sidebar, and empties it again."""
        search = self._program.search
        search.search("hello")
        await self._person.sees(
            lambda: search.results.count > 0, "the search has hits", search.results_changed
        )
        search.search("")
        await self._person.sees(
            lambda: search.results.count == 0, "an empty field", search.results_changed
        )

    async def _export(self) -> None:
        """Write the open chat in a form that people read."""
        exporting, target = self._program.exporting, self._folder / f"{self.rounds}.md"
        exporting.export([self._chats[-1]], ExportFormat.MARKDOWN, target)
        await self._person.sees(target.exists, "an exported chat", exporting.work_changed)
        target.unlink()
        exporting.dismiss()

    async def _delete(self, conversation_id: str) -> None:
        conversations = self._program.conversations
        conversations.delete_all([conversation_id])
        await self._person.sees(
            lambda: all(row.conversation_id != conversation_id for row in conversations.rows),
            "a chat that is gone",
        )
